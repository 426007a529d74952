"""Run Python scripts in forked processes, which avoids the start-up time of the interpreter.

Each script runs in a separate process, with its own arguments, environment, folder and streams.
"""

import atexit
import contextlib
import fcntl
import gc
import importlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import termios
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import CodeType

# Modules that the scripts import.
COMMON = "_socket argparse copy difflib fcntl hashlib re shlex shutil stat time urllib.parse"
AT_START = ("LC_", "LANG", "LD_", "MALLOC_", "PYTHON")  # prefixes of variables read only at startup
WRITES_NOTHING = "PYTHONDONTWRITEBYTECODE"  # an exception, which also takes effect after startup


class Forks:
    """Runs scripts in forks of an interpreter that is started on first use.

    Args:
        options: The interpreter's command-line options.
        prepare: A module to import first.

    """

    def __init__(self, *options: str, prepare: str = "") -> None:
        self._options = options
        self._prepare = prepare
        self._lock = threading.Lock()
        self._control: socket.socket | None = None
        self._at_start: dict[str, str] = {}

    def run(
        self,
        argv: list[str],
        raw: bytes,
        environment: Mapping[str, str],
        folder: Path | None = None,
    ) -> "subprocess.CompletedProcess[bytes] | None":
        with contextlib.ExitStack() as opened:
            stdin, stdout, stderr = (
                opened.enter_context(tempfile.TemporaryFile(buffering=0)) for _ in range(3)
            )
            stdin.write(raw)
            streams = [file.fileno() for file in (rewind(stdin), stdout, stderr)]
            ended = self.start(argv, streams, environment, folder or Path.cwd())
            if not ended:
                return None
            code = ended()
            output, errors = (rewind(file).read() for file in (stdout, stderr))
            return subprocess.CompletedProcess(argv, code, output, errors)

    def start(
        self, argv: list[str], streams: list[int], environment: Mapping[str, str], folder: Path
    ) -> "Callable[[], int] | None":
        """Start a script on three open files; return a function that waits for its exit code.

        Return None if the script requires a separate interpreter.
        """
        with self._lock:
            control = self._control = self._control or self._start()
        if read_own(environment) != self._at_start or not Path(argv[0]).is_file():
            return None
        request = {"argv": argv, "folder": str(folder), "environment": {**environment}}
        ours, theirs = socket.socketpair()
        with theirs, tempfile.TemporaryFile(buffering=0) as request_file:
            request_file.write(json.dumps(request).encode())
            with self._lock:
                socket.send_fds(
                    control, [b"x"], [theirs.fileno(), rewind(request_file).fileno(), *streams]
                )

        def wait() -> int:
            with ours, ours.makefile("rb") as file:
                return int(file.read())

        return wait

    def _start(self) -> socket.socket:
        ours, theirs = socket.socketpair()
        self._at_start = read_own(os.environ)
        words = [sys.executable, *self._options, __file__, str(theirs.fileno())]
        words += [self._prepare] if self._prepare else []
        with theirs:
            server = subprocess.Popen(words, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
        atexit.register(server.wait)
        atexit.register(ours.close)  # registered last, so runs before the wait
        return ours


def read_own(environment: Mapping[str, str]) -> dict[str, str]:
    return {
        name: value
        for name, value in environment.items()
        if name.startswith(AT_START) and name != WRITES_NOTHING
    }


def rewind(file: IO[bytes]) -> IO[bytes]:
    file.seek(0)
    return file


def serve(control: socket.socket, modules: list[str]) -> None:
    for name in modules:
        importlib.import_module(name)
    compiled: dict[bytes, CodeType] = {}
    gc.freeze()
    while True:
        message, files, _, _ = socket.recv_fds(control, 1, 5)
        with contextlib.suppress(ChildProcessError):  # reaping children adds their CPU time here
            while os.waitpid(-1, os.WNOHANG if message else 0)[0]:
                pass
        if not message:
            return
        with open(files[1], "rb", closefd=False) as file:
            request = json.load(file)
        script = request["argv"][0]
        content = Path(script).read_bytes()
        if content not in compiled:
            compiled[content] = compile(content, script, "exec", dont_inherit=True)
        if os.fork() == 0:
            control.close()
            pid = os.fork()
            if pid == 0:
                run(request, files, compiled[content])
                return
            _, status = os.waitpid(pid, 0)
            os.write(files[0], b"%d" % os.waitstatus_to_exitcode(status))
            os._exit(0)
        for number in files:
            os.close(number)


def run(request: dict[str, Any], files: list[int], code: "CodeType") -> None:
    for stream, number in enumerate(files[2:]):
        os.dup2(number, stream)
    for number in files:
        os.close(number)
    if os.isatty(0):
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        sys.stdin, sys.stdout, sys.stderr = map(os.fdopen, range(3), "rww")
    os.chdir(request["folder"])
    os.environ.clear()  # also clears posix.environ, which the hooks read
    os.environ.update(request["environment"])
    sys.argv = request["argv"]
    if not sys.flags.isolated:
        sys.path[0] = str(Path(sys.argv[0]).parent)
    sys.dont_write_bytecode = WRITES_NOTHING in os.environ
    tempfile.tempdir = None
    main = sys.modules["__main__"] = type(sys)("__main__")
    main.__file__ = sys.argv[0]
    exec(code, vars(main))  # noqa: S102 - as Python does


HOOKS = Forks("-I", "-S")  # clients start hooks with these options
SCRIPTS = Forks()

if __name__ == "__main__":
    if not sys.flags.isolated:
        sys.path[0] = str(Path(__file__).parents[2])
    serve(socket.socket(fileno=int(sys.argv[1])), [*COMMON.split(), *sys.argv[2:]])
