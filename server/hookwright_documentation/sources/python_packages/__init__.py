"""The API of installed Python packages (python:NAME), read from sources without importing them."""

from hookwright_documentation.sources.registry import Source

PYTHON = "python:"  # prefix, followed by names of installed packages


def recognise(text: str) -> Source | None:
    if not text.startswith(PYTHON):
        return None
    names = list_packages(text)
    fault = "" if names else "SOURCE: name a package, such as python:flask"
    return Source(text, fault=fault, keywords=names, has_environment=True)


def list_packages(source: str) -> tuple[str, ...]:
    names = (name.strip() for name in source.removeprefix(PYTHON).split(","))
    return tuple(filter(None, names))
