"""A project is named after its remote or root, identically by the server and the rendered hook."""

import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookwright_console.errors import RefusedError
from hookwright_console.network.peers import can_find_owner
from lesson_search.projects import choose_project, find_project, name_project
from runtime import git_project

from ..support.lesson_server_process import LessonServer

REMOTES = [
    "https://github.com/Acme/Shop.git",
    "https://github.com/acme/shop",
    "git@github.com:acme/shop.git",
    "ssh://git@github.com:22/acme/shop.git/",
    "https://me:s3cret@github.com/acme/shop.git?key=s3cret#s3cret",
]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    variables = git_project.environ  # type: ignore[attr-defined] # it is part of posix
    monkeypatch.setitem(variables, b"HOME", str(tmp_path).encode())
    return tmp_path


def git(folder: Path, *words: str) -> None:
    identity = ("-c", "user.name=me", "-c", "user.email=me@example.org")
    subprocess.run(
        ["/usr/bin/env", "git", *identity, *words], cwd=folder, check=True, capture_output=True
    )


@pytest.fixture
def shop(home: Path) -> Path:
    folder = home / "shöp"
    folder.mkdir()
    git(folder, "init", "-q")
    git(folder, "commit", "-q", "--allow-empty", "-m", "begin")
    return folder


def find_names(folder: Path) -> tuple[str, ...]:
    """Return the server's name for a project, after checking that the hook's event yields it."""
    project_names = find_project(folder)
    sent = git_project.describe_project(b'{"prompt": "\\"cwd\\":", "cwd": %s}' % quote(folder))
    names = sent.decode().partition(": ")[2].strip().split(",")
    assert tuple(name_project(unquote(name)) for name in names if name) == project_names
    return project_names


def quote(folder: Path) -> bytes:
    return b'"' + str(folder).encode("unicode-escape").replace(b"\\x", b"\\u00") + b'"'


@pytest.mark.parametrize("remote", REMOTES)
def test_remote_names_the_project_without_credentials(shop: Path, remote: str) -> None:
    assert name_project(remote) == "github.com/acme/shop"
    git(shop, "remote", "add", "fork", "https://elsewhere.example/fork")
    git(shop, "remote", "add", "origin", remote)
    assert find_names(shop) == ("github.com/acme/shop", "~/shöp")
    assert b"s3" not in git_project.describe_project(b'{"cwd": %s}' % quote(shop))


@pytest.mark.skipif(sys.platform == "win32", reason="the hook reads no folder on Windows")
def test_remote_never_reveals_a_secret_or_a_local_path(home: Path) -> None:
    for url in [
        *(f"https://h.com/a/b{sign}s3cret" for sign in ("?t=@", "#@", " # ", " ; ", ";t=", "&t=")),
        "https://h.com/a/b\\\n?s3cret",
        *(f"https://h.com/a/b{space}s3cret" for space in "\u2028\f\r\x1c\x85"),
        'https://me:s3cret@h.com/a/b"',
        "https://me:s3@cret@h.com/a/b",
        "https://me:s3/cr@et@h.com/a/b",
        "https://me:s3?cret@h.com/a/b",
        "https://h.com?t=x@s3cret.com/a/b",
        "https://h.com/a/b::s3cret",
        "https://h.com/me:s3cret/a",
        "ssh://me:s3cret/a/b",
        "me:s3cret@h.com:a/b",
        "git@h.com::s3cret/a",
        "git@h.com:s3cret%40x/a",
        "https://me:s3/cr@h.com/a/b",
        "https://me%3As3cret%40h.com/a/b",
        "https://me%3as3cret%40h.com/a/b",
        "HTTPS://h.com/a/b?s3cret",
        'ext::curl -H "Authorization: s3cret" https://h.com/a/b',
        "FILE:///home/me/s3cret",
        "File:s3cret/a",
        "C:\\Users\\s3cret",
        "C:/Users/s3cret",
        "\\\\server\\s3cret\\a",
        "s3cret/a",
    ]:
        config = home / "shop" / ".git" / "config"
        config.parent.mkdir(parents=True, exist_ok=True)
        config.write_bytes(f'[remote "origin"]\n\turl = {url}\n'.encode())
        names = find_names(home / "shop")
        sent = unquote(git_project.describe_project(b'{"cwd": %s}' % quote(home / "shop")).decode())
        assert names[-1] == "~/shop"
        assert names[:-1] in {(), ("h.com/a/b",)}
        for part in ("s3", "cret", "Users"):
            assert part not in sent
            assert part not in str(names)


@pytest.mark.skipif(sys.platform == "win32", reason="the hook names no project on Windows")
def test_worktrees_and_submodules_are_named_by_their_root(shop: Path, home: Path) -> None:
    (shop / "src").mkdir()
    assert find_names(shop / "src") == ("~/shöp",)
    git(shop, "worktree", "add", "-q", str(home / "other"))
    assert find_names(home / "other") == ("~/shöp",)
    git(shop, "remote", "add", "origin", "/srv/shop.git")  # paths are not used as project names
    git(shop, "remote", "add", "team", "git@git.example:team/shop")
    assert find_names(home / "other") == ("~/shöp",)
    outer = home / "outer"
    outer.mkdir()
    git(outer, "init", "-q")
    git(outer, *("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(shop), "lib"))
    git(outer / "lib", "remote", "set-url", "origin", REMOTES[0])
    assert find_names(outer / "lib") == ("github.com/acme/shop", "~/outer/lib")
    assert find_names(home) == ()


def test_user_can_name_a_project(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(shop)
    assert choose_project(".") == "~/shöp"
    git(shop, "remote", "add", "origin", REMOTES[0])
    assert choose_project(".") == choose_project(str(shop)) == "github.com/acme/shop"
    assert choose_project(REMOTES[2]) == "github.com/acme/shop"
    monkeypatch.chdir(shop.parent)
    for plain in (".", str(shop.parent), "./no-such-folder"):
        with pytest.raises(RefusedError, match="not in a Git repository: "):
            choose_project(plain)
    assert choose_project("~/elsewhere") == "~/elsewhere"
    wrong_names = ("shop", "https://", "github.com/a\u202eb", "github.com/../a", "~/../a")
    for wrong in (*wrong_names, "ext::sh -c touch% /tmp/x", "ext::sh/x", "h.example/a b"):
        with pytest.raises(RefusedError, match="by its remote or root"):
            choose_project(wrong)


@pytest.mark.parametrize("name", ["..", ".", "./shop", "../shop", "file:shop", "/srv/../shop"])
def test_project_is_not_named_by_a_relative_path(name: str) -> None:
    with pytest.raises(RefusedError, match="by its remote or root"):
        name_project(name)


def test_folder_with_a_lone_surrogate_names_no_project() -> None:
    assert find_project(Path("/\ud800/x")) == ()


def test_user_can_name_an_unknown_folder() -> None:
    assert choose_project("~nosuchuser/x") == "~nosuchuser/x"
    with pytest.raises(RefusedError, match="by its remote or root"):
        choose_project("/" + "x" * 5_000)


@pytest.mark.skipif(sys.platform == "win32", reason="no such names on Windows")
def test_invalid_name_of_a_root_is_left_out(home: Path) -> None:
    for name, url in (
        ("a\x1b[2Jb", ""),
        ("c\nd", "git@h.example:a/b"),
        ("e" * 200 + "/e" * 401, ""),
    ):
        folder = home / name
        (folder / ".git").mkdir(parents=True)
        (folder / ".git" / "config").write_text(f'[remote "origin"]\nurl = {url}\n')
        assert find_project(folder) == (("h.example/a/b",) if url else ())
        with (
            pytest.raises(RefusedError, match="by its remote or root") if not url else nullcontext()
        ):
            choose_project(str(folder))


@given(st.text(max_size=30), st.sampled_from(["https://{}@h.example/a/b", "{}@h.example:a/b"]))
def test_user_name_is_removed_from_a_remote(user: str, form: str) -> None:
    if not name_like_path(form.format(user)):
        assert name_project(form.format(user)) == "h.example/a/b"


def name_like_path(text: str) -> bool:
    return text.strip().startswith(("/", "~", ".", "file:")) or text.strip()[1:3] in {":/", ":\\"}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no /dev/zero")
@pytest.mark.parametrize("name", [".git", ".git/config"])
def test_device_in_place_of_a_file_names_no_project(home: Path, name: str) -> None:
    link = home / "shop" / name
    link.parent.mkdir(parents=True)
    link.symlink_to("/dev/zero")
    assert find_names(home / "shop") == ()


def test_event_without_a_project_is_sent_unchanged() -> None:
    for event in (
        b"{}",
        b'{"cwd": 1}',
        b'{"cwd": "/nowhere"}',
        b'{"prompt": "\\"cwd\\": \\"/\\""}',
    ):
        assert git_project.describe_project(event) == b""


@pytest.mark.skipif(not can_find_owner(), reason="this system cannot tell whose process asks")
def test_server_names_the_project_of_a_session_by_its_folder(
    served: LessonServer, home: Path
) -> None:
    shop = home / "shop"
    (shop / ".git").mkdir(parents=True)
    (shop / ".git" / "config").write_text('[remote "origin"]\nurl = https://h.example/shop\n')
    text = "The Docker build cache is lost by COPY . before npm ci."
    served.ask("/api/ingest", {"id": "cache", "text": text, "project": "h.example/shop"})

    def finds(**event: object) -> bool:
        request = {"prompt": "why is the docker build cache lost", **event}
        return text in str(served.ask("/hooks/user-prompt-submit?min_score=0.1", request))

    assert finds(cwd=str(shop / "src"))
    for folder in (str(home), "", "\0", 5, None, "/" + "x" * 5_000):
        assert not finds(cwd=folder)
