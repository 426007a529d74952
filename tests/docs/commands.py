"""Parse and run the commands in the documentation."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hookwright.cli.main import COMMAND_LINE as HOOKWRIGHT
from hookwright_console.commands import load_command
from lesson_search.cli.main import COMMAND_LINE as LESSON_SEARCH

from ..support.project import ROOT

PAGES = sorted((*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")))
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHELL, OTHERS = "sh", {"markdown", "text", "yaml"}
CONTINUED = re.compile(r"\\\n\s*|(?<=\|)\n\s*")
COMMENT = re.compile(r"\s{2,}# .*")
PROGRAMS = {"hookwright": HOOKWRIGHT, "lesson-search": LESSON_SEARCH}

PACKAGES, MAKE, ENDLESS, ELSEWHERE, FILLED, SERVICE = (
    "it installs packages of an index that is out of reach",
    ".ci/run runs this target",
    "it runs until it is ended",
    "it needs a server on the internet; tests have one on the loopback interface",
    "it has a place for what the reader has",
    "it changes a service of the system",
)
# Commands that no test runs exactly as documented, with the reason.
UNRUN = {
    "pipx install --force '.[server]'": PACKAGES,
    "pipx install '.[docs]'": PACKAGES,
    "python3 -m pip install pytest": PACKAGES,
    "make demo": MAKE,
    "make e2e": MAKE,
    "mytool --help | hookwright setup mytool -": FILLED,
    "hookwright setup --stack": ELSEWHERE,
    "hookwright setup flask": ELSEWHERE,
    "hookwright setup acme https://git.acme.example/docs.git --prefix guide/": ELSEWHERE,
    "hookwright setup acme https://docs.acme.example/llms-full.txt": ELSEWHERE,
    "hookwright setup acme ./devdocs/acme": FILLED,
    "hookwright share push acme ghcr.io/acme/docs:1": ELSEWHERE,
    "hookwright share pull acme ghcr.io/acme/docs:1": ELSEWHERE,
    "export HOOKWRIGHT_DOCS_TOKEN=...": FILLED,
    "hookwright connect https://docs.team.example": ELSEWHERE,
    "hookwright try --corpus transcripts": "it reads the past sessions of a client",
    "lesson-search serve": ENDLESS,
    "lesson-search serve --min-score 0.4": ENDLESS,
    "lesson-search service install": SERVICE,
    "lesson-search service remove": SERVICE,
    "lesson-search inbox approve 0074d494 --category devops/docker": FILLED,
    "lesson-search inbox never 1b2c3d4e": FILLED,
    "copier update --defaults --ask databases": "it opens an editor",
    "copier update --defaults -d 'databases=[{...}, {...}]'": FILLED,
}
ANSWERS = "answers.yml"  # the example's answers with a different project name
START = f"hookwright new my-hooks --data-file {ANSWERS} --no-install --yes"
DATABASE = "hookwright add database --tool mcp__a__b --path /go --description Go --yes --keyword"
SET_UP = "hookwright setup acme site --prefix https://docs.acme.example/guide/ --yes"
COMMIT = "git add . && git commit --message Change"
# Set-up before page commands that start with this text, to create the state that the page assumes.
BEFORE = {
    ("lessons.md", "lesson-search add --project"): "git init --quiet",
    ("matching.md", "hookwright tune go"): f"{START} && cd my-hooks && {DATABASE} go",
    ("sharing.md", "hookwright share export acme"): f"{SET_UP} --license MIT",
    ("sharing.md", "hookwright refresh"): SET_UP,  # because no database was pulled
    ("sharing.md", "hookwright share import"): (
        "hookwright remove acme --project ~/my-hooks --yes && rm -r ~/my-hooks"
    ),
    ("sharing.md", "hookwright add --from"): (
        f"cd ~/my-hooks && cp {ROOT}/examples/routes/github.yml ../catalogue.yml"
    ),
    ("testing.md", "hookwright try 'how"): f"{START} && cd my-hooks",
    ("troubleshooting.md", "hookwright doctor"): (
        f"{START} && cd my-hooks && hookwright install --yes"
    ),
    ("troubleshooting.md", "hookwright docs search"): SET_UP.replace(" site", " ../site"),
    ("copier.md", "copier copy"): (
        "mkdir -p alone/checkout && cp *.yml alone && cd alone/checkout"
    ),
    ("copier.md", "copier update --defaults -d 'hooks=[docsearch, "): COMMIT,
    ("copier.md", "copier update --defaults -d 'hooks=[docsearch]"): COMMIT,
}
# Extra arguments that keep commands from asking questions.
GIVEN = {
    "hookwright new my-hooks": f"--data-file {ANSWERS} --no-install",
}
# The allowed exit codes of commands that may return a code other than 0.
CODES = {
    "hookwright doctor": {0, 1},  # no lesson server runs, and the client is not installed
    "hookwright doctor --time-limit 30": {0, 1},
    "hookwright sync --check": {0, 1},
}


def read_commands(page: Path) -> list[str]:
    return [
        COMMENT.sub("", line)
        for language, block in FENCE.findall(page.read_text("utf-8"))
        if language == SHELL
        for line in CONTINUED.sub(" ", block).splitlines()
    ]


def list_languages(page: Path) -> set[str]:
    return {language for language, _ in FENCE.findall(page.read_text("utf-8"))}


def split_calls(command: str) -> Iterator[list[str]]:
    for part in re.split(r" (?:&&|\|) ", command):
        words = shlex.split(part)
        if words and words[0] in PROGRAMS:
            yield words


def find_command(words: list[str]) -> tuple[Any, list[str]]:
    rest = words[1:]
    if rest[0] == "--embedder":  # an option of the main command
        rest = rest[2:]
    command, rest = load_command(PROGRAMS[words[0]], rest[0]), rest[1:]
    while rest and rest[0] in getattr(command, "commands", {}):
        command, rest = command.commands[rest[0]], rest[1:]
    return command, rest


def asks(command: str) -> bool:
    return any(
        parameter.name == "yes"
        for words in split_calls(command)
        for parameter in find_command(words)[0].params
    )
