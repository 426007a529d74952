"""A git repository's documentation is collected without running any of its code."""

import stat
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from hookwright_console.errors import ReportedError
from hookwright_documentation.cutting import split
from hookwright_documentation.cutting.licenses import recognise_text
from hookwright_documentation.sources.child_process import crawl
from hookwright_documentation.sources.git import cloning
from hookwright_documentation.sources.git.cloning import Git, explain_output, find_resolution
from hookwright_documentation.sources.git.repository import Repository, find_repository
from hookwright_documentation.sources.registry import CrawlOptions
from hookwright_documentation.sources.results import read_fetched
from hookwright_documentation.sources.site.addresses import ConnectionRules

from ...support.certificates import certify, trust_nobody
from ...support.converted_pages import convert_page
from ...support.git_over_http import hide_numbers, serving_files, write_bare

WORDS = "How to configure, extend, test and deploy it is told here at some length. "
MIT = "Permission is hereby granted, free of charge, to any person\nobtaining a copy of this"
FILES = {
    "LICENSE": f"MIT License\n\n{MIT}",
    "README.md": f"# Acme\n\n{WORDS}",
    "code/notes.md": f"# Notes\n\n{WORDS}",
    "docs/guide.md": f"# Guide\n\n{WORDS}\n\n## What's *new*?\n\nThis.\n\n## What's new?\n\nYes.\n",
    "docs/api/client.rst": f"Client\n======\n\n.. py:function:: get(path)\n\n   {WORDS}\n",
    "docs/picture.png": "x",
}


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    return write_bare(tmp_path, FILES)


def take(source: object, work: Path, **words: object) -> dict[str, bytes]:
    options = replace(CrawlOptions(str(source)), **words)  # type: ignore[arg-type]
    crawl(options, work)
    return {page.url: page.body for page in read_fetched(work)}


def test_repository_documentation_is_collected(bare: Path, tmp_path: Path) -> None:
    report = crawl(CrawlOptions(str(bare)), tmp_path / "work")
    pages = {page.url: page for page in read_fetched(tmp_path / "work")}
    base = f"{bare.as_uri()}/docs/"
    assert list(pages) == [f"{base}api/client.rst", f"{base}guide.md"]
    assert (report.prefix, report.license, len(report.version)) == (base, "MIT", 10)
    assert hide_numbers(report.choices[0]).endswith(" at main (HASH)")
    guide = convert_page(pages[f"{base}guide.md"], "2026-01-01")
    client = convert_page(pages[f"{base}api/client.rst"], "2026-01-01")
    assert guide
    assert client
    assert [passage.anchor for passage in split(guide)] == ["guide", "whats-new", "whats-new-1"]
    assert [passage.anchor for passage in split(client)] == ["get"]
    assert not (tmp_path / "work" / "repository").exists()


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ({"prefix": "code/"}, ["code/notes.md"]),
        ({"version": "v1.0"}, ["docs/api/client.rst", "docs/guide.md"]),
    ],
)
def test_folder_and_tag_can_be_chosen(
    bare: Path, tmp_path: Path, words: Mapping[str, str], names: list[str]
) -> None:
    pages = take(bare, tmp_path / "work", **words)
    assert [url.removeprefix(f"{bare.as_uri()}/") for url in pages] == names


def test_readme_is_the_fallback(tmp_path: Path) -> None:
    names = ("README.md", "CHANGES.md", ".github/a.md", "guide/a.md")
    bare = write_bare(tmp_path, dict.fromkeys(names, f"# Acme\n\n{WORDS}"))
    report = crawl(CrawlOptions(str(bare)), tmp_path / "work")
    assert [page.url for page in read_fetched(tmp_path / "work")] == [f"{bare.as_uri()}/README.md"]
    assert report.choices[0].startswith("took the README of ")
    assert report.choices[0].endswith("): it has pages in guide (--prefix)")


def test_sphinx_text_is_converted(tmp_path: Path) -> None:
    files = {"docs/conf.py": "raise SystemExit\n", "docs/intro.txt": f"Intro\n=====\n\n{WORDS}\n"}
    pages = take(write_bare(tmp_path, files), tmp_path / "work")
    assert [Path(url).name for url in pages] == ["intro.txt"]


def test_repository_is_cloned_over_http(bare: Path, tmp_path: Path) -> None:
    with serving_files(bare) as site:
        pages = take(f"{site.url}acme.git", tmp_path / "work")
        assert list(pages) == [
            f"{site.url}acme.git/docs/{name}" for name in ("api/client.rst", "guide.md")
        ]


def test_company_certificate_is_trusted(
    bare: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate, context = certify(tmp_path)
    with serving_files(bare, context) as site:
        trust_nobody(monkeypatch)
        with pytest.raises(ReportedError, match="not trusted: set SSL_CERT_FILE to your company's"):
            take(f"{site.url}acme.git", tmp_path / "work")
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        assert len(take(f"{site.url}acme.git", tmp_path / "work")) == 2


def test_repository_code_never_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret, ran = tmp_path / "secret.md", tmp_path / "ran"
    secret.write_text("# Secret\n")
    files = {
        "docs/a.md": f"# A\n\n{WORDS}",
        ".gitattributes": "*.md filter=evil\n",
        ".lfsconfig": "[lfs]\n\turl = http://127.0.0.1:1/\n",
        ".gitmodules": f'[submodule "x"]\n\tpath = docs/x\n\turl = {tmp_path}/source\n',
    }
    source = tmp_path / "source"
    (source / "docs").mkdir(parents=True)
    (source / "docs" / "link.md").symlink_to(secret)
    bare = write_bare(tmp_path, files)
    hook = bare / "hooks" / "post-upload-pack"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {ran}\n")
    hook.chmod(hook.stat().st_mode | stat.S_IXUSR)
    configured = tmp_path / "gitconfig"
    configured.write_text(
        f'[filter "evil"]\n\tsmudge = touch {ran}\n[core]\n\tfsmonitor = touch {ran}\n'
        f'[url "{tmp_path}/nowhere"]\n\tinsteadOf = file://\n'
    )
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(configured))
    monkeypatch.setenv("GIT_SSH_COMMAND", f"touch {ran}")
    pages = take(bare, tmp_path / "work")
    assert list(pages) == [f"{bare.as_uri()}/docs/a.md"]
    assert not ran.exists()


def test_arguments_git_could_misread_are_rejected() -> None:
    for source, words, told in [
        ("git+ssh://git@e.org/x/y", {}, "use the repository's URL with https://"),
        ("git+ext::sh -c id", {}, "no such repository"),
        ("git+--upload-pack=id", {}, "no such repository"),
        ("git+file:///etc", {}, "use the repository's URL with https://"),
        ("https://me:token@github.com/x/y", {}, "github.com/x/y: use the .* without user"),
        ("git+https://e.org/x.git#main", {}, "without user, password, query and fragment"),
        (
            "https://e.org/x.git",
            {"version": "--upload-pack=id"},
            "--version: not a valid git branch",
        ),
        ("https://e.org/x.git", {"version": "a..b"}, "--version: not a valid git branch"),
        ("https://e.org/x.git", {"prefix": "../etc"}, "--prefix: not a valid repository folder"),
        ("https://e.org/x.git", {"prefix": 'a"b'}, "--prefix: not a valid repository folder"),
    ]:
        with pytest.raises(ReportedError, match=told):
            find_repository(replace(CrawlOptions(source), **words))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "https://github.com/pallets/flask/tree/3.0.x/docs/api",
            ("https://github.com/pallets/flask.git", "3.0.x", "docs/api"),
        ),
        ("https://github.com/pallets/flask.git", ("https://github.com/pallets/flask.git", "", "")),
        (
            "https://gitlab.com/a/b/-/tree/main/doc",
            ("https://gitlab.com/a/b.git", "main", "doc"),
        ),
    ],
)
def test_repository_page_url_is_understood(source: str, expected: tuple[str, str, str]) -> None:
    repository = find_repository(CrawlOptions(source))
    assert (repository.url, repository.ref, repository.folder) == expected


def test_files_get_their_web_addresses() -> None:
    repository = find_repository(CrawlOptions("https://github.com/pallets/flask"))
    assert repository.find_address("main") == "https://github.com/pallets/flask/blob/main/"
    repository = find_repository(CrawlOptions("https://gitlab.com/a/b"))
    assert repository.find_address("x/y") == "https://gitlab.com/a/b/-/blob/x/y/"


def test_private_host_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    addresses = ["127.0.0.1"]

    def look_up(_host: str, port: int, *_: int) -> list[object]:
        return [(2, 1, 6, "", (addresses[0], port))]

    rules = partial(ConnectionRules, lookup=look_up)
    monkeypatch.setattr(cloning, "ConnectionRules", rules)
    repository = Repository("https://git.acme.example/x.git", "", "", "", is_local=False)
    with pytest.raises(ReportedError, match=r"is 127[.]0[.]0[.]1, which is not on the internet"):
        find_resolution(repository)
    addresses[0] = "10.1.2.3"
    assert find_resolution(repository)
    with pytest.raises(ReportedError, match=r"is 10[.]1[.]2[.]3, which is not on the internet"):
        find_resolution(repository, is_strangers=True)
    addresses[0] = "93.184.216.34"
    assert find_resolution(repository) == {
        "http.curloptResolve": "git.acme.example:443:93.184.216.34"
    }


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("warning: x\nfatal: could not read Username for 'https://e.org'", "needs a login"),
        ("fatal: Remote branch y not found in upstream origin", "no branch or tag y"),
        ("fatal: repository 'https://e.org/x/' not found", "no such repository: check the URL"),
        ("error: RPC failed; HTTP 301 curl 22", "it redirects: use the final URL"),
        ("fatal: server certificate verification failed. CAfile: none", "set SSL_CERT_FILE to"),
        ("remote: \x1b[31mevil\nfatal: odd", "x1b[31mevil: check"),
        ("fatal: Not a valid object name HEAD", "default branch has no commits: name"),
        ("", "git failed: check the URL"),
    ],
)
def test_git_failure_is_explained(said: str, told: str) -> None:
    repository = Repository("https://e.org/x", "", "y", "", is_local=False)
    line = explain_output(said, repository)
    assert told in line
    assert line.isprintable()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ({"version": "nope"}, "no branch or tag nope"),
        ({"prefix": "nope"}, r"no pages in nope: it has pages in code, docs \(--prefix\)"),
        ({"max_bytes": 10}, "over 10 bytes: use a smaller"),
        ({"time_limit": 0.0}, "git took too long"),
    ],
)
def test_missing_or_excessive_content_is_reported(
    bare: Path, tmp_path: Path, words: dict[str, object], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cloning, "POLL", 0.001)
    with pytest.raises(ReportedError, match=told):
        take(bare, tmp_path / "work", **words)
    assert not (tmp_path / "work" / "repository").exists()


def test_missing_git_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    repository = Repository("file:///x", "", "", "", is_local=True)
    with pytest.raises(ReportedError, match="git is not installed: install it, or use a folder"):
        Git(repository, tmp_path, CrawlOptions(""))


@pytest.mark.parametrize(
    ("text", "spdx"),
    [
        (f"MIT License\n{MIT}", "MIT"),
        ("Apache License\n   Version 2.0, January 2004", "Apache-2.0"),
        (
            "Redistribution and use in source and binary forms ... Neither the name of",
            "BSD-3-Clause",
        ),
        ("Redistribution and use in source and binary forms", "BSD-2-Clause"),
        ("Creative Commons Attribution-ShareAlike 4.0 International", "CC-BY-SA-4.0"),
        (
            "Creative Commons Attribution-NonCommercial-NoDerivatives 4.0 International",
            "CC-BY-NC-ND-4.0",
        ),
        ("GNU GENERAL PUBLIC LICENSE Version 3", ""),
        (f"{MIT} Apache License Version 2.0", ""),
    ],
)
def test_licence_is_recognised_by_its_text(text: str, spdx: str) -> None:
    assert recognise_text(text) == spdx
