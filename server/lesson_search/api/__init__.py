"""The HTTP interface of lesson search."""
