"""Find lessons about the error of a failed command; the action_lessons hook loads this."""

from typing import TYPE_CHECKING

from runtime.event import explain
from runtime.lesson_hook import ask_server, check_answer, read_field
from runtime.prompts import OPENING

if TYPE_CHECKING:
    from collections.abc import Callable

FIELD, EVERY, SENT, FRAME = "error", False, ("session_id", "agent_id", "cwd"), b"%s"

# --- rendered from here on ---


LINES, WORDS = 12, 50  # last lines of an error to send, and words per line
READ, MAX_LINE = 40, 4_000  # last lines to read, and characters of each
# Prefixes of the lines that clients add to a command's output.
ADDED = ("Exit code", "Exit Code:", "Command:", "Directory:", "Signal:", "Process Group", "<")
NOTHING = (": (empty)", ": (none)")  # ends of lines that a client adds for no output
# Parts of words that may announce a secret.
CREDENTIALS = """
auth basic bearer contrase cookie cred kennwort key login mnemonic pass private pwd secret seed
senha token парол 密码 パスワード
"""
NAMES = ("otp", "pat", "pin", "pw")  # whole words that may announce a secret
HARMLESS = ("keyerror", "keyboardinterrupt")  # words that contain such a part, but announce none
NAMING = ("import", "module", "named", "package")  # words before a name, which may end in a digit
# Words before and after "key" that show it is not a secret, as in "duplicate key value" and
# "private key file".
BEFORE_KEY = ("duplicate", "foreign", "primary", "private", "public", "unique")
AFTER_KEY = ("value", "file", "files", "constraint")
MARKS = "\"'`(){}<>,;:.!?*"  # punctuation around words
# Maximum letters of a word, and of a word in capitals; maximum digits of a code such as E0308, its
# maximum letters, and those before a single digit; maximum digits of numbers that may occur any
# number of times.
LETTERS, CAPITALS, DIGITS, PREFIX, STEM, SHORT = 24, 15, 5, 2, 5, 3


def find_for_failure(
    raw: bytes, describe_project: "Callable[[bytes], bytes]" = lambda _: b""
) -> "bytes | None":
    """Return the output for the event in `raw` if it reports a failed command, or None.

    Raises any exception for invalid events, an unresponsive server or an unexpected answer.
    """
    from _json import encode_basestring_ascii as quote  # importing json takes as long as starting

    event = raw.decode()
    error = read_field(event, FIELD)
    if not error or (EVERY and not has_failed(error)):
        explain("no lesson: no command failed")
        return None
    names = {name: read_field(event, name) for name in SENT}
    fields = {**names, "prompt": keep_words(error)}
    if not fields["prompt"]:
        explain("no lesson: the error has no words that are certainly not secret")
        return None
    explain("asking about " + fields["prompt"])
    asked = ",".join(f'"{name}":{quote(text)}' for name, text in fields.items())
    answer = ask_server(b"failed-command", ("{" + asked + "}").encode(), describe_project(raw))
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

    It keeps file names, plain words, numbers, and codes too short to be secrets. It removes the
    rest of a line after a word such as "password" or an option such as -p, and also the next line
    if that may be the answer to a prompt.
    """
    from unicodedata import normalize

    # The time to normalise a line grows with the square of its combining marks.
    ends = [line[:MAX_LINE] for line in drop_key(error).splitlines()[-READ:]]
    text = drop_key(normalize("NFKC", "\n".join(ends)))
    lines = [line.strip() for line in text.replace("[", " ").replace("]", " ").splitlines()]
    lines = [line for line in lines if line and not line.startswith(ADDED)]
    lines = [line for line in lines if not line.endswith(NOTHING)]
    kept, is_announced, is_answer = [], False, False
    for line in lines[-LINES - 1 :]:
        words = line[:MAX_LINE].split()
        is_answer = is_answer or (is_announced and len(words) == 1)
        near = enumerate(zip(["", *words], words, [*words[1:], ""]))
        end = next((n for n, three in near if precedes_secret(*three)), len(words))
        shown = [] if is_answer else map(keep_plain, words[: min(end + 1, WORDS)], ["", *words])
        kept.append(" ".join(filter(None, shown)))
        is_announced = end < len(words) or (is_answer and len(words) == 1)
        is_answer = end < len(words) and (end == len(words) - 1 or not line[-1].isalnum())
    return " \n ".join(kept[-LINES:]).strip()


def drop_key(text: str) -> str:
    """Return a text up to a private key, whose lines look like any other text."""
    dashes = text.lower().replace("- ", "-")
    if "---begin " in dashes:
        return text[: dashes.find("---begin ")]
    return "" if "---end " in dashes else text


def precedes_secret(previous: str, word: str, following: str) -> bool:
    """Return whether a word names a secret, or is an option with a single hyphen."""
    lower, after = word.lower(), following.rstrip("!").lower()
    if lower == "key" and previous.lower() in BEFORE_KEY and after in AFTER_KEY:
        return False
    if (lower, after) == ("private", "key") or (previous.lower(), lower) == ("unexpected", "token"):
        return False
    if lower.strip(MARKS) in HARMLESS:
        return False
    option = word.strip(MARKS)[:2]
    is_option = option[:1] in ("-", "\u2013") and option[1:].isalpha()
    names = "".join(char if char.isalpha() else " " for char in lower).split()
    is_name = any(name in NAMES for name in names)
    return is_option or is_name or any(part in lower for part in CREDENTIALS.split())


def keep_plain(word: str, previous: str) -> str:
    """Return the file name or plain word in a word, or ""; `previous` is the word before it."""
    name = word.partition("=")[0].strip(MARKS)
    _, folder, plain = name.rpartition("/")
    _, *lines = name.split(":")
    if (folder and "." not in plain) or not all(map(str.isdigit, lines)):
        return ""
    if precedes_secret("", word, "") and not plain.replace("_", "").isalpha():
        return ""
    is_name = previous.lower() in NAMING and plain.isalnum() and plain[:-1].isalpha()
    return plain if is_plain(plain) or (is_name and len(plain) <= LETTERS) else ""


def is_plain(text: str) -> bool:
    """Return whether a text is a name or number made up of words."""
    runs = "".join(each if each.isalnum() else " " for each in text).split()
    known = all(each.isalnum() or each in "._-:'()" for each in text)
    codes = [run for run in runs if not run.isalpha() and (len(run) > SHORT or not run.isdigit())]
    return known and len(codes) <= 1 and len(text) <= 2 * LETTERS and all(map(is_word, runs))


def is_word(run: str) -> bool:
    """Return whether a run of letters and digits is a word, a short number or a code."""
    letters = run.rstrip("0123456789")
    digits = len(run) - len(letters)
    most = CAPITALS if letters.isupper() else LETTERS
    if digits:
        most = PREFIX if digits > 1 else STEM
    return digits <= DIGITS and len(letters) <= most and (letters + "a").isalpha()
