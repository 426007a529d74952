"""Let the user edit a text in an editor, until it is taken."""

import os
import shlex
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from lesson_search.cli.terminal import say
from lesson_search.client import RefusalError
from lesson_search.limits import RefusedError, make_printable

COMMENT = "# refused: "


class EditingError(Exception):
    """The text was not taken, and the user does not mend it; one line."""


def edit_text(text: str, suffix: str, take: Callable[[str], None]) -> bool:
    """Open an editor until a text is taken, or left as it is.

    Args:
        text: What is edited. If it begins with front matter, refusals are told there.
        suffix: Of the file's name, by which editors know what is in it.
        take: Takes a text, or raises RefusedError or RefusalError: then the editor is opened again
            with the reason as a comment.

    Returns:
        Whether the text was changed, and taken.

    Raises:
        EditingError: The editor cannot be used, or a refused text was left as it is.

    """
    handle, name = tempfile.mkstemp(prefix="lesson-search-", suffix=suffix)
    os.close(handle)
    path = Path(name)
    path.write_text(text, "utf-8")
    try:
        changed = edit_file(path, text, take)
    except BaseException:
        if path.read_bytes() == text.encode():
            path.unlink()
        else:
            say(f"your text is kept in {path}")
        raise
    path.unlink()
    return changed


def edit_file(path: Path, text: str, take: Callable[[str], None]) -> bool:
    """Edit the text in a file; as `edit_text`, but the file stays."""
    last, refusal = text, ""
    while True:
        run_editor(path)
        try:
            edited = drop_comment(path.read_text("utf-8"))
        except UnicodeDecodeError:
            raise EditingError("what the editor wrote is no UTF-8: save it as that") from None
        if edited == text:
            return False
        if edited == last:
            raise EditingError(refusal)
        try:
            take(edited)
        except (RefusedError, RefusalError) as refused:
            last, refusal = edited, make_printable(str(refused))
            path.write_text(place_comment(edited, refusal), "utf-8")
        else:
            return True


def run_editor(path: Path) -> None:
    """Open the user's editor, and wait until it is closed.

    Raises:
        EditingError: There is none, or it failed.

    """
    command = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    try:
        ended = subprocess.run([*shlex.split(command), str(path)], check=False)  # noqa: S603 - the user's own choice
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise EditingError(
            f"the editor '{command}' cannot be run ({reason}): set VISUAL or EDITOR"
        ) from None
    if ended.returncode:
        raise EditingError(f"the editor '{command}' ended with {ended.returncode}: nothing changed")


def place_comment(text: str, refusal: str) -> str:
    """Return a text with a refusal as a comment, within its front matter or on top."""
    opening = "---\n" if text.startswith("---\n") else ""
    return f"{opening}{COMMENT}{refusal}\n{text.removeprefix(opening)}"


def drop_comment(text: str) -> str:
    """Return a text without the comment of a refusal."""
    opening = "---\n" if text.startswith("---\n") else ""
    body = text.removeprefix(opening)
    return opening + (body.partition("\n")[2] if body.startswith(COMMENT) else body)
