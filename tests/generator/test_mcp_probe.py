"""MCP servers are queried for their tools, even if they misbehave."""

import os
import sys
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from hookwright.clients.claude.mcp_servers import McpServer, Tool
from hookwright.mcp_probe import probe_servers

from ..support.loopback_server import LoopbackServer
from ..support.project import ROOT

TIME_LIMIT = 3  # seconds; a busy machine can start all servers of a test in this time
LEANN_SHAPED = ROOT / "tests" / "support" / "fake_leann.py"
FETCH = ROOT / "tests" / "support" / "fake_fetch_server.py"
NOISY = f"""
import runpy, sys
print("Welcome!", flush=True)
runpy.run_path({str(FETCH)!r}, run_name="__main__")
"""

OTHERWISE = """
import json
answer = {"capabilities": {}, "serverInfo": {"name": "x", "version": "1"}}
print(json.dumps({"jsonrpc": "2.0", "id": json.loads(input())["id"], "result": answer}), flush=True)
input()
"""


@pytest.fixture(autouse=True)
def _ended_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    # By default, the client waits several seconds for a server that does not exit.
    for name in ("PROCESS_TERMINATION_TIMEOUT", "FORCE_KILL_TIMEOUT"):
        monkeypatch.setattr(f"mcp.client.stdio.{name}", 0.5)


def python(name: str, *args: str, **env: str) -> McpServer:
    path = Path(".claude.json")
    return McpServer(name, "user", path, command=sys.executable, args=args, env=env)


def test_tools_and_arguments_are_read() -> None:
    (answer,) = probe_servers([python("leann", str(LEANN_SHAPED))]).values()
    assert answer.fault == ""
    assert [tool.name for tool in answer.tools] == [
        *("leann_search", "leann_list", "leann_build", "leann_status")
    ]
    arguments = ("index_name", "query", "top_k", "complexity")
    assert answer.tools[0] == Tool("leann_search", arguments, ("index_name", "query"))


def test_servers_are_queried_concurrently() -> None:
    """In total, the queries take only as long as the slowest one."""
    servers = [
        python("hung", "-c", "import time; time.sleep(60)"),
        python("silent", "-c", "import sys; sys.stdin.read()"),
        python("crashing", "-c", "import sys; sys.exit('no such index\\n\\n')"),
        python("gone", "-c", ""),
        python(
            "noise",
            "-c",
            "print('hello', flush=True); input(); input()\nimport time; time.sleep(60)",
        ),
        python(
            "binary", "-c", "import sys; sys.stdout.buffer.write(b'\\xff\\n'); input(); input()"
        ),
        python("null", "\0"),
        python("halves", "\ud800"),
        python("otherwise", "-c", OTHERWISE),
        python("well", str(FETCH)),
        McpServer("missing", "user", Path(), command="/no/such/server"),
        McpServer("odd", "user", Path(), kind="ws", url="ws://127.0.0.1:9"),
        McpServer("refused", "user", Path(), kind="http", url="http://127.0.0.1:9/mcp"),
        McpServer("refused-sse", "user", Path(), kind="sse", url="http://127.0.0.1:9/sse"),
        McpServer("address", "user", Path(), kind="http", url="nonsense"),
    ]
    progress: list[tuple[int, int]] = []
    begun = time.monotonic()
    answers = probe_servers(servers, TIME_LIMIT, lambda done, total: progress.append((done, total)))
    assert time.monotonic() - begun < 40
    assert progress == [(done, len(servers)) for done in range(len(servers) + 1)]
    assert [tool.name for tool in answers.pop("well").tools] == ["fetch"]
    assert answers.pop("address").fault.startswith("cannot be reached at nonsense: ")
    refused = answers.pop("refused").fault
    assert refused.startswith("cannot be reached at http://127.0.0.1:9/mcp: ")
    assert "check" not in refused
    assert answers.pop("refused-sse").fault.startswith("cannot be reached at http://127.0.0.1:9/s")
    assert {name: answer.fault for name, answer in answers.items()} == {
        "hung": f"did not respond within {TIME_LIMIT} s",
        "silent": f"did not respond within {TIME_LIMIT} s",
        "crashing": "exits before it answers; it says: no such index",
        "gone": "exits before it answers",
        "noise": f"did not respond within {TIME_LIMIT} s; it prints something that is not MCP",
        "binary": "prints bytes that are not text",
        "null": "embedded null byte",
        "halves": "is configured with characters that no program accepts",
        "otherwise": "1 validation error for InitializeResult protocolVersion Field required",
        "missing": "does not start (/no/such/server: No such file or directory)",
        "odd": "has the type ws, which only the client can reach",
    }


def test_server_greeting_is_tolerated() -> None:
    (answer,) = probe_servers([python("noisy", "-c", NOISY)]).values()
    assert [tool.name for tool in answer.tools] == ["fetch"]


def test_server_gets_the_environment_and_its_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OURS", "1")
    code = "import os, sys; sys.exit(os.environ['OURS'] + os.environ['ITS'])"
    (answer,) = probe_servers([python("s", "-c", code, ITS="2")]).values()
    assert answer.fault.endswith("it says: 12")


@pytest.mark.skipif(os.name != "posix", reason="process groups are POSIX")
def test_server_is_terminated_with_its_children(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    code = (
        "import subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        f"open({str(pid)!r}, 'w').write(str(child.pid))\nchild.wait()"
    )
    probe_servers([python("parent", "-c", code)], 1.5)
    deadline = time.monotonic() + 5
    while is_alive(int(pid.read_text())):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
        status = Path(f"/proc/{process}/stat")
        return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


class _Refusing(BaseHTTPRequestHandler):
    """Rejects requests without the token."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        known = self.headers.get("Authorization") == "Bearer t"
        self.send_response(200 if known else 401)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<html>")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as in http.server
        """Suppress logging."""


@pytest.fixture
def refusing() -> Iterator[str]:
    with LoopbackServer(_Refusing) as server:
        yield server.url


@pytest.mark.parametrize(
    ("token", "fault", "way_out"),
    [
        ("", "needs a token at {url} (status 401)", "ask its owner"),
        ("Bearer x", "rejects the token at {url} (status 401)", "ask its owner"),
        ("Bearer ${TOKEN}", "needs a token", "set the variable TOKEN"),
        ("Bearer t", "cannot be reached at {url}: ", ""),
    ],
)
def test_other_web_server_is_reported(refusing: str, token: str, fault: str, way_out: str) -> None:
    headers = {"Authorization": token} if token else {}
    server = McpServer("web", "user", Path(), kind="http", url=refusing, headers=headers)
    (answer,) = probe_servers([server]).values()
    assert answer.fault.startswith(fault.format(url=refusing))
    assert answer.way_out == way_out
