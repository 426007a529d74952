"""Run the real Codex."""

from pathlib import Path

from ..model import Call, Json
from ..protocols.responses import Responses
from .client import Client


class Codex(Client):
    """A Codex with a separate home folder that trusts all hooks."""

    name = "codex"
    program = "@openai/codex-*/vendor/*/bin/codex*"
    protocol = Responses

    def install_package(self, project: Path) -> bool:
        """Install the hooks with the client's own command; return True."""
        add = ("plugin", "marketplace", "add", str(project / "clients" / self.name))
        return self.install_by(add, ("plugin", "add", "my-hooks@my-hooks"))

    def ask(self, prompt: str, url: str) -> tuple[list[str], dict[str, str]]:
        provider = (
            f'{{name="fake",base_url="{url}/v1",wire_api="responses",env_key="FAKE_KEY",'
            "requires_openai_auth=false}"
        )
        options = ["--skip-git-repo-check", "--dangerously-bypass-hook-trust"]
        options += ["--dangerously-bypass-approvals-and-sandbox"]
        options += ["-c", 'model_provider="fake"', "-c", f"model_providers.fake={provider}"]
        return ["exec", *options, prompt], {"FAKE_KEY": "none"}

    def shell(self, command: str) -> Call:
        return Call("exec_command", {"cmd": command})

    def ask_server(self, tool: str, given: Json) -> Call:
        return Call(".".join(tool.rsplit("__", 1)), given)

    def delegate(self, task: str) -> list[list[Call]]:
        spawn = {"task_name": "look", "message": task, "fork_turns": "none"}
        return [
            [Call("collaboration.spawn_agent", spawn)],
            [Call("collaboration.wait_agent", {"timeout_ms": 30_000})],
        ]
