"""Run the real Claude Code against a fake model, far from the user's files and the network."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from .model import MAIN_AGENT, Call, Request, Script, ScriptedModel, Told

TIMEOUT = 60  # seconds; a run takes one or two
ALLOWED_TOOLS = "Agent,Bash,WebFetch,WebSearch"  # which the client runs without asking


@dataclass(frozen=True)
class Conversation:
    """What the client told the model in one run, and which searches reached the web.

    Args:
        main: What the main agent was told after each of its turns.
        subagents: The same for each subagent.
        web: What the web was asked in each search that reached it, sorted.
        last: The last request for the main agent as JSON, with all that it was told in the run.

    """

    main: tuple[Told, ...]
    subagents: tuple[tuple[Told, ...], ...]
    web: tuple[str, ...]
    last: str

    @property
    def errors(self) -> list[list[bool]]:
        """Which calls of each turn of the main agent failed, be it that they were denied."""
        return [told.errors for told in self.main]

    @property
    def subagent_errors(self) -> list[list[list[bool]]]:
        """The same for each subagent."""
        return [[told.errors for told in turns] for turns in self.subagents]


@dataclass(frozen=True)
class Client:
    """A Claude Code that has a home of its own.

    Args:
        binary: The client's executable.
        home: The home folder, which all that is written stays in; sessions run in its work folder.
        config: The client's configuration folder, or None for the one it takes by itself.
        options: What the command line of each run ends with.

    """

    binary: Path
    home: Path
    config: "Path | None" = None
    options: tuple[str, ...] = ()

    @property
    def environment(self) -> dict[str, str]:
        """All the environment that the client gets, in which nothing leads to the user's files."""
        home = str(self.home)
        nowhere = "http://127.0.0.1:9"  # nobody listens there, so that nothing reaches the network
        return {
            **({"CLAUDE_CONFIG_DIR": str(self.config)} if self.config else {}),
            "PATH": os.environ["PATH"],
            "HOME": home,
            "TMPDIR": home,
            "XDG_CACHE_HOME": f"{home}/.cache",
            "XDG_CONFIG_HOME": f"{home}/.config",
            "XDG_DATA_HOME": f"{home}/.local/share",
            "XDG_STATE_HOME": f"{home}/.local/state",
            "ANTHROPIC_API_KEY": "none",
            "ANTHROPIC_BASE_URL": nowhere,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_TELEMETRY": "1",
            "HTTP_PROXY": nowhere,
            "HTTPS_PROXY": nowhere,
            "NO_PROXY": "127.0.0.1",
        }

    def load_plugin(self, project: Path) -> "Client":
        """Return the client with the project as its plugin, which it runs where it is."""
        return replace(self, options=("--plugin-dir", str(project)))

    def install_plugin(self, project: Path) -> "Client":
        """Install the project as a plugin from the marketplace that it is, too."""
        for arguments in (["marketplace", "add", str(project)], ["install", "my-hooks@my-hooks"]):
            done = self.run("plugin", *arguments)
            assert done.returncode == 0, done.stdout
        return self

    def install_settings(self, project: Path, *options: str) -> "Client":
        """Install the hooks by the project's own installer, into the settings."""
        subprocess.run(
            [sys.executable, str(project / "install.py"), *options],
            stdout=subprocess.DEVNULL,
            cwd=self.home / "work",
            env=self.environment,
            check=True,
        )
        return self

    def converse(
        self, *script: Sequence[Call], subagent_script: Script = (), prompt: str = "Go."
    ) -> Conversation:
        """Run a session in which the model makes the calls of a script, one argument a turn."""
        options = ["-p", prompt, "--allowedTools", ALLOWED_TOOLS, *self.options]
        with ScriptedModel(script, subagent_script) as model:
            done = self.run(*options, ANTHROPIC_BASE_URL=model.url)
        assert done.returncode == 0, done.stdout
        return read_conversation(model.requests)

    def run(self, *arguments: str, **variables: str) -> "subprocess.CompletedProcess[str]":
        """Run the client, and return its exit code and all that it printed as its stdout.

        Raises subprocess.TimeoutExpired, having ended the client and all that it started.
        """
        with subprocess.Popen(
            [str(self.binary), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=self.home / "work",
            env={**self.environment, **variables},
            start_new_session=True,
        ) as process:
            try:
                stdout, _ = process.communicate(timeout=TIMEOUT)
            except BaseException:
                os.killpg(process.pid, signal.SIGKILL)
                raise
        return subprocess.CompletedProcess(process.args, process.returncode, stdout)


WAYS = {"plugin": Client.load_plugin, "settings": Client.install_settings}


def read_conversation(requests: Sequence[Request]) -> Conversation:
    """Return what the requests of a run told the model."""
    told: dict[str, list[Told]] = {MAIN_AGENT: []}
    for request in requests:
        if request.for_an_agent:
            told.setdefault(request.agent, []).append(request.told)
    main, *subagents = (tuple(turns[1:]) for turns in told.values())  # the first is the task
    web = [request.told.notes for request in requests if request.for_the_web]
    last = [
        request.body for request in requests if request.for_an_agent and request.agent == MAIN_AGENT
    ][-1]
    return Conversation(
        main, tuple(subagents), tuple(sorted(web)), json.dumps(last, ensure_ascii=False)
    )
