"""The process of a crawl ends with its parent and when it is stuck, and is alone in its folder."""

import subprocess
import sys
from pathlib import Path

import pytest

from hookwright_console.errors import ReportedError
from hookwright_documentation.crawl.child_process import locking

from .test_processes import is_running, wait_until

MODULE = "from hookwright_documentation.crawl.child_process import end_when_stuck, end_with_parent"
STUCK = "__import__('re').match('(a+)+$', 'a' * 60 + 'b')"  # which lets no other thread run
CHILD = f"""
import sys
{MODULE}
end_with_parent(int(sys.argv[1]))
print("busy", flush=True)
{STUCK}
"""
PARENT = """
import os, subprocess, sys
child = subprocess.Popen([sys.executable, "-c", sys.argv[1], str(os.getpid())], stdout=-1)
child.stdout.readline()
print(child.pid, flush=True)
child.wait()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="a service of Linux")
def test_stuck_process_ends_with_its_parent() -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT, CHILD], stdout=subprocess.PIPE) as parent:
        assert parent.stdout
        child = int(parent.stdout.readline())
        assert is_running(child)
        parent.kill()
        assert wait_until(lambda: not is_running(child))


@pytest.mark.skipif(sys.platform != "linux", reason="a service of Linux")
def test_process_whose_parent_ended_first_ends() -> None:
    code = f"{MODULE}; end_with_parent(1 << 30); print('still here')"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (run.returncode, run.stdout) == (1, b"")


@pytest.mark.parametrize(("limits", "busy"), [("60, 0.2", STUCK), ("0.1, 60", "input()")])
def test_stuck_process_ends(limits: str, busy: str) -> None:
    code = f"{MODULE}; end_when_stuck({limits}); {busy}"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.wait(15) == 1
        assert process.stderr
        assert b"most recent call first" in process.stderr.read()


def test_second_crawl_stays_out(tmp_path: Path) -> None:
    with (
        locking(tmp_path),
        pytest.raises(ReportedError, match="another crawl still writes"),
        locking(tmp_path, patience=0),
    ):
        pass


@pytest.mark.skipif(sys.platform != "linux", reason="macOS may refuse the limit")
def test_memory_is_limited() -> None:
    code = (
        "from hookwright_documentation.crawl.child_process import limit_memory\n"
        "limit_memory(500_000_000)\n"
        "try:\n    bytearray(1_000_000_000)\nexcept MemoryError:\n    print('refused')\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert run.stdout == "refused\n"
