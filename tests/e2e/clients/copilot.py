"""Run the real Copilot."""

from pathlib import Path

from ..model import Call
from ..protocols.chat import Chat
from .client import Client


class Copilot(Client):
    """A Copilot with a separate home folder."""

    name = "copilot"
    program = ".bin/copilot-*"
    protocol = Chat

    def install_package(self, project: Path) -> bool:
        """Install the hooks with the client's own command; return True."""
        add = ("plugin", "marketplace", "add", str(project / "clients" / self.name))
        return self.install_by(add, ("plugin", "install", "my-hooks@my-hooks"))

    def ask(self, prompt: str, url: str) -> tuple[list[str], dict[str, str]]:
        return ["--allow-all-tools", "--allow-all-urls", "-p", prompt], {
            "COPILOT_PROVIDER_BASE_URL": f"{url}/v1",
            "COPILOT_PROVIDER_TYPE": "openai",
            "COPILOT_PROVIDER_API_KEY": "none",
            "COPILOT_MODEL": "fake",
        }

    def search(self, query: str) -> Call:
        return Call("web_search", {"query": query})

    def fetch(self, url: str) -> Call:
        return Call("web_fetch", {"url": url})

    def shell(self, command: str) -> Call:
        return Call("bash", {"command": command, "description": "Look"})

    def delegate(self, task: str) -> list[list[Call]]:
        return [
            [
                Call(
                    "task",
                    {
                        "description": "Look it up",
                        "prompt": task,
                        "agent_type": "general-purpose",
                        "name": "look",
                        "mode": "sync",
                    },
                )
            ]
        ]
