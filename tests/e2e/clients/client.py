"""Run a real client against a fake model, isolated from the user's files and the network."""

import json
import os
import signal
import subprocess
import sys
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import tomlkit
from typing_extensions import Self

from hookwright.clients.dialects import FORMS
from hookwright.installer import client as clients

from ..model import MAIN_AGENT, Call, HookDecision, Json, Request, Script, ScriptedModel

TIMEOUT = 60  # seconds; a run takes between one and six
NOWHERE = "http://127.0.0.1:9"  # nothing listens on this port, so requests never reach the network


@dataclass(frozen=True)
class Conversation:
    """The client's messages to the model in one run, and the searches that reached the web.

    Args:
        main: The messages to the main agent after each of its turns.
        subagents: The same for each subagent.
        tasks: The first message to each subagent.
        web: The query of each search that reached the web, sorted.
        last: The main agent's last request as JSON, including all messages of the run.
        tools: The names of the tools in the first request, if the protocol lists them there.

    """

    main: tuple[HookDecision, ...]
    subagents: tuple[tuple[HookDecision, ...], ...]
    tasks: tuple[str, ...]
    web: tuple[str, ...]
    last: str
    tools: tuple[str, ...]

    @property
    def errors(self) -> list[list[bool]]:
        return [decision.errors for decision in self.main]

    @property
    def subagent_errors(self) -> list[list[list[bool]]]:
        return [[decision.errors for decision in turns] for turns in self.subagents]


@dataclass(frozen=True)
class Client(ABC):
    """A client with a separate home folder.

    Args:
        binary: The client's executable.
        home: The home folder, which contains every file the client writes; sessions run in its work
            folder.
        config: The client's configuration folder, or None for the default.
        options: Arguments appended to the command line of each run.

    """

    binary: Path
    home: Path
    config: "Path | None" = None
    options: tuple[str, ...] = ()

    name: ClassVar[str]
    program: ClassVar[str]  # the path pattern of the executable below node_modules
    protocol: ClassVar[type[Request]]

    @property
    def environment(self) -> dict[str, str]:
        home = str(self.home)
        return {
            "PATH": os.environ["PATH"],
            "HOME": home,
            "TMPDIR": home,
            "XDG_CACHE_HOME": f"{home}/.cache",
            "XDG_CONFIG_HOME": f"{home}/.config",
            "XDG_DATA_HOME": f"{home}/.local/share",
            "XDG_STATE_HOME": f"{home}/.local/state",
            "HTTP_PROXY": NOWHERE,
            "HTTPS_PROXY": NOWHERE,
            "NO_PROXY": "127.0.0.1",
        }

    @abstractmethod
    def ask(self, prompt: str, url: str) -> tuple[list[str], dict[str, str]]:
        """Return the arguments and environment of a session for one prompt.

        Args:
            prompt: The user's prompt.
            url: The address of the model.

        """

    def search(self, query: str) -> "Call | None":
        assert query
        return None

    def fetch(self, url: str) -> "Call | None":
        assert url
        return None

    def choose_page(self, page: str) -> str:
        return page

    @abstractmethod
    def shell(self, command: str) -> Call:
        """Return a shell command."""

    @abstractmethod
    def delegate(self, task: str) -> list[list[Call]]:
        """Return the turns of an agent that delegates a task to a subagent and waits for it."""

    def prepare(self) -> Self:
        (self.home / "work").mkdir(parents=True)
        return self

    def install(self, project: Path, *options: str) -> Self:
        subprocess.run(
            [sys.executable, str(project / "install.py"), "--client", self.name, *options],
            stdout=subprocess.DEVNULL,
            cwd=self.home / "work",
            env=self.environment,
            check=True,
        )
        return self

    def install_package(self, project: Path) -> bool:
        assert project
        return False

    def install_by(self, *commands: Sequence[str]) -> bool:
        """Run the client's commands, asserting that each succeeds; return True."""
        for arguments in commands:
            completed = self.run(*arguments)
            assert completed.returncode == 0, completed.stdout
        return True

    def connect(self, server: str, *command: str) -> None:
        form = FORMS[self.name]
        path = self.home / clients.CLIENTS[self.name].home / form.files[0]
        is_toml = path.suffix == ".toml"
        text = path.read_text() if path.exists() else "" if is_toml else "{}"
        held = tomlkit.parse(text).unwrap() if is_toml else json.loads(text)
        entry = form.write({"command": command[0], "args": [*command[1:]]})
        held.setdefault(form.holder, {})[server] = entry
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(tomlkit.dumps(held) if is_toml else json.dumps(held))

    def ask_server(self, tool: str, given: Json) -> Call:
        return Call(tool, given)

    def converse(
        self, *script: Sequence[Call], subagent_script: Script = (), prompt: str = "Go."
    ) -> Conversation:
        with ScriptedModel(self.protocol, script, subagent_script) as model:
            arguments, variables = self.ask(prompt, model.url)
            completed = self.run(*arguments, *self.options, **variables)
        assert completed.returncode == 0, completed.stdout
        return read_conversation(model.requests)

    def run(self, *arguments: str, **variables: str) -> "subprocess.CompletedProcess[str]":
        """Run the client; return its exit code, with stdout and stderr combined as stdout.

        Raises subprocess.TimeoutExpired after stopping the client and all its child processes.
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


def read_conversation(requests: Sequence[Request]) -> Conversation:
    decisions: dict[str, list[HookDecision]] = {MAIN_AGENT: []}
    for request in requests:
        if request.for_an_agent:
            decisions.setdefault(request.agent, []).append(request.told)
    main, *subagents = decisions.values()  # the first message of each is its task
    web = [request.told.notes for request in requests if request.for_the_web]
    own = [
        request.body for request in requests if request.for_an_agent and request.agent == MAIN_AGENT
    ]
    return Conversation(
        tuple(main[1:]),
        tuple(tuple(turns[1:]) for turns in subagents),
        tuple(turns[0].notes for turns in subagents),
        tuple(sorted(web)),
        json.dumps(own[-1], ensure_ascii=False),
        tuple(str(tool.get("name", "")) for tool in own[0].get("tools", ())),
    )
