"""Drive hookwright at a pseudo-terminal."""

import fcntl
import os
import re
import struct
import termios
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pexpect
from pexpect.fdpexpect import fdspawn

from .command_line import HOOKWRIGHT, PROGRAM
from .forked_scripts import Forks

SIZE = 40, 80  # lines and columns
ENTER, UP, DELETE, CTRL_C = "\r", "\x1b[A", "\b", "\x03"
PATIENCE = 60  # seconds; the machine that runs the tests may be busy
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
PROMPT_END = r"(?:> |\] |\A )\Z"
BLANK = rf"(?:\s|{ESCAPE.pattern})+"


class Terminal:
    """A command running at a pseudo-terminal."""

    def __init__(self, spawned: "fdspawn[str]", wait: Callable[[], int]) -> None:
        self._spawned = spawned
        self._wait = wait
        self.output = ""

    def see(self, text: str) -> None:
        self._spawned.expect(BLANK.join(map(re.escape, text.split())))
        self._keep()
        self.output += text

    def answer(self, question: str, keys: str = ENTER) -> None:
        self.see(question)
        if keys == CTRL_C:  # readline loses Ctrl-C unless it is already waiting
            self._spawned.expect(PROMPT_END)
            self._keep()
        self._spawned.send(keys)

    def end(self) -> int:
        self._spawned.expect(pexpect.EOF)
        self._keep()
        return self._wait()

    def _keep(self) -> None:
        self.output += ESCAPE.sub("", self._spawned.before or "").replace("\r", "")


@contextmanager
def open_terminal(
    *words: str | Path, folder: Path, forks: Forks = HOOKWRIGHT
) -> Iterator[Terminal]:
    """Run hookwright in a folder, yield its terminal, and stop hookwright afterwards."""
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", *SIZE, 0, 0))
    environment = {**os.environ, "TERM": "xterm"}
    try:
        wait = forks.start([PROGRAM, *map(str, words)], [theirs] * 3, environment, folder)
    finally:
        os.close(theirs)
    spawned = fdspawn(ours, timeout=PATIENCE, encoding="utf-8")
    assert wait, "the environment is not the one that Python was started with"
    try:
        yield Terminal(spawned, wait)
    finally:
        spawned.close()
