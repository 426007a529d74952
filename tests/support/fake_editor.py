"""A fake editor: a program that replaces texts each time it is opened."""

import shlex
import sys
from collections.abc import Callable
from pathlib import Path

ChooseEditor = Callable[..., Path]
SEPARATOR = "=" * 9
EDITOR = """
import pathlib, sys
path, log, *pairs = sys.argv[-1:] + sys.argv[1:-1]
text = pathlib.Path(path).read_text("utf-8")
with open(log, "a+", encoding="utf-8") as file:
    file.seek(0)
    time = file.read().count("=" * 9)
    print(text, "=" * 9, sep="", file=file)
if pairs[2 * time:]:
    text = text.replace(*pairs[2 * time:2 * time + 2])
pathlib.Path(path).write_text(text, "utf-8")
"""


def name_editor(log: Path, *pairs: str) -> str:
    return shlex.join([sys.executable, "-c", EDITOR, str(log), *pairs])
