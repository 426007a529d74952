"""Run lesson-search and hookwright, in a separate process or in the test process."""

import io
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from .forked_scripts import Forks

COLUMNS = "200"
COMMAND = (sys.executable, "-m", "lesson_search")
HOOKWRIGHT = Forks(prepare="tests.support.warm_hookwright")
PROGRAM = str(Path(sys.executable).with_name("hookwright"))


@dataclass(frozen=True)
class Ended:
    """The outcome of a command."""

    code: int
    output: str
    errors: str


class CommandLine:
    """Runs commands in this process, which has already imported the necessary modules."""

    def __init__(
        self,
        folder: Path,
        begin: Callable[[], int],
        words: Sequence[str],
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        self.folder = folder
        self._begin = begin
        self._words = words
        self._monkeypatch = monkeypatch
        self._capsys = capsys

    def run(self, *words: str | Path, given: bytes = b"") -> Ended:
        """Run a command.

        Args:
            words: Arguments after the program's name and the initial arguments.
            given: Text on standard input, which is not a terminal.

        """
        argv = [*self._words, *map(str, words)]
        with self._monkeypatch.context() as patch:
            patch.setattr(sys, "argv", argv)
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
            patch.setenv("COLUMNS", COLUMNS)
            self._capsys.readouterr()
            code = self._begin()
        captured = self._capsys.readouterr()
        return Ended(code, captured.out, captured.err)

    def output(self, *words: str | Path, given: bytes = b"") -> str:
        completed = self.run(*words, given=given)
        assert completed.code == 0, completed
        return completed.output

    def error(self, *words: str | Path, given: bytes = b"", code: int = 1) -> str:
        completed = self.run(*words, given=given)
        assert completed.code == code, completed
        (line,) = completed.errors.splitlines()
        assert line.isprintable()
        return line


def run_hookwright(
    *words: str | Path, folder: Path, forks: Forks = HOOKWRIGHT, **variables: str
) -> Ended:
    """Run hookwright in a separate process, without a terminal."""
    argv = [PROGRAM, *map(str, words)]
    completed = forks.run(argv, b"", build_environment(**variables), folder)
    assert completed, "the environment is not the one that Python was started with"
    return Ended(completed.returncode, completed.stdout.decode(), completed.stderr.decode())


def build_environment(**variables: str) -> Mapping[str, str]:
    return {**os.environ, "COLUMNS": COLUMNS, **variables}


@contextmanager
def serve(data: Path, *words: str, **variables: str) -> Iterator[str]:
    """Yield the address of a server in a separate process, which is stopped afterwards.

    Args:
        data: The server's data folder.
        words: The server's options.
        variables: Additional environment variables.

    """
    command = [*COMMAND, "serve", "--port", "0", "--data", str(data), *words]
    with start(command, folder=None, **variables) as url:
        yield url


@contextmanager
def start(command: Sequence[str], *, folder: Path | None = None, **variables: str) -> Iterator[str]:
    """Start a server with a command in a folder, yield its address, and stop it afterwards."""
    environment = build_environment(**variables)
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, env=environment, cwd=folder
    ) as server:
        assert server.stderr
        line = server.stderr.readline()
        try:
            assert " at http://" in line, line + server.stderr.read()
            yield line.partition(" at ")[2].partition(",")[0]
        finally:
            server.terminate()
