"""The documented commands run as written."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ..support.acme_documentation import TOPICS, write_site
from ..support.command_line import HOOKWRIGHT
from ..support.documentation_site import Answer, Site, serving
from ..support.project import ROOT
from .commands import (
    ANSWERS,
    BEFORE,
    CODES,
    GIVEN,
    OTHERS,
    PAGES,
    SHELL,
    UNRUN,
    asks,
    find_command,
    list_languages,
    read_commands,
    split_calls,
)

COMMANDS = {page: read_commands(page) for page in PAGES}
LESSON = """## Lesson: Copy the lock file first
categories: devops/docker

The build cache is lost by COPY . before npm ci.
"""
MANUAL = "man:git,git-*"  # from the README; the tests can build only a part of it
DENIAL = re.compile(r"^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TRIED = "hookwright try 'git bisect run"  # prints the denial shown in the README
SEARCH = '"tool_name": "WebSearch"'  # occurs in events that docsearch denies
FORKED, SHELL_SYNTAX = {"copier", "hookwright", "lesson-search"}, set("&|;<>$`*")
QUESTION = '{"prompt": "why is the docker build cache lost", "wanted": []}\n'


def test_every_block_declares_its_kind() -> None:
    for page in PAGES:
        assert list_languages(page) <= {SHELL, *OTHERS}


def test_options_match_the_command() -> None:
    for page in PAGES:
        for command in COMMANDS[page]:
            for words in split_calls(command):
                called, rest = find_command(words)
                context = called.context_class(called, info_name=words[0])
                _, _, order = called.make_parser(context).parse_args(list(rest))
                assert order or not rest, words


def test_list_of_skipped_commands_is_current() -> None:
    every = {command for commands in COMMANDS.values() for command in commands}
    assert set(UNRUN) | set(GIVEN) | set(CODES) <= every
    for name, beginning in BEFORE:
        (page,) = (page for page in PAGES if page.name == name)
        assert any(command.startswith(beginning) for command in COMMANDS[page])


@pytest.mark.long
@pytest.mark.parametrize(
    "page", [page for page in PAGES if set(COMMANDS[page]) - set(UNRUN)], ids=lambda page: page.name
)
def test_page_commands_work(page: Path, repository: Path, tmp_path: Path) -> None:
    if MANUAL in " ".join(COMMANDS[page]) and not has_manual():
        pytest.skip("git's manual pages are not installed")
    work = tmp_path / "home" / "work"
    work.mkdir(parents=True)
    write_site(work / "site")
    (work / "lessons.md").write_text(LESSON)
    (work / "questions.jsonl").write_text(QUESTION)
    example = (ROOT / "examples" / "devops.yml").read_text()
    (work / ANSWERS).write_text(
        example.replace("project_name: devops-hooks", "record_blocks: true")
    )
    (work / "requirements.txt").write_text("flask==3.1.2\n")
    shutil.copy(ROOT / "examples" / "routes" / "github.yml", work / "routes.yml")
    shutil.copy(ROOT / "examples" / "python-data.yml", work / "databases.yml")
    pages = {
        f"/{name}.html": Answer((work / "site" / f"{name}.html").read_bytes()) for name in TOPICS
    }
    with serving(Site({**pages, "/": pages["/install.html"]})) as site:
        places = {
            "examples/devops.yml": str(ROOT / "examples" / "devops.yml"),
            "/absolute/path/to/hookwright": str(repository),
            "setup flask https://flask.palletsprojects.com/": f"setup flask {site.url}",
            "setup acme https://docs.acme.example/guide/": f"setup acme {site.url}",
            MANUAL: "man:git,git-bisect",
        }
        typed = Typist(work)
        left = {start: before for (name, start), before in BEFORE.items() if name == page.name}
        for command in COMMANDS[page]:
            if command in UNRUN:
                continue
            for beginning in [start for start in left if command.startswith(start)]:
                for before in left.pop(beginning).split(" && "):
                    typed.run(before, {0})
            words = [command, GIVEN.get(command, ""), "--yes" if asks(command) else ""]
            line = " ".join(filter(None, words))
            for place, other in places.items():
                line = line.replace(place, other)
            printed = typed.run(line, {2} if SEARCH in line else CODES.get(command, {0}))
            assert SEARCH not in line or '"deny"' in printed
            if command.startswith(TRIED):
                check_denial(page, printed)


def has_manual() -> bool:
    man = shutil.which("man")
    return man is not None and not subprocess.run([man, "-w", "git-bisect"], check=False).returncode


def check_denial(page: Path, printed: str) -> None:
    """Check that a command printed the denial shown on the page, except for the git version."""
    (shown,) = DENIAL.findall(page.read_text("utf-8"))
    words = re.split(r"\s+", re.sub(r"==== \w{8}", "==== MARK", shown).strip())
    parts = " ".join(words).split(" ...")
    pattern = ".*".join(re.escape(part.strip()).replace("MARK", r"\w{8}") for part in parts)
    denial = re.sub(r"Git [\d.]+ documentation", "Git documentation", " ".join(printed.split()))
    assert re.search(pattern, denial), denial


class Typist:
    """Runs each command in a new process, in the folder where the previous command ended.

    A shell runs it, unless it is a single call of one of our programs: forks of an interpreter
    that has imported their modules start ten times as fast.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {
            **{name: value for name, value in os.environ.items() if "HOOKWRIGHT" not in name},
            "HOME": str(folder.parent),
            "EDITOR": "true",
            "NO_COLOR": "1",
            "VIRTUAL_ENV": sys.prefix,
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        }

    def run(self, command: str, codes: set[int]) -> str:
        """Run a command, check its exit code, and return its output."""
        completed = self._fork(command) or self._type(command)
        assert completed.returncode in codes, (command, completed.stdout, completed.stderr)
        return completed.stdout.decode()

    def _fork(self, command: str) -> "subprocess.CompletedProcess[bytes] | None":
        words = shlex.split(command)
        if words[0] not in FORKED or SHELL_SYNTAX & set(command):
            return None
        home = self.environment["HOME"]
        words = [re.sub("^~(?=/)", lambda _: home, word) for word in words]
        words[0] = str(Path(sys.executable).with_name(words[0]))
        return HOOKWRIGHT.run(words, b"", self.environment, self.folder)

    def _type(self, command: str) -> "subprocess.CompletedProcess[bytes]":
        where = self.folder.parent / "where"
        completed = subprocess.run(
            ["bash", "-c", f"{command}\ncode=$?; pwd > {shlex.quote(str(where))}; exit $code"],  # noqa: S607
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        self.folder = Path(where.read_text().strip())
        return completed
