"""Chroma ignores environment variables and .env files, in a process that has not imported it."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

# Writes a lesson, reads it back, and checks that Chroma changed neither environment nor folder.
USE = """
import os, sys
from pathlib import Path
import numpy as np
from lesson_search.records import Lesson
from lesson_search.storage.chroma import Chroma
from lesson_search.storage.store import Store

before = dict(os.environ), os.getcwd()
store = Store(Chroma(Path(sys.argv[1])), Lesson, "wordllama")
assert (dict(os.environ), os.getcwd()) == before
store.save([Lesson("a", "First")], np.eye(1, 8, dtype=np.float32))
print([entry.record.id for entry in store.load()])
"""


@pytest.mark.long
def test_surrounding_settings_are_ignored(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        other.setblocking(False)  # noqa: FBT003 - as the interface of sockets is
        settings = {
            "chroma_api_impl": "chromadb.api.fastapi.FastAPI",
            "chroma_server_host": "127.0.0.1",
            "chroma_server_http_port": str(other.getsockname()[1]),
            "CHROMA_CLIENT_AUTH_PROVIDER": "none.of.these",
            "CHROMA_SERVER_HEADERS": "no JSON",
            "is_persistent": "perhaps",
            "migrations": "none",
            "anything_else": "1",
        }
        folder = tmp_path / "work"
        folder.mkdir()
        (folder / ".env").write_text("".join(f"{name}={settings[name]}\n" for name in settings))
        completed = subprocess.run(
            [sys.executable, "-c", USE, str(tmp_path / "db")],
            capture_output=True,
            text=True,
            check=False,
            cwd=folder,
            env={**os.environ, **settings},
        )
        assert (completed.stdout, completed.stderr) == ("['a']\n", "")
        assert (tmp_path / "db" / "chroma.sqlite3").exists()
        with pytest.raises(BlockingIOError):
            other.accept()
