"""The API of installed packages is extracted from their sources without running any code."""

from pathlib import Path

import pytest

from hookwright_console.errors import ReportedError
from hookwright_documentation.cutting import split
from hookwright_documentation.pages import Page
from hookwright_documentation.sources.child_process import crawl
from hookwright_documentation.sources.python_packages.environments import (
    find_distribution,
    find_environment,
    find_files,
    find_site_folders,
)
from hookwright_documentation.sources.registry import CrawlOptions, CrawlReport
from hookwright_documentation.sources.results import read_fetched

from ...support.converted_pages import convert_page
from ...support.crawling import crawl_here
from ...support.site_packages import FILES, METADATA, write_environment


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    return write_environment(tmp_path / "env", dict(FILES))


def take(environment: Path, work: Path, source: str = "python:acme-client") -> CrawlReport:
    return crawl_here(CrawlOptions(source, python=str(environment)), work)


def read(work: Path) -> dict[str, Page]:
    converted = (convert_page(page, "2026-01-01") for page in read_fetched(work))
    return {page.url: page for page in converted if page}


def test_api_is_extracted(environment: Path, tmp_path: Path) -> None:
    report = crawl(CrawlOptions("python:acme-client", python=str(environment)), tmp_path / "work")
    pages = read(tmp_path / "work")
    assert list(pages) == ["python://acme/__init__.py", "python://acme/client.py"]
    assert (report.version, report.license) == ("2.1.0", "MIT")
    assert report.site == "https://docs.acme.example/"
    assert report.choices[0].startswith("read the API of Acme-Client 2.1.0 in ")
    assert not report.notes
    passages = {passage.anchor: passage for passage in split(pages["python://acme/client.py"])}
    get = passages["acme.client.Client.get"]
    assert get.headings[-1] == (
        "acme.client.Client.get(path: str, /, *rest: str, **words: int) -> bytes"
    )
    assert "In `acme/client.py:36`." in get.text
    assert "with `__init__` and *args:" in get.text
    assert '```\nclient.get("/x")\n```' in get.text
    assert "Versionadded: 2.0" in get.text
    client = passages["acme.client.Client"]
    assert "Also `acme.Client`. Bases: `_Base`, `Options`." in client.text
    assert "- `timeout` (`float`), default `TIMEOUT`" in client.text
    assert (
        passages["acme.client.Options"].headings[-1] == "class acme.client.Options(speed: int = 1)"
    )
    assert (
        passages["acme.client.Client.put"].headings[-1].startswith("async acme.client.Client.put(")
    )
    assert (
        passages["acme.client.Client.peer"].headings[-1] == "property acme.client.Client.peer: str"
    )
    assert passages["acme.client.TIMEOUT"].text.endswith("Seconds that an answer may take.")
    assert "Values: `RETRIES = 3`" in pages["python://acme/client.py"].text
    assert "In `acme/_inner.py:24`." in passages["acme.client.Client.close"].text
    assert "speed" not in passages["acme.client.Client"].headings[-1]
    assert "_hidden" not in pages["python://acme/client.py"].text


def test_private_definition_is_documented_where_exported(environment: Path, tmp_path: Path) -> None:
    take(environment, tmp_path / "work")
    package = read(tmp_path / "work")["python://acme/__init__.py"]
    passages = {passage.anchor: passage for passage in split(package)}
    assert "In `acme/_inner.py:1`." in passages["acme.join"].text
    assert "- `first` (`str`)" in passages["acme.join"].text
    assert "```\n>>> join(\"a\")\n'a'\n```" in passages["acme.join"].text
    assert "[acme.Client](python://acme/client.py#acme.client.Client)" in package.text
    assert "_own" not in package.text


@pytest.mark.parametrize("name", ["acme", "Acme_Client", "acme.client", "ACME-client"])
def test_package_is_found_by_several_names(environment: Path, name: str) -> None:
    assert find_files(name, environment).title == "Acme-Client 2.1.0"


HOSTILE: dict[str, str | bytes] = {
    "acme/__init__.py": '"""Acme."""\n',
    "acme/broken.py": "def f(:\n",
    "acme/codec.py": "# coding: no-such-codec\n",
    "acme/cycle.py": "from .cycle import x\nfrom .other import *\n__all__ = ['x', 'nowhere']\n",
    "acme/other.py": "from .cycle import *\n",
    "acme/deep.py": "x = " + "(" * 150 + ")" * 150,
    "acme/long.py": "x = " + "-" * 100_000 + "1\n",
    "acme/nested.py": "".join(" " * n + f"class C{n}:\n" for n in range(90)) + " " * 90 + "pass\n",
    "acme/nul.py": b"x = '\0'\n",
    "acme/bytes.py": b"x = '\xff'\n",
    "acme/html.py": 'def f(a="</dt><script>x</script>"):\n    """<b onload=x>& \u202e {#x}"""\n',
    "acme/odd-name.py": "def odd(): ...\n",
    "acme/fast.cpython-311-x86_64-linux-gnu.so": b"\x7fELF",
    "acme/slow.abi3.so": b"\x7fELF",
    "acme/slow.pyi": 'def run(speed: int) -> str:\n    """Run."""\n',
}


def test_hostile_sources_are_survived(tmp_path: Path) -> None:
    environment = write_environment(tmp_path / "env", dict(HOSTILE))
    report = take(environment, tmp_path / "work")
    pages = read(tmp_path / "work")
    assert "python://acme/slow.pyi" in pages
    assert "script" in pages["python://acme/html.py"].text
    assert "\u202e" not in pages["python://acme/html.py"].text
    left, compiled = report.notes
    assert left.startswith("5 modules left out, such as acme/broken.py: line 1 is not Python")
    assert compiled == "1 module left out, compiled without a stub: acme.fast"


def test_empty_package_is_explained(tmp_path: Path) -> None:
    environment = write_environment(tmp_path / "env", {"acme/__init__.py": b"x = '\0'\n"})
    with pytest.raises(ReportedError, match=r"1 module left out, such as acme/.*: use"):
        take(environment, tmp_path / "work")


CHAIN = "".join(f"from acme.chain import a{at} as a{at + 1}\n" for at in range(2_000))


def test_long_import_chain_skips_its_module(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        **FILES,
        "acme/chain.py": f'"""Chain."""\n__all__ = ["a2000"]\n{CHAIN}',
    }
    report = take(write_environment(tmp_path / "env", files), tmp_path / "work")
    assert list(read(tmp_path / "work")) == ["python://acme/__init__.py", "python://acme/client.py"]
    assert "left out, such as acme" in report.notes[0]
    assert report.notes[0].endswith(": nested too deeply, or too large")


def test_slow_module_is_skipped(environment: Path, tmp_path: Path) -> None:
    options = CrawlOptions("python:acme-client", python=str(environment))
    report = crawl_here(options, tmp_path / "work", stalls="acme/client.py")
    assert list(read(tmp_path / "work")) == ["python://acme/__init__.py"]
    assert report.notes == ("1 module left out, such as acme/client.py: takes too long",)


def test_record_entries_cannot_escape_the_environment(tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_text('"""Secret."""\n')
    record = (
        "../../../../secret.py",
        str(tmp_path / "secret.py"),
        "acme/__init__.py",
        "acme/link.py",
    )
    environment = write_environment(
        tmp_path / "env", {"acme/__init__.py": '"""Acme."""\n'}, record=record
    )
    (package,) = environment.rglob("acme")
    (package / "link.py").symlink_to(tmp_path / "secret.py")
    report = take(environment, tmp_path / "work")
    assert list(read(tmp_path / "work")) == ["python://acme/__init__.py"]
    assert report.notes == ("1 module left out, such as acme/link.py: a link to elsewhere",)


def test_namespace_package_includes_one_distribution(tmp_path: Path) -> None:
    files = {"corp/acme/api.py": '"""Ours."""\n', "corp/other/api.py": '"""Theirs."""\n'}
    environment = write_environment(tmp_path / "env", dict(files), record=("corp/acme/api.py",))
    take(environment, tmp_path / "work")
    assert list(read(tmp_path / "work")) == ["python://corp/acme/api.py"]


def test_source_folder_is_enough(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "solo.py").write_text('"""Alone."""\n')
    report = take(tmp_path / "src", tmp_path / "work", "python:solo")
    assert (report.pages, report.version, report.license) == (1, "", "")


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("python:nosuch", "no package nosuch in .*: install it there, or use another"),
        ("python:json", "json is in the standard library: run hookwright setup python"),
        ("python:../../etc", r"no package \.\./\.\./etc in "),
        ("python:acme-client", "Acme-Client has no Python source in .* editable mode"),
    ],
)
def test_missing_package_is_reported(tmp_path: Path, source: str, told: str) -> None:
    environment = write_environment(tmp_path / "env", {})
    with pytest.raises(ReportedError, match=told):
        take(environment, tmp_path / "work", source)


@pytest.mark.long
def test_limits_are_reported(environment: Path, tmp_path: Path) -> None:
    options = CrawlOptions("python:acme", python=str(environment), max_pages=1)
    assert "stopped at 1 page (--max-pages)" in crawl(options, tmp_path).notes
    options = CrawlOptions("python:acme", python=str(environment), max_bytes=150)
    (note,) = crawl(options, tmp_path).notes
    assert note.startswith("stopped at 2 of 3 modules")


@pytest.mark.parametrize(
    "metadata",
    ["", "\xff\xfe", "Name: ../x\nVersion: 1\n", METADATA.replace("Name: A", "Name: \x1bA")],
)
def test_damaged_metadata_is_ignored(tmp_path: Path, metadata: str) -> None:
    environment = write_environment(tmp_path / "env", dict(FILES), metadata)
    assert find_files("acme", environment).title == "acme"


def test_environment_is_found(
    environment: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    project = tmp_path / "project" / "deep"
    project.mkdir(parents=True)
    assert find_environment(project) is None
    environment.rename(tmp_path / "project" / ".venv")
    own = tmp_path / "project" / ".venv"
    assert find_environment(project) == own
    monkeypatch.setenv("VIRTUAL_ENV", "/active")
    assert find_environment(project) == Path("/active")
    assert find_distribution("ACME.client", find_site_folders(own))
    assert not find_distribution("acme", find_site_folders(tmp_path))
    (own / "bin").mkdir()
    (own / "bin" / "python").touch()
    assert find_site_folders(own / "bin" / "python") == find_site_folders(own)
