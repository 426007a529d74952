"""Run the real opencode."""

import json
from pathlib import Path

from ..model import Call
from ..protocols.chat import Chat
from .client import NOWHERE, Client


class OpenCode(Client):
    """An opencode with a separate home folder."""

    name = "opencode"
    program = ".bin/opencode"
    protocol = Chat

    @property
    def environment(self) -> dict[str, str]:
        return {
            **super().environment,
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "OPENCODE_ENABLE_EXA": "1",  # enables web search
            # At each start, the client tries to install a package and waits for the result.
            "npm_config_fetch_retries": "0",
            "npm_config_registry": NOWHERE,
        }

    def ask(self, prompt: str, url: str) -> tuple[list[str], dict[str, str]]:
        provider = {
            "npm": "@ai-sdk/openai-compatible",
            "options": {"baseURL": f"{url}/v1", "apiKey": "none"},
            "models": {"fake": {}},
        }
        model = {"model": "fake/fake", "small_model": "fake/fake"}
        config = {"provider": {"fake": provider}, **model, "share": "disabled"}
        return ["run", prompt], {"OPENCODE_CONFIG_CONTENT": json.dumps(config)}

    def install_package(self, project: Path) -> bool:
        """Add the project's plugin file to the client's settings; return True."""
        settings = self.home / ".config" / "opencode" / "opencode.json"
        settings.parent.mkdir(parents=True)
        file = project / "clients" / self.name / "hookwright.js"
        settings.write_text(json.dumps({"plugin": [file.as_uri()]}))
        return True

    def search(self, query: str) -> Call:
        return Call("websearch", {"query": query})

    def fetch(self, url: str) -> Call:
        return Call("webfetch", {"url": url, "format": "text"})

    def shell(self, command: str) -> Call:
        return Call("bash", {"command": command, "description": "Look"})

    def delegate(self, task: str) -> list[list[Call]]:
        options = {"description": "Look it up", "subagent_type": "general"}
        return [[Call("task", {"prompt": task, **options})]]
