"""Find LEANN, build an index and verify the result, because LEANN exits with 0 even on failure.

LEANN skips documents below hidden folders, and records the current folder in the home folder. It
therefore runs in a temporary folder, which also serves as its home folder.
"""

import json
import os
import pickle
import re
import shlex
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hookwright_console.errors import RefusedError, ReportedError
from hookwright_console.programs import run_program
from hookwright_console.text import shorten
from hookwright_documentation.cutting import list_pages, read_page
from hookwright_documentation.leann import IDS, LINK, META, OFFSETS, PASSAGES, VECTORS

OPTIONS = "HOOKWRIGHT_LEANN"  # environment variable with options for `leann build`
REFUSED = "--embedding-api-key"  # refused because LEANN would write the key into the index
OLDEST = (0, 3, 8)  # earlier versions can lose a corpus
BUILDER, SERVER = "leann", "leann_mcp"
ASK_VERSION = "import importlib.metadata as m; print(m.version('leann-core'))"
ASK_TOKENS = (
    "import importlib.util as u, pathlib as p;"
    "print(p.Path(u.find_spec('llama_index.core').origin).parent / '_static' / 'tiktoken_cache')"
)
PATIENCE = 60  # seconds to wait for a LEANN program
NAME = "documentation"  # name of the index during the build
# LEANN's own files for rebuilding: they contain paths of a deleted folder, and some are pickled.
NEEDLESS = "sync_*"


@dataclass(frozen=True)
class Leann:
    """An installed LEANN."""

    builder: str  # path of the index builder
    server: str  # path of its MCP server
    interpreter: str  # the Python interpreter that runs both programs

    def build_entry(self) -> dict[str, Any]:
        env = {"HF_HUB_OFFLINE": "1", **self.find_tokens()}
        return {"type": "stdio", "command": self.server, "args": [], "env": env}

    def find_tokens(self) -> dict[str, str]:
        """Return the environment variable that prevents a download at every start, if possible."""
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
    if numbers < OLDEST:
        known = shorten(version) or "of an unknown version"
        raise RefusedError(f"LEANN {known} is too old: run pipx upgrade leann ({oldest} or later)")
    return Leann(builder, server, interpreter)


def find_interpreter(script: Path) -> str:
    """Return the Python interpreter of a script: the one in its shebang, or the one next to it."""
    with script.open("rb") as file:
        line = file.readline(1000).decode("utf-8", "replace").strip()
    named = line.removeprefix("#!")
    if line.startswith("#!/") and " " not in named:
        return named
    return shutil.which("python", path=str(script.resolve().parent)) or ""


def ask_python(interpreter: str, code: str) -> str:
    ended = run_program([interpreter, "-I", "-c", code], PATIENCE) if interpreter else None
    return ended.stdout.strip() if ended and ended.returncode == 0 else ""


def read_options() -> tuple[str, ...]:
    """Return the `leann build` options set in the environment; raises RefusedError."""
    try:
        words = shlex.split(os.environ.get(OPTIONS, ""))
    except ValueError as error:
        raise RefusedError(f"{OPTIONS}: {error}: correct the quotes") from None
    if any(word.startswith(REFUSED) for word in words):
        raise RefusedError(f"{OPTIONS} holds a key: set OPENAI_API_KEY instead of {REFUSED}")
    return tuple(words)


def build_index(pages: Path, folder: Path, options: Sequence[str]) -> int:
    """Build an index of pages and return its number of passages; raises ReportedError."""
    leann = find_leann()
    with tempfile.TemporaryDirectory(prefix="hookwright-leann-") as name:
        scratch = Path(name).resolve()
        if any(part.startswith(".") for part in scratch.parts):
            raise ReportedError(f"LEANN skips documents in {scratch.parent}: set TMPDIR=/tmp")
        urls = copy_pages(pages, scratch / "pages")
        words = [leann.builder, "build", NAME, "--docs", str(scratch / "pages")]
        models = os.environ.get("HF_HOME") or str(Path.home() / ".cache" / "huggingface")
        own = {"HOME": str(scratch), "HF_HOME": models, **leann.find_tokens()}
        ended = run_program([*words, "--no-recompute", *options], folder=scratch, variables=own)
        output = ended.stderr + ended.stdout if ended else ""
        built = scratch / ".leann" / "indexes" / NAME
        try:
            passages = read_passages(built, urls)
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            last_line = (output.strip() or "nothing").splitlines()[-1]
            raise ReportedError(
                f"LEANN did not build a complete index; its output: {shorten(last_line)}: "
                f"try another engine, or pass other options to {BUILDER} build in HOOKWRIGHT_LEANN"
            ) from None
        clean_passages(built, passages, urls)
        shutil.copytree(built, folder, dirs_exist_ok=True)
    return len(passages)


def copy_pages(pages: Path, folder: Path) -> dict[str, str]:
    """Copy the pages' text into a folder; return each page's address by path."""
    folder.mkdir()
    urls = {}
    for number, path in enumerate(list_pages(pages)):
        page = read_page(path)
        copy = folder / f"{number:06}.md"
        copy.write_text(page.text, "utf-8")
        urls[str(copy)] = page.url
    return urls


def read_passages(index: Path, urls: dict[str, str]) -> list[dict[str, Any]]:
    """Return an index's passages, after checking that it contains all pages."""
    with (index / PASSAGES).open(encoding="utf-8") as file:
        passages: list[dict[str, Any]] = [json.loads(line) for line in file]
    if {passage["metadata"]["source"] for passage in passages} != urls.keys():
        raise ValueError("pages are missing")
    ids = (index / IDS).read_text("utf-8").split()
    if sorted(ids) != sorted(passage["id"] for passage in passages):
        raise ValueError("passages are missing")
    if not (index / VECTORS).stat().st_size or not json.loads((index / META).read_text("utf-8")):
        raise ValueError("vectors are missing")
    return passages


def clean_passages(index: Path, passages: list[dict[str, Any]], urls: dict[str, str]) -> None:
    offsets = {}
    lines = bytearray()
    for passage in passages:
        url = urls[passage["metadata"]["source"]]
        passage["metadata"] = {"source": url, "file_path": url, "file_name": url}
        offsets[passage["id"]] = len(lines)
        lines += json.dumps(passage, ensure_ascii=False).encode() + b"\n"
    (index / PASSAGES).write_bytes(lines)
    (index / OFFSETS).write_bytes(pickle.dumps(offsets))  # read only by LEANN
    meta = json.loads((index / META).read_text("utf-8"))
    meta.get("embedding_options", {}).pop("api_key", None)
    (index / META).write_text(json.dumps(meta, indent=2), "utf-8")
    for path in index.glob(NEEDLESS):
        path.unlink()


def link_index(folder: Path, index: Path) -> None:
    """Point a database's link at an index; LEANN uses only the link, whose path never changes."""
    new = folder / f".{LINK}-{os.getpid()}"
    new.unlink(missing_ok=True)
    new.symlink_to(index.relative_to(folder), target_is_directory=True)
    new.replace(folder / LINK)
