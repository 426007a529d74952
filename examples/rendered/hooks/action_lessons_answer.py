#!/usr/bin/env python3
# ID: 5daeda280f083586ef541a7423167d16
"""Add the lesson for a failed command's error, and those for a subagent's task.

Rendered by Hookwright; loaded by the action_lessons hook.
It reads an event on stdin and queries the lesson search server with the last lines of the error,
without possible secrets. On any error, the session continues unchanged, after TIME_LIMIT seconds at
the latest. HOOKWRIGHT_DEBUG=1 explains on stderr why no lesson was added.

Do not edit the constants: change the answers with `copier update` (see README.md).
"""

import sys

TYPE_CHECKING = False  # as in typing, which takes longer to import than everything else here
if TYPE_CHECKING:
    import _socket
    from collections.abc import Callable
    from typing import Any

# fmt: off
# The server's address.
SERVER = "127.0.0.1:7731"

# Maximum number of lessons, and of skills, to request.
TOP_K = 3

# Maximum total characters of lessons and skills.
CONTEXT_BUDGET = 2000

# The same limits as a query string.
QUERY = f"top_k={TOP_K}&budget={CONTEXT_BUDGET}"

# Seconds after which the session continues without lessons.
TIME_LIMIT = 2

# The event's field for the error, and whether every command has such an event.
FIELD, EVERY = "error", False

# The event's fields to send; a server on this machine finds the project of a folder itself.
SENT = ("session_id", "agent_id", "cwd")

# The output that adds a lesson.
FRAME = b'{"hookSpecificOutput":{"hookEventName":"PostToolUseFailure","additionalContext":"%s"}}'
# fmt: on

try:  # os builds on posix, but takes a tenth of Python's startup time to import
    from posix import _exit as end_process
    from posix import environ
except ImportError:  # on Windows
    import os

    end_process = os._exit
    environ = dict(zip(map(os.fsencode, os.environ), map(os.fsencode, os.environ.values())))

DEBUG = b"1" in (environ.get(b"HOOKWRIGHT_DEBUG"), environ.get(b"TOOL_ROUTING_DEBUG"))


def answer_event(
    decide: "Callable[..., Any]", respond: "Callable[[Any, bytes], int]", *more: "Any"
) -> None:
    """Answer the event on stdin with the result of `decide` for its bytes, and exit.

    `decide` also receives `more`. `respond` prints and flushes a decision, unless it is None, and
    returns the exit code. On any error, even a closed stdout or Ctrl-C, the call or prompt is
    allowed, because a broken hook must not break the agent.
    """
    status = 0
    if not DEBUG:
        sys.stderr = None  # Python may print a warning, for example about a pattern
    try:
        raw = sys.stdin.buffer.read()
        decision = decide(raw, *more)
        if decision is not None:
            status = respond(decision, raw)
    except BaseException as error:  # noqa: BLE001 - fail open
        explain("let through because of " + repr(error))
    finally:
        end_process(status)  # a regular exit would add a fifth of Python's startup time


def explain(line: str) -> None:
    """Explain a decision on stderr if HOOKWRIGHT_DEBUG is 1."""
    if DEBUG and sys.stderr:
        print("hookwright:", line, file=sys.stderr, flush=True)


OPENING = '{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"'


MAX_ANSWER = 65_536  # maximum bytes; a pipe accepts that much at once, so a print is never partial


def limit_time() -> None:
    """End the process after the time limit, even if it is blocked.

    It uses a thread, because a socket's timeout does not cover name lookups. Importing threading or
    signal would add more than half of Python's startup time.
    """
    from _thread import start_new_thread

    try:
        start_new_thread(end_late, ())
    except RuntimeError:  # the thread limit is reached
        end_process(0)


def end_late() -> None:
    """End the process when the time limit is reached."""
    import time

    time.sleep(TIME_LIMIT)
    try:
        explain(f"let through because {TIME_LIMIT} seconds are over")
    finally:
        end_process(0)


def ask_server(path: bytes, asked: bytes, header: bytes) -> bytes:
    """Return the body of the server's answer to a request; raises any exception."""
    token = environ.get(b"LESSON_SEARCH_TOKEN", b"")
    if not token.decode("ascii").isprintable():
        raise ValueError("LESSON_SEARCH_TOKEN has characters that no token has")
    head = (
        b"POST /hooks/%s?%s HTTP/1.1\r\nHost: %s\r\n"
        b"Content-Type: application/json\r\nContent-Length: %d\r\n%sConnection: close\r\n\r\n"
    )
    more = header + (b"Authorization: Bearer %s\r\n" % token if token else b"")
    request = head % (path, QUERY.encode(), SERVER.encode(), len(asked), more) + asked
    server = connect()
    server.sendall(request)
    answer, body, length = b"", b"", MAX_ANSWER
    while len(body) < length and len(answer) < 2 * MAX_ANSWER and (part := server.recv(MAX_ANSWER)):
        answer += part
        fields, blank, body = answer.partition(b"\r\n\r\n")
        if blank:
            length = int(fields.lower().partition(b"\ncontent-length:")[2].partition(b"\n")[0])
    if not answer.startswith((b"HTTP/1.1 200 ", b"HTTP/1.0 200 ")) or len(body) < length:
        raise ValueError(f"got {answer[:32]!r} with {len(body)} of {length} bytes")
    return body[: min(length, MAX_ANSWER)]


def connect() -> "_socket.socket":
    """Return a connection to the server; raises any exception.

    The user's own server also listens on a Unix socket in a private folder. If the socket exists,
    the port is not used, because another user might listen on it while the server is down.
    """
    # Use _socket directly, because importing socket takes as long as starting Python.
    import _socket

    host, _, port = SERVER.rpartition(":")
    if host in ("127.0.0.1", "localhost") and (path := find_socket(port)):
        explain("asking " + path.decode())
        server = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
        server.connect(path)
        return server
    explain("asking " + SERVER)
    name, kind = host.strip("[]").encode(), _socket.SOCK_STREAM  # a str would import a codec
    for family, *_, address in _socket.getaddrinfo(name, port, 0, kind):
        server = _socket.socket(family, kind)
        if server.connect_ex(address) == 0:
            return server
    raise ConnectionError("connection refused")


def find_socket(port: str) -> bytes:
    """Return the Unix socket of the user's server at a port, or b"" if it does not exist.

    Raises PermissionError if other users can access the socket's folder.
    """
    if sys.platform == "win32":
        return b""
    from posix import geteuid, stat

    state = environ.get(b"XDG_STATE_HOME", b"")
    if not state.startswith(b"/"):
        state = environ.get(b"HOME", b"") + b"/.local/state"
    folder = state + b"/lesson-search"
    path = b"%s/%s.sock" % (folder, port.encode())
    try:
        stat(path)
    except (OSError, ValueError):
        return b""
    found = stat(folder)
    if found.st_uid != geteuid() or found.st_mode & 0o77:
        raise PermissionError(folder.decode() + " is open to others: run chmod 700 on it")
    return path


def check_answer(answer: str) -> None:
    """Raise an exception unless an answer is exactly the expected frame around a single text.

    A quote that ends the text early could add a decision that the server must not make. For such an
    answer, Python 3.10 raises SystemError and other versions raise ValueError.
    """
    from _json import scanstring  # json is as slow to import as Python to start

    if not answer.startswith(OPENING) or answer[scanstring(answer, len(OPENING))[1] :] != "}}":
        raise ValueError("the answer has an unexpected format")


def read_field(event: str, name: str) -> str:
    """Return an event's text field by name, or "" if the event has no such key."""
    from _json import scanstring  # json is as slow to import as Python to start

    _, _, value = event.partition(f'"{name}"')
    colon, _, _ = value.partition('"')
    return str(scanstring(value, len(colon) + 1)[0]) if colon.strip() == ":" else ""


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


def print_answer(answer: bytes, _: bytes) -> int:
    """Print the server's answer unchanged; return the exit code."""
    sys.stdout.buffer.write(answer)
    sys.stdout.flush()
    return 0


def find_for_action(
    raw: bytes, describe_project: "Callable[[bytes], bytes]" = lambda _: b""
) -> "bytes | None":
    """Return the output for a failed command or a subagent, from the event in `raw`."""
    if read_field(raw.decode(), "hook_event_name") != "PreToolUse":
        return find_for_failure(raw, describe_project)
    import json

    event = json.loads(raw)
    given, fields = event["tool_input"], {name: event.get(name) for name in SENT}
    asked = {**fields, "agent_id": event["tool_use_id"], "prompt": given["prompt"]}
    header = describe_project(raw)
    answer = json.loads(ask_server(b"user-prompt-submit", json.dumps(asked).encode(), header))
    if not answer:
        return None
    prompt = given["prompt"] + "\n\n" + answer["hookSpecificOutput"]["additionalContext"]
    output = {"hookEventName": "PreToolUse", "updatedInput": {**given, "prompt": prompt}}
    return json.dumps({"hookSpecificOutput": output}).encode()


def answer_action() -> None:
    """Answer the event on stdin, and exit."""
    limit_time()
    answer_event(find_for_action, print_answer)
