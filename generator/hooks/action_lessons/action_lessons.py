"""Find the lesson for a failed command's error.

The part after the marker becomes part of the action_lessons hook, with its constants.
"""

from runtime.event import explain
from runtime.git_project import read_field
from runtime.lesson_hook import ask_server, check_answer
from runtime.prompts import OPENING

FIELD, EVERY, FRAME = "error", False, b"%s"

# --- rendered from here on ---


LINES, LENGTH = 12, 300  # last lines of an error to ask about, and characters per line
# Prefixes of the lines that clients add to a command's output.
ADDED = ("Exit code", "Exit Code:", "Command:", "Directory:", "Signal:", "Process Group", "<")
# Parts of words that may precede a secret.
CREDENTIALS = """
auth basic bearer cookie credential key login pass private pwd secret token
"""
LETTERS, CODE = 24, 5  # letters of a word; letters and digits of a code such as E0308


def find_for_failure(raw: bytes) -> "bytes | None":
    """Return the output for the failed command of the event in `raw`, or None.

    Raises any exception for invalid events, an unresponsive server or an unexpected answer.
    """
    from _json import encode_basestring_ascii as quote  # importing json takes as long as starting

    event = raw.decode()
    error = read_field(event, FIELD)
    if not error or (EVERY and not has_failed(error)):
        explain("no lesson: no command failed")
        return None
    names = {name: read_field(event, name) for name in ("session_id", "agent_id")}
    fields = {**names, "prompt": keep_words(error)}
    explain("asking about " + fields["prompt"])
    asked = ",".join(f'"{name}":{quote(text)}' for name, text in fields.items())
    answer = ask_server(b"failed-command", raw, ("{" + asked + "}").encode())
    if answer == b"{}":
        explain("the server has no lesson that is likely to be about this error")
        return None
    check_answer(answer.decode())
    return FRAME % answer[len(OPENING) : -len('"}}')]


def has_failed(result: str) -> bool:
    """Return whether a client reports that a command ended with a nonzero exit code."""
    _, found, code = result[-100:].lower().rpartition("exit code")
    return bool(found) and code.strip(": ")[:1] != "0"


def keep_words(error: str) -> str:
    """Return an error's last lines without possible secrets and paths on this machine.

    File names, plain words, numbers and codes too short to be secrets remain. Anything after a word
    such as "password" or an = is removed.
    """
    lines = [line.strip() for line in error.splitlines()]
    kept = []
    for line in [line for line in lines if line and not line.startswith(ADDED)][-LINES:]:
        hidden = 0
        for word in line[:LENGTH].replace("[", " ").replace("]", " ").split():
            name, equals, _ = word.partition("=")
            plain = name.rpartition("/")[2].strip("\"'`()[]{}<>,;:.!?*")
            if not hidden and "://" not in name and is_plain(plain):
                kept.append(plain)
            hidden = max(0, hidden - 1)
            if any(part in word.lower() for part in CREDENTIALS.split()):
                hidden = 2 if equals or word[-1] in ":=" else 1
        kept.append("\n")
    return " ".join(kept).strip()


def is_plain(text: str) -> bool:
    """Return whether a text is a name or number that consists of words."""
    runs = "".join(each if each.isalnum() else " " for each in text).split()
    known = all(each.isalnum() or each in "._-:'()" for each in text)
    return known and len(text) <= 2 * LETTERS and all(map(is_word, runs))


def is_word(run: str) -> bool:
    """Return whether letters and digits form a word, a short number or a code."""
    letters = run.rstrip("0123456789")
    digits = len(run) - len(letters)
    most = CODE if digits else LETTERS
    return digits <= CODE and len(letters) <= most and (letters + "a").isalpha()
