"""Find LEANN's programs, and which version they are."""

import os
import re
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hookwright_console.errors import RefusedError
from hookwright_console.programs import run_program
from hookwright_console.text import shorten

OPTIONS = "HOOKWRIGHT_LEANN"  # the environment variable for options of `leann build`
REFUSED = "--embedding-api-key"  # which LEANN writes into the index
OLDEST = (0, 3, 8)  # earlier ones can lose a corpus
BUILDER, SERVER = "leann", "leann_mcp"
ASK_VERSION = "import importlib.metadata as m; print(m.version('leann-core'))"
ASK_TOKENS = (
    "import importlib.util as u, pathlib as p;"
    "print(p.Path(u.find_spec('llama_index.core').origin).parent / '_static' / 'tiktoken_cache')"
)
PATIENCE = 60  # seconds


@dataclass(frozen=True)
class Leann:
    """An installed LEANN."""

    builder: str  # the path of the program that builds indexes
    server: str  # the path of its MCP server
    interpreter: str  # the Python that runs them

    def build_entry(self) -> dict[str, Any]:
        env = {"HF_HUB_OFFLINE": "1", **self.find_tokens()}
        return {"type": "stdio", "command": self.server, "args": [], "env": env}

    def find_tokens(self) -> dict[str, str]:
        """Return the variable that spares a download at each start, where that is possible."""
        place = ask_python(self.interpreter, ASK_TOKENS)
        return {"TIKTOKEN_CACHE_DIR": place} if place and Path(place).is_dir() else {}


def find_leann() -> Leann:
    builder, server = shutil.which(BUILDER), shutil.which(SERVER)
    if not builder or not server:
        missing = SERVER if builder else BUILDER
        raise RefusedError(f"{missing} is not on PATH: install LEANN with pipx install leann")
    interpreter = find_interpreter(Path(builder))
    version = ask_python(interpreter, ASK_VERSION)
    numbers = tuple(map(int, re.findall(r"\d+", version)[:3]))
    oldest = ".".join(map(str, OLDEST))
    if not numbers:
        raise RefusedError(f"{builder} does not tell its version: install LEANN {oldest} or later")
    if numbers < OLDEST:
        raise RefusedError(
            f"LEANN {shorten(version)} is too old: run pipx upgrade leann (it takes {oldest})"
        )
    return Leann(builder, server, interpreter)


def find_interpreter(script: Path) -> str:
    """Return the Python that runs a script: that of its first line, or the one beside it."""
    with script.open("rb") as file:
        line = file.readline(1000).decode("utf-8", "replace").strip()
    named = line.removeprefix("#!")
    if line.startswith("#!/") and " " not in named:
        return named
    beside = script.resolve().parent
    return shutil.which("python", path=str(beside)) or ""


def ask_python(interpreter: str, code: str) -> str:
    ended = run_program([interpreter, "-I", "-c", code], PATIENCE) if interpreter else None
    return ended.stdout.strip() if ended and ended.returncode == 0 else ""


def read_options() -> tuple[str, ...]:
    """Return the options of `leann build` in the environment; raises RefusedError."""
    try:
        words = shlex.split(os.environ.get(OPTIONS, ""))
    except ValueError as error:
        raise RefusedError(f"{OPTIONS}: {error}: correct the quotes") from None
    if any(word.startswith(REFUSED) for word in words):
        raise RefusedError(f"{OPTIONS} holds a key: set OPENAI_API_KEY instead of {REFUSED}")
    return tuple(words)
