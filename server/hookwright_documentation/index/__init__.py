"""Index a documentation's passages and search them."""

from hookwright_documentation.index.build import build_index
from hookwright_documentation.index.search import DocumentationIndex, PassageHit, open_index

__all__ = ["DocumentationIndex", "PassageHit", "build_index", "open_index"]
