"""A real Chroma server, started by `chroma run`."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import chromadb
from chromadb.api import ClientAPI

RUN = "from chromadb.cli.cli import app; app()"
PATIENCE = 30  # seconds


class ChromaProcess:
    """A Chroma server on its own port that can be stopped and restarted.

    Args:
        url: The server's URL.

    """

    def __init__(self, folder: Path) -> None:
        """Choose a free port; the server stores its files in a folder."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port: int = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self._port}"
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        place = ["--path", str(self._folder), "--host", "127.0.0.1", "--port", str(self._port)]
        self._process = subprocess.Popen(
            [sys.executable, "-c", RUN, "run", *place],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": str(self._folder)},
        )
        end = time.monotonic() + PATIENCE
        while not self._answers():
            assert self._process.poll() is None, "chroma run ended at once"
            assert time.monotonic() < end, f"no Chroma at {self.url}"
            time.sleep(0.05)

    def connect(self) -> ClientAPI:
        """Return a client like those of other programs."""
        return chromadb.HttpClient("127.0.0.1", self._port)

    def pause(self) -> None:
        assert self._process
        self._process.send_signal(signal.SIGSTOP)
        os.waitpid(self._process.pid, os.WUNTRACED)  # wait until it has stopped

    def resume(self) -> None:
        assert self._process
        self._process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        if self._process:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            self._process = None

    def _answers(self) -> bool:
        with socket.socket() as attempt:
            return attempt.connect_ex(("127.0.0.1", self._port)) == 0
