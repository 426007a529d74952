"""Cut pages into markdown and passages."""

from hookwright_documentation.cutting.page_files import (
    find_repeats,
    list_pages,
    read_page,
    write_page,
)
from hookwright_documentation.cutting.passages import split

__all__ = ["find_repeats", "list_pages", "read_page", "split", "write_page"]
