"""Run the real Qwen Code."""

from pathlib import Path

from ..model import Call
from ..protocols.chat import Chat
from .client import Client


class Qwen(Client):
    """A Qwen Code with a separate home folder."""

    name = "qwen"
    program = ".bin/qwen"
    protocol = Chat

    def install_package(self, project: Path) -> bool:
        """Install the hooks with the client's own command; return True."""
        folder = str(project / "clients" / self.name)
        return self.install_by(("extensions", "install", folder, "--consent"))

    def ask(self, prompt: str, url: str) -> tuple[list[str], dict[str, str]]:
        return ["--approval-mode", "yolo", "-p", prompt], {
            "OPENAI_BASE_URL": f"{url}/v1",
            "OPENAI_API_KEY": "none",
            "OPENAI_MODEL": "fake",
        }

    def fetch(self, url: str) -> Call:
        return Call("web_fetch", {"url": url, "prompt": "Summarise."})

    def shell(self, command: str) -> Call:
        options = {"description": "Look", "is_background": False}
        return Call("run_shell_command", {"command": command, **options})

    def delegate(self, task: str) -> list[list[Call]]:
        options = {"description": "Look it up", "subagent_type": "general-purpose"}
        return [[Call("agent", {"prompt": task, **options})]]
