"""Run Debian's docker-registry on the loopback interface."""

import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

PROGRAM = "docker-registry"
CONFIG = """version: 0.1
log: {{level: info, accesslog: {{disabled: true}}}}
storage: {{filesystem: {{rootdirectory: {data}}}}}
http: {{addr: "{host}"}}
"""
LOGIN = "auth: {{htpasswd: {{realm: tests, path: {path}}}}}\n"
LISTENS = "listening on"


@dataclass(frozen=True)
class DockerRegistry:
    """A running registry: its host with the port, and its storage folder."""

    host: str
    data: Path

    def find_blob(self, digest: str) -> Path:
        kind, _, name = digest.partition(":")
        return self.data / "docker/registry/v2/blobs" / kind / name[:2] / name / "data"


@cache
def find_program() -> str:
    """Return the registry program, installed or unpacked from Debian's package, or ""."""
    if found := shutil.which(PROGRAM):
        return found
    apt, dpkg = shutil.which("apt-get"), shutil.which("dpkg")
    if not apt or not dpkg:
        return ""
    folder = Path(tempfile.gettempdir()) / f"{PROGRAM}-for-tests"
    program = folder / "usr" / "bin" / PROGRAM
    if not program.exists():
        folder.mkdir(exist_ok=True)
        subprocess.run(
            [apt, "download", "-qq", PROGRAM], cwd=folder, capture_output=True, check=False
        )
        for package in folder.glob("*.deb"):
            subprocess.run([dpkg, "-x", package, folder], capture_output=True, check=False)
    return str(program) if program.exists() else ""


@contextmanager
def serving_registry(folder: Path, user: str = "", password: str = "") -> Iterator[DockerRegistry]:
    """Run a registry during a `with` block; skip the test if the program is missing.

    Args:
        folder: The storage folder.
        user: The user with access; "" for public access.
        password: The user's password.

    """
    if not (program := find_program()):
        pytest.skip(f"{PROGRAM} is not installed and cannot be had from Debian")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        host = f"127.0.0.1:{free.getsockname()[1]}"
    data = folder / "data"
    config = CONFIG.format(data=data, host=host)
    if user:
        (folder / "users").write_text(f"{user}:{hash_password(password)}\n")
        config += LOGIN.format(path=folder / "users")
    (folder / "config.yml").write_text(config)
    command = [program, "serve", str(folder / "config.yml")]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr
            assert any(LISTENS in line for line in process.stderr)
            yield DockerRegistry(host, data)
        finally:
            process.kill()


def hash_password(password: str) -> str:
    bcrypt = pytest.importorskip("bcrypt")
    hashed: bytes = bcrypt.hashpw(password.encode(), bcrypt.gensalt(4))
    return hashed.decode()
