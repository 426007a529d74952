"""Give the agent the lessons that matter to a prompt: ask the server that keeps them.

The contract is Claude Code's: what a UserPromptSubmit hook prints with exit code 0 is added to the
prompt; exit code 2 would erase the prompt. The server answers in the client's own format, so that
its answer is printed as it came, once it is certain to be nothing else.

What follows the marker becomes the lesson_search hook, below the constants that the answers are
compiled into and that this module shows as their defaults. It is not called lesson_search here, for
that is the package of the server.
"""

import sys
from typing import TYPE_CHECKING

from event import COPILOT, end_process, explain  # type: ignore[attr-defined] # it is part of posix

if TYPE_CHECKING:
    import socket
    from typing import Any

SERVER = "127.0.0.1:7731"
TOP_K = 3
CONTEXT_BUDGET = 2000
TIME_LIMIT = 2

# --- rendered from here on ---


LARGEST = 65_536  # bytes of an answer; a pipe takes so many at once, so that none is half printed
OPENING = '{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"'
SHORTEST = 10  # characters of a prompt that lessons may matter to
FOLDER = 4  # letters of the longest folder that a prompt may begin with, such as /home
CODE = 4  # digits of an escaped character
SOCK_DIAG = 4  # of netlink
SOCK_DIAG_BY_FAMILY = 20  # what is asked of it
# The tags that a client's own prompts begin with.
MACHINE_TAGS = """
agent-notification bash-input bash-notification bash-stderr bash-stdout command-args
command-contents command-message command-name cross-session-message environment_context hook_context
local-command-caveat local-command-stderr local-command-stdout mcp-polling-update
mcp-resource-update system-notification system-reminder task-notification teammate-message
turn_aborted user-memory-input user-prompt-submit-hook user_instructions user_shell_command
"""


def limit_time() -> None:
    """Have the process end when its time is up, whatever it is waiting for then.

    A thread does that, for no timeout of a socket holds for looking up a name. To import threading
    or signal would take more than half of the interpreter's start.
    """
    from _thread import start_new_thread

    try:
        start_new_thread(end_late, ())
    except RuntimeError:  # there may be no more threads
        end_process(0)


def end_late() -> None:
    """End the process when the time is up."""
    import time

    time.sleep(TIME_LIMIT)
    try:
        explain(f"let through because {TIME_LIMIT} seconds are over")
    finally:
        end_process(0)


def find_lessons(raw: bytes) -> "bytes | None":
    """Return what to print for the prompt of the event in `raw`, or None where there is nothing.

    Raises any exception for an event that is none, a server that does not answer, or an answer that
    is not as agreed: the prompt goes on without lessons then.
    """
    if not is_worth_asking(raw):
        explain("the server is not asked: the prompt is short, a command or a client's own")
        return None
    answer = ask_server(raw)
    if answer == b"{}":
        explain("the server found nothing that matters to the prompt")
        return None
    check_answer(answer.decode())
    return answer


def is_worth_asking(raw: bytes) -> bool:
    r"""Tell from an event's bytes whether lessons may matter to it; that none do is certain.

    Without a \u escape a key stands in the bytes just as it is spelled, so that the only "prompt"
    there is the prompt's key; and a string behind it is the prompt, but for other escapes.
    """
    plain = raw.replace(b"\\\\", b"\0").replace(b'\\"', b"'")
    _, _, value = plain.partition(b'"prompt"')
    colon, _, rest = value.partition(b'"')
    if colon.strip() != b":" or b'"prompt"' in value or b"\\u" in plain:
        return True
    text = rest.partition(b'"')[0].replace(b"\\n", b"\n").replace(b"\\t", b"\t").decode().strip()
    if len(text) < SHORTEST:
        return False
    name = text[1:].partition("\n")[0].partition(" ")[0]
    if text[0] == "/":
        letters = name.replace("-", "a").replace("_", "a").replace(":", "a")
        return len(name) <= FOLDER or not (letters.isascii() and letters.isalnum())
    tag = name.partition(">")[0]
    return text[0] != "<" or tag not in MACHINE_TAGS.split() or tag == text[1:]


def ask_server(event: bytes) -> bytes:
    """Return the body of the server's answer to an event, or raise an exception."""
    import socket

    request = write_head(len(event)).encode() + event
    host, _, port = SERVER.rpartition(":")
    # As bytes: to look up a name that is text would import a codec.
    address: Any = (host.strip("[]").encode(), int(port))
    explain(f"asking {SERVER}")
    with socket.create_connection(address) as server, server.makefile("rb") as answer:
        check_owner(server)
        server.sendall(request)
        status = answer.readline(LARGEST)
        explain(f"the answer begins with {status!r}")
        if not status.startswith((b"HTTP/1.1 200 ", b"HTTP/1.0 200 ")):
            raise ValueError("not 200")
        length = 0
        while (line := answer.readline(LARGEST)).strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        if not 0 < length <= LARGEST:
            raise ValueError(f"an answer of {length} bytes")
        body = answer.read(length)
    if len(body) < length:
        raise ValueError(f"only {len(body)} of {length} bytes")
    return body


def check_owner(server: "socket.socket") -> None:
    """Raise PermissionError where another user of this machine is who would get prompt and token.

    Linux is asked, by sock_diag(7), who listens at the port and then who accepted the connection,
    which nobody has where it has no inode yet. Root is let be: it forwards ports for Docker. Where
    there is no telling, as of a server in a container or on another system, all goes on.
    """
    import os
    import socket
    from struct import pack, unpack

    (host, port), (peer, to) = server.getsockname()[:2], server.getpeername()[:2]
    if sys.platform != "linux" or not host.startswith(("127.", "::1", "::ffff:127.")):
        return
    owner, ends = 0, (socket.inet_pton(server.family, peer), socket.inet_pton(server.family, host))
    # struct nlmsghdr and inet_diag_req_v2, which are answered by an inet_diag_msg.
    head = pack("=IHHQBBHi", 72, SOCK_DIAG_BY_FAMILY, 1, 0, server.family, 6, 0, -1)
    try:
        with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, SOCK_DIAG) as kernel:
            for client in (0, port):
                kernel.send(head + pack("!HH16s16sIq", to, client, *ends, 0, -1))
                row = kernel.recv(4096, socket.MSG_DONTWAIT)  # it is there at once
                kind, uid, inode = unpack("=4xH74xII", row[:88].ljust(88, b"\0"))
                if kind == SOCK_DIAG_BY_FAMILY and inode:
                    owner = uid
    except OSError as error:
        explain(f"whose the server is cannot be told: {error!r}")
    if owner not in (0, os.geteuid()):
        raise PermissionError(f"port {to} is held by another user (id {owner})")


def write_head(length: int) -> str:
    """Return the head of the request that has an event of so many bytes as its body."""
    import os

    token = os.environ.get("LESSON_SEARCH_TOKEN", "")
    if not (token.isascii() and token.isprintable()):
        raise ValueError("LESSON_SEARCH_TOKEN has characters that no token has")
    authorization = f"Authorization: Bearer {token}\r\n" if token else ""
    return (
        f"POST /hooks/user-prompt-submit?top_k={TOP_K}&budget={CONTEXT_BUDGET} HTTP/1.1\r\n"
        f"Host: {SERVER}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n"
        f"{authorization}Connection: close\r\n\r\n"
    )


def check_answer(answer: str) -> None:
    """Raise ValueError unless an answer is the agreed frame around a single text.

    Certain without a JSON parser, whose import takes as long as starting the interpreter: no quote
    may end the text before the frame does, or what follows could be told as a decision.
    """
    before, _, rest = answer.partition(OPENING)
    text, end, after = rest.rpartition('"}}')
    for escape in ("\\\\", '\\"', "\\n", "\\t", "\\r", "\\b", "\\f", "\\/"):
        text = text.replace(escape, " ")
    first, *others = text.split("\\u")
    codes = [part[:CODE] for part in others]
    exact = all(len(code) == CODE and not code.strip("0123456789abcdefABCDEF") for code in codes)
    text = first + "".join(others)
    framed = not before and end and not after
    if not (framed and exact) or '"' in text or "\\" in text or min(text, default=" ") < " ":
        raise ValueError("the answer is not in the form agreed on")


def print_answer(answer: bytes, raw: bytes) -> int:
    """Print an answer as it came, or as Copilot CLI takes it; return the exit code."""
    if COPILOT and b'"permission_mode"' not in raw:  # Claude Code, which may run in it, has one
        answer = b'{"additionalContext":"' + answer[len(OPENING) : -len('"}}')] + b'"}'
    sys.stdout.buffer.write(answer)
    sys.stdout.flush()
    return 0
