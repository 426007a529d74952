"""Let the user edit a text in an editor until the text is accepted."""

import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from hookwright_console.errors import RefusedError, ReportedError
from hookwright_console.text import make_printable

COMMENT = "# refused: "
MAX_REPEATS = 3  # equal refusals in a row, after which no person seems to be editing


def add_refusal(text: str, refusal: RefusedError) -> str:
    """Return a text with a refusal inserted as its first comment, inside any front matter."""
    front = "---\n" if text.startswith("---\n") else ""
    return f"{front}{COMMENT}{make_printable(str(refusal))}\n{text.removeprefix(front)}"


def remove_refusal(text: str) -> str:
    front = "---\n" if text.startswith("---\n") else ""
    body = text.removeprefix(front)
    return front + (body.partition("\n")[2] if body.startswith(COMMENT) else body)


def edit_text(
    text: str,
    suffix: str,
    take: Callable[[str], None],
    print_message: Callable[[str], None],
    *,
    add_comment: Callable[[str, RefusedError], str] = add_refusal,
    remove_comment: Callable[[str], str] = remove_refusal,
    folder: Path | None = None,
) -> bool:
    """Open an editor until a text is accepted or left unchanged; return whether it was accepted.

    Args:
        text: The text to edit.
        suffix: The suffix of the temporary file, from which editors derive the file type.
        take: Accepts the edited text, or raises RefusedError, which reopens the editor.
        print_message: Prints where the user's text was saved.
        add_comment: Inserts a refusal into the text as a comment.
        remove_comment: Removes that comment.
        folder: The folder for the temporary file; None for the default.

    Raises:
        ReportedError: The editor failed, the user emptied a refused text or left it unchanged, or
            a script repeated the same mistake.

    """
    last, refusal, repeats = text, "", 0
    with open_temporary(text, suffix, print_message, folder) as path:
        while True:
            run_editor(path)
            try:
                edited = remove_comment(path.read_text("utf-8"))
            except UnicodeDecodeError:
                raise ReportedError("the edited file is not UTF-8: save it as UTF-8") from None
            if edited == text:
                return False
            if edited == last:
                raise ReportedError(refusal)
            if not edited.strip():
                path.write_text(last, "utf-8")
                raise ReportedError(refusal or "the text is empty: nothing changed")
            try:
                take(edited)
            except RefusedError as refused:
                former, last, refusal = refusal, edited, make_printable(str(refused))
                repeats = repeats + 1 if refusal == former else 1
                if repeats == MAX_REPEATS or (repeats > 1 and not sys.stdin.isatty()):
                    raise ReportedError(refusal) from None
                path.write_text(add_comment(edited, refused), "utf-8")
            else:
                return True


@contextmanager
def open_temporary(
    text: str, suffix: str, print_message: Callable[[str], None], folder: Path | None
) -> Iterator[Path]:
    """Yield a temporary file with a text, which is removed unless an error would lose an edit."""
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", prefix="edited-", suffix=suffix, dir=folder, delete=False
    ) as file:
        file.write(text)
    path = Path(file.name)
    try:
        yield path
    except BaseException:
        if path.read_bytes() == text.encode():
            path.unlink()
        else:
            print_message(f"your text is saved in {path}")
        raise
    path.unlink()


def run_editor(path: Path) -> None:
    command = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    if command == "vi" and not sys.stdin.isatty():
        raise ReportedError("vi needs a terminal: set EDITOR to a command that edits a file")
    try:
        completed = subprocess.run([*shlex.split(command), str(path)], check=False)  # noqa: S603 - the user's own choice
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ReportedError(
            f"cannot run the editor '{command}': {reason} (set VISUAL or EDITOR)"
        ) from None
    if completed.returncode:
        raise ReportedError(
            f"the editor '{command}' failed with exit code {completed.returncode}: nothing changed"
        )
