"""Run the command line, or report a missing package."""

import os
import sys

# `python -m` first looks for modules in the current folder, which may be untrusted.
try:
    here = os.getcwd()  # noqa: PTH109 - pathlib might be found there
except OSError:  # the folder no longer exists
    here = ""
if sys.path[0] in {"", here}:
    del sys.path[0]

from importlib.util import find_spec

# Import names of the packages in the `server` extra.
PACKAGES = (
    *("anyio", "chromadb", "fastapi", "fastapi_offline", "filelock", "numpy"),
    *("onnxruntime", "platformdirs", "yaml", "rich", "safetensors", "squarify"),
    *("tokenizers", "typer", "uvicorn", "wordllama"),
)


def main() -> int:
    """Run the command line, whose commands need the packages in the `server` extra."""
    try:
        missing = next((name for name in PACKAGES if find_spec(name) is None), "")
        if missing and not {"--help", "--version"}.issuperset(sys.argv[1:]):
            return report_missing_package(missing)
        from lesson_search.cli.main import run

        return run()
    except KeyboardInterrupt:  # interrupted before the command line can handle it
        from hookwright_console.runner import INTERRUPTED, print_error

        print_error("lesson-search", "stopped")
        return INTERRUPTED


def report_missing_package(package: str) -> int:
    from hookwright_console.extras import explain_missing  # slow to import
    from hookwright_console.text import make_printable

    print(f"lesson-search: {make_printable(explain_missing(package, 'server'))}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
