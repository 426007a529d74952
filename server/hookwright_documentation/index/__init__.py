"""Index and search a documentation's passages."""

from hookwright_documentation.index.build import build_index
from hookwright_documentation.index.search import DocumentationIndex, PassageHit

__all__ = ["DocumentationIndex", "PassageHit", "build_index"]
