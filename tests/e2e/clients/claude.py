"""Run the real Claude Code."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from typing_extensions import Self

from ..model import Call
from ..protocols.messages import Messages
from .client import NOWHERE, Client

# Tools that the client runs without asking for permission.
ALLOWED_TOOLS = "Agent,Bash,WebFetch,WebSearch,mcp__team-docs"

DELEGATE = Call(
    "Agent",
    {
        "description": "Look it up",
        "prompt": "Look up how GitLab caches.",
        "subagent_type": "general-purpose",
        "run_in_background": False,
    },
)


class Claude(Client):
    """A Claude Code with a separate home folder."""

    name = "claude"
    program = "@anthropic-ai/claude-code-*/claude*"
    protocol = Messages

    @property
    def environment(self) -> dict[str, str]:
        return {
            **super().environment,
            **({"CLAUDE_CONFIG_DIR": str(self.config)} if self.config else {}),
            "ANTHROPIC_API_KEY": "none",
            "ANTHROPIC_BASE_URL": NOWHERE,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_TELEMETRY": "1",
            "MCP_CONNECT_TIMEOUT_MS": "50000",  # to allow for startup on a busy machine
        }

    def install_package(self, project: Path) -> bool:
        """Install the hooks with the client's own command; return True."""
        self.install_plugin(project)
        return True

    def ask(self, prompt: str, url: str) -> tuple[list[str], dict[str, str]]:
        return ["-p", prompt, "--allowedTools", ALLOWED_TOOLS], {"ANTHROPIC_BASE_URL": url}

    def search(self, query: str) -> Call:
        return Call("WebSearch", {"query": query})

    def fetch(self, url: str) -> Call:
        return Call("WebFetch", {"url": url, "prompt": "Summarise."})

    def shell(self, command: str) -> Call:
        return Call("Bash", {"command": command, "description": "Look"})

    def connect(self, server: str, *command: str) -> None:
        completed = self.run("mcp", "add", "--scope", "user", server, "--", *command)
        assert completed.returncode == 0, completed.stdout

    def delegate(self, task: str) -> list[list[Call]]:
        return [[Call("Agent", {**DELEGATE.input, "prompt": task})]]

    def load_plugin(self, project: Path) -> Self:
        return replace(self, options=("--plugin-dir", str(project)))

    def install_plugin(self, project: Path) -> Self:
        for arguments in (["marketplace", "add", str(project)], ["install", "my-hooks@my-hooks"]):
            completed = self.run("plugin", *arguments)
            assert completed.returncode == 0, completed.stdout
        return self

    def install_settings(self, project: Path, *options: str) -> Self:
        subprocess.run(
            [sys.executable, str(project / "install.py"), *options],
            stdout=subprocess.DEVNULL,
            cwd=self.home / "work",
            env=self.environment,
            check=True,
        )
        return self


WAYS = {"plugin": Claude.load_plugin, "settings": Claude.install_settings}
