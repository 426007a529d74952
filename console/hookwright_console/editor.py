"""Let the user edit a text in an editor until the text is accepted."""

import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hookwright_console.errors import RefusedError, ReportedError
from hookwright_console.terminal import ask_yes
from hookwright_console.text import make_printable

PATIENCE = 3  # identical refusals in a row before the user is asked whether to stop
COMMENT = "# refused: "


def add_refusal(text: str, refusal: RefusedError) -> str:
    """Return a text with a refusal inserted as its first comment, inside any front matter."""
    opening = "---\n" if text.startswith("---\n") else ""
    return f"{opening}{COMMENT}{make_printable(str(refusal))}\n{text.removeprefix(opening)}"


def remove_refusal(text: str) -> str:
    opening = "---\n" if text.startswith("---\n") else ""
    body = text.removeprefix(opening)
    return opening + (body.partition("\n")[2] if body.startswith(COMMENT) else body)


@dataclass(frozen=True)
class EditorOptions:
    """How refusals are shown in the editor."""

    print_message: Callable[[str], None]  # prints where the user's text was saved
    # Inserts an error into a text as a comment.
    add_comment: Callable[[str, RefusedError], str] = add_refusal
    remove_comment: Callable[[str], str] = remove_refusal  # removes the inserted comment
    # Whether a person is editing, who may repeat a mistake. A script that repeats one would be
    # restarted forever.
    attended: bool = True


def edit_text(
    text: str,
    suffix: str,
    take: Callable[[str], None],
    options: EditorOptions,
    folder: Path | None = None,
) -> bool:
    """Open an editor until a text is accepted or left unchanged; return whether it was accepted.

    Args:
        text: The text to edit.
        suffix: The suffix of the temporary file, from which editors derive the file type.
        take: Accepts the edited text, or raises RefusedError, which reopens the editor.
        options: How refusals are recognised and shown.
        folder: The folder for the temporary file; None for the default.

    Raises:
        ReportedError: The editor failed, the user emptied a refused text or left it unchanged, or
            an unattended editor repeated the same mistake.

    """
    handle, name = tempfile.mkstemp(prefix="edited-", suffix=suffix, dir=folder)
    os.close(handle)
    path = Path(name)
    path.write_text(text, "utf-8")
    try:
        changed = edit_file(path, text, take, options)
    except BaseException:
        if path.read_bytes() == text.encode():
            path.unlink()
        else:
            options.print_message(f"your text is saved in {path}")
        raise
    path.unlink()
    return changed


def edit_file(path: Path, text: str, take: Callable[[str], None], options: EditorOptions) -> bool:
    """Edit the text in a file like `edit_text` does; the file is not removed."""
    last, refusal, repeats = text, "", 0
    while True:
        run_editor(path)
        try:
            edited = options.remove_comment(path.read_text("utf-8"))
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
            check_repeats(repeats, refusal, options)
            path.write_text(options.add_comment(edited, refused), "utf-8")
        else:
            return True


def check_repeats(repeats: int, refusal: str, options: EditorOptions) -> None:
    """Stop, or ask the user whether to stop, when the same refusal repeats."""
    if repeats > 1 and not options.attended:
        raise ReportedError(refusal) from None
    if repeats % PATIENCE == 0:
        options.print_message(refusal)
        if not ask_yes("Open the editor again?", default=True):
            raise ReportedError("nothing changed") from None


def run_editor(path: Path) -> None:
    command = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
    if not command and not sys.stdin.isatty():
        raise ReportedError("vi needs a terminal: set EDITOR to a command that edits a file")
    command = command or "vi"
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
