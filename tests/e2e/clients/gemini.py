"""Run the real Gemini CLI."""

import json
from pathlib import Path

from typing_extensions import Self

from ..model import Call
from ..protocols.contents import Contents
from .client import Client


class Gemini(Client):
    """A Gemini CLI with a separate home folder."""

    name = "gemini"
    program = ".bin/gemini"
    protocol = Contents

    @property
    def environment(self) -> dict[str, str]:
        return {**super().environment, "GEMINI_CLI_TRUST_WORKSPACE": "true"}

    def prepare(self) -> Self:
        super().prepare()
        settings = self.home / ".gemini" / "settings.json"
        settings.parent.mkdir()
        chosen = {"security": {"auth": {"selectedType": "gemini-api-key"}}}
        settings.write_text(json.dumps(chosen))
        return self

    def install_package(self, project: Path) -> bool:
        """Install the hooks with the client's own command; return True."""
        folder = str(project / "clients" / self.name)
        return self.install_by(("extensions", "install", folder, "--consent", "--skip-settings"))

    def ask(self, prompt: str, url: str) -> tuple[list[str], dict[str, str]]:
        return ["--yolo", "-p", prompt], {
            "GOOGLE_GEMINI_BASE_URL": url,
            "GEMINI_API_KEY": "none",
            "GEMINI_MODEL": "gemini-2.5-pro",
        }

    def search(self, query: str) -> Call:
        return Call("google_web_search", {"query": query})

    def fetch(self, url: str) -> Call:
        return Call("web_fetch", {"prompt": f"Summarise {url} please."})

    def choose_page(self, page: str) -> str:
        assert page
        return "https://8.8.8.8/known-page"

    def shell(self, command: str) -> Call:
        return Call("run_shell_command", {"command": command, "description": "Look"})

    def delegate(self, task: str) -> list[list[Call]]:
        return [[Call("invoke_agent", {"agent_name": "generalist", "prompt": task})]]
