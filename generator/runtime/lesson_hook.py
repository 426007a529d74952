"""Query the server for lessons that are relevant to a prompt, and pass them to the agent.

The server answers in Claude Code's format. The hook checks that the answer contains nothing but
lessons, and dialects/claude.py prints it unchanged.

The constants, which have defaults here, are generated from the answers. The module is not named
lesson_search, because the server's package has that name.
"""

import sys
from typing import TYPE_CHECKING

from .event import end_process, environ, explain  # type: ignore[attr-defined] # it is part of posix
from .prompts import OPENING, may_matter

if TYPE_CHECKING:
    import _socket
    from collections.abc import Callable

SERVER = "127.0.0.1:7731"
QUERY = "top_k=3&budget=2000"
TIME_LIMIT = 2

# --- rendered from here on ---


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


# --- rendered as asking ---


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


# --- rendered as fields ---


def read_field(event: str, name: str) -> str:
    """Return an event's text field by name, or "" if the event has no such key."""
    from _json import scanstring  # json is as slow to import as Python to start

    _, _, value = event.partition(f'"{name}"')
    colon, _, _ = value.partition('"')
    return str(scanstring(value, len(colon) + 1)[0]) if colon.strip() == ":" else ""
