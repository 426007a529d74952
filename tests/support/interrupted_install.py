"""Run a rendered project's install.py, and run other code at a given step."""

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

from .installer import Installer

# Audit events for operations that change the disk or are visible to other processes.
RUN = """
import os, runpy, sys
STEPS = {"open", "os.chmod", "os.chown", "os.link", "os.mkdir", "os.remove", "os.rename",
         "os.rmdir", "os.setxattr", "fcntl.flock"}
number, happens, script = int(sys.argv[1]), sys.argv[2], sys.argv[3]
steps = 0

def watch(event, arguments):
    global steps
    if event in STEPS and (event != "open" or arguments[2] & (os.O_WRONLY | os.O_RDWR)):
        steps += 1
        if number in (0, steps):
            exec(happens)

sys.addaudithook(watch)
sys.argv = sys.argv[3:]
sys.path.insert(0, os.path.dirname(script))
runpy.run_path(script, run_name="__main__")
"""
KILL = f"os.kill(os.getpid(), {signal.SIGKILL:d})"


def run_to(
    install: Installer, number: int, happens: str, *arguments: str
) -> "subprocess.CompletedProcess[str]":
    """Run install.py, and execute code right before one of its steps.

    Args:
        install: The installer under test.
        number: The step, from 1; 0 for every step.
        happens: A line of Python to execute.
        arguments: The arguments of install.py.

    """
    script = str(install.project / "install.py")
    return subprocess.run(
        [sys.executable, "-c", RUN, str(number), happens, script, *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=install.folder,
        env={**os.environ, "CLAUDE_CONFIG_DIR": str(install.config)},
    )


def survey(folder: Path) -> dict[str, tuple[object, ...]]:
    files: dict[str, tuple[object, ...]] = {}
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        if path.is_symlink():
            content: object = path.readlink()
        else:
            content = path.read_bytes() if stat.S_ISREG(status.st_mode) else None
        owner = (oct(status.st_mode), status.st_uid, status.st_gid)
        files[str(path.relative_to(folder))] = (*owner, content)
    return files
