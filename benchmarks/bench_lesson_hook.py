"""Time the lesson hooks against an empty interpreter and a hook that uses urllib and json.

All query a stand-in server, a thread that answers at once, so the times exclude the search.
"""

import json
import os
import socket
import sys
import tempfile
import threading
from pathlib import Path

from hookwright_console.network.server_address import find_socket

from .reporting import report
from .timing import Case, build_table, read_options, time_cases
from .workload import ROOT, build_prompt, render_project, write_event

PLAIN = str(ROOT / "benchmarks" / "plain_lesson_hook.py")
TEXT = (
    "When the build of the frontend runs out of memory, set NODE_OPTIONS in the CI's environment."
)
LESSONS = [{"text": TEXT * 3, "score": 0.87, "categories": ["devops/ci-cd"]}] * 3
CONTEXT = "## Relevant Lessons from Past Experience\n\n" + "\n".join(
    f"- **[devops/ci-cd]** (relevance: 87%): {lesson['text']}" for lesson in LESSONS
)

ASKED = build_prompt("Why does the build of the frontend fail in GitLab CI?")
NOTHING = build_prompt("Nothing is known of this")
SHORT = build_prompt("yes")
COMMAND = build_prompt("/review-pr 12")
ERROR = "Exit code 134\nFATAL ERROR: Reached heap limit: JavaScript heap out of memory"
FAILED = write_event("PostToolUseFailure", {"tool_name": "Bash", "error": ERROR})


def main() -> int:
    """Run the benchmark and print its table; return 1 if a limit is exceeded."""
    options = read_options(__doc__)
    with tempfile.TemporaryDirectory() as name, socket.create_server(("127.0.0.1", 0)) as server:
        os.environ["XDG_STATE_HOME"] = str(Path(name, "state"))
        threading.Thread(target=answer_all, args=(server,), daemon=True).start()
        cases = list_cases(Path(name), options.python, server.getsockname()[1])
        table, exceeded = build_table("", cases, time_cases(cases, options.rounds))
        report("lesson-hook", table, about=__doc__)
        return int(exceeded)


def answer_all(server: socket.socket) -> None:
    told = {"hookEventName": "UserPromptSubmit", "additionalContext": CONTEXT}
    answers = {
        (b"/hooks/", True): json.dumps({"hookSpecificOutput": told}, separators=(",", ":")),
        (b"/hooks/", False): "{}",
        (b"/api/que", True): json.dumps({"lessons": LESSONS}),
        (b"/api/que", False): json.dumps({"lessons": []}),
    }
    while True:
        connection, _ = server.accept()
        with connection:
            request = connection.recv(65_536)
            while not request.endswith(b"}"):
                request += connection.recv(65_536)
            path = b"/hooks/" if b"POST /hooks/" in request else b"/api/que"
            body = answers[path, b"Nothing is known" not in request].encode()
            head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n"
            connection.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)


def list_cases(folder: Path, python: str, port: int) -> list[Case]:
    isolated = [python, "-I", "-S"]

    def render(name: str, url: str) -> list[str]:
        hook = render_project(folder / name, "lesson_search", lesson_server_url=url)
        return [*isolated, str(hook)]

    with socket.create_server(("127.0.0.1", 0)) as free:
        nobody = free.getsockname()[1]
    private = find_socket(nobody + 1)
    private.parent.mkdir(mode=0o700, parents=True)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(private))
    listener.listen()
    threading.Thread(target=answer_all, args=(listener,), daemon=True).start()
    os.environ["LESSON_PORT"] = str(port)
    hook = render("up", f"http://127.0.0.1:{port}")
    own = render("own", f"http://127.0.0.1:{nobody + 1}")
    failure = [*own[:-1], str(Path(own[-1]).with_name("action_lessons.py"))]
    down = render("down", f"http://127.0.0.1:{nobody}")
    return [
        Case("floor: python3 -I -S -c pass", [*isolated, "-c", "pass"]),
        Case("skipped: a short prompt", hook, SHORT, limit=1.2),
        Case("skipped: a slash command", hook, COMMAND, limit=1.2),
        Case("three lessons", hook, ASKED, limit=1.6),
        Case("three lessons, by the Unix socket", own, ASKED, limit=1.6),
        Case("nothing found", hook, NOTHING, limit=1.6),
        Case("the server is down", down, ASKED, limit=1.6),
        Case("failed command: a lesson, by the Unix socket", failure, FAILED, limit=1.6),
        Case("import socket alone", [*isolated, "-c", "import socket"]),
        Case("plain hook: a short prompt", [python, PLAIN], SHORT),
        Case("plain hook: three lessons", [python, PLAIN], ASKED),
        Case("plain hook, -I -S: three lessons", [*isolated, PLAIN], ASKED),
    ]


if __name__ == "__main__":
    sys.exit(main())
