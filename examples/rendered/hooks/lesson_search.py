#!/usr/bin/env python3
# ID: 430a1ead26d2310654cc251fff626aa0
"""Add the lessons relevant to a prompt.

A Claude Code UserPromptSubmit hook, rendered by Hookwright.
It reads an event on stdin, sends it to the lesson search server, and prints the answer: the text to
add to the prompt. On any error, the prompt continues unchanged, after TIME_LIMIT seconds at the
latest. HOOKWRIGHT_DEBUG=1 explains on stderr why no lesson was added.

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


COPILOT = environ.get(b"COPILOT_CLI") == b"1"


OPENING = '{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"'


def may_matter(prompt: str) -> bool:
    """Return whether a prompt is more than a yes, a command or a message from the client."""
    text = prompt.strip()
    if len(text) < MIN_LENGTH:
        return False
    if text[0] == "!":  # a shell command, unless it is a Markdown image
        return text[1] == "["
    if text[:2] in {"# ", "#\t"}:  # a note for the agent's memory, unless it is a heading
        return "\n" in text
    name = text[1:].partition("\n")[0].partition(" ")[0]
    if text[0] == "/":
        letters = name.replace("-", "a").replace("_", "a").replace(":", "a")
        return len(name) <= FOLDER or not (letters.isascii() and letters.isalnum())
    tag = name.partition(">")[0]
    return text[0] != "<" or tag not in MACHINE_TAGS.split() or tag == text[1:]


MIN_LENGTH = 10  # minimum characters of a prompt that may need lessons or hints
FOLDER = 4  # letters of the longest folder name, such as /home, that may start a prompt
# Tags with which the client itself starts a prompt.
MACHINE_TAGS = """
agent-notification bash-input bash-notification bash-stderr bash-stdout command-args
command-contents command-message command-name cross-session-message environment_context hook_context
local-command-caveat local-command-stderr local-command-stdout mcp-polling-update
mcp-resource-update system-notification system-reminder task-notification teammate-message
turn_aborted user-memory-input user-prompt-submit-hook user_instructions user_shell_command
"""


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


def find_lessons(
    raw: bytes, describe_project: "Callable[[bytes], bytes]" = lambda _: b""
) -> "bytes | None":
    """Return the output for the prompt of the event in `raw`, or None.

    A server on another machine receives the header that `describe_project` returns for the event.
    Raises any exception for invalid events, an unresponsive server, or an unexpected answer; the
    prompt then continues without lessons.
    """
    if not is_worth_asking(raw):
        explain("the server is not queried: the prompt is short, a command, or the client's own")
        return None
    answer = ask_server(b"user-prompt-submit", raw, describe_project(raw))
    if answer == b"{}":
        explain("the server found nothing relevant to the prompt")
        return None
    check_answer(answer.decode())
    return answer


def is_worth_asking(raw: bytes) -> bool:
    r"""Return whether lessons may be relevant, judging by an event's bytes; only False is certain.

    Without a \u escape, a key appears literally, so the only "prompt" in the bytes is that key, and
    the string after it is the prompt, apart from other escapes.
    """
    plain = raw.replace(b"\\\\", b"\0").replace(b'\\"', b"'")
    _, _, value = plain.partition(b'"prompt"')
    colon, _, rest = value.partition(b'"')
    if colon.strip() != b":" or b'"prompt"' in value or b"\\u" in plain:
        return True
    return may_matter(
        rest.partition(b'"')[0].replace(b"\\n", b"\n").replace(b"\\t", b"\t").decode()
    )


def print_answer(answer: bytes, raw: bytes) -> int:
    """Print the server's answer unchanged, or in Copilot CLI's form; return the exit code."""
    if COPILOT and b'"permission_mode"' not in raw:  # sent by Claude Code, even within Copilot
        answer = b'{"additionalContext":"' + answer[len(OPENING) : -len('"}}')] + b'"}'
    sys.stdout.buffer.write(answer)
    sys.stdout.flush()
    return 0


if __name__ == "__main__":
    limit_time()
    answer_event(find_lessons, print_answer)
