"""Drive hookwright at a pseudo-terminal, for the tests."""

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pexpect

ENTER, UP, DELETE, CTRL_C = "\r", "\x1b[A", "\b", "\x03"
PATIENCE = 60  # seconds; the machine of whoever runs the tests may be busy
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
PROMPT_END = r"(?:> |\] |\A )\Z"
BLANK = rf"(?:\s|{ESCAPE.pattern})+"


class Terminal:
    """A command that talks to a user."""

    def __init__(self, spawned: "pexpect.spawn[str]") -> None:
        self._spawned = spawned
        self.output = ""

    def see(self, text: str) -> None:
        self._spawned.expect(BLANK.join(map(re.escape, text.split())))
        self._keep()
        self.output += text

    def answer(self, question: str, keys: str = ENTER) -> None:
        self.see(question)
        if keys == CTRL_C:  # is lost on a readline that does not wait for it yet
            self._spawned.expect(PROMPT_END)
            self._keep()
        self._spawned.send(keys)

    def end(self) -> int:
        self._spawned.expect(pexpect.EOF)
        self._keep()
        self._spawned.close()
        assert self._spawned.exitstatus is not None
        return int(self._spawned.exitstatus)

    def _keep(self) -> None:
        self.output += ESCAPE.sub("", self._spawned.before or "").replace("\r", "")


@contextmanager
def open_terminal(*words: str | Path, folder: Path) -> Iterator[Terminal]:
    """Yield a terminal in which hookwright runs in a folder; it is ended at the end."""
    with pexpect.spawn(
        sys.executable,
        ["-m", "hookwright", *map(str, words)],
        cwd=str(folder),
        encoding="utf-8",
        env={
            **os.environ,
            "TERM": "xterm",
        },
        dimensions=(40, 80),
        timeout=PATIENCE,
    ) as spawned:
        # Each question is waited for, so that no key comes too early and nothing has to settle.
        spawned.delaybeforesend = None
        spawned.delayafterclose = spawned.delayafterterminate = 0.01
        yield Terminal(spawned)
