"""A crawl runs in a separate process, which stops if its parent exits or the crawl is stuck."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hookwright_console.errors import ReportedError
from hookwright_documentation.databases import locking
from hookwright_documentation.sources import child_process, registry
from hookwright_documentation.sources.child_process import crawl
from hookwright_documentation.sources.registry import CrawlOptions, SourceKind

from ...support.certificates import certify, trust_nobody
from ...support.documentation_site import Answer, Site, page, redirect, serving

CRAWL = """
import sys
from pathlib import Path
from hookwright_documentation.sources.child_process import crawl
from hookwright_documentation.sources.registry import CrawlOptions
crawl(CrawlOptions(sys.argv[1], delay=0), Path(sys.argv[2]))
"""
MODULE = (
    "from hookwright_documentation.sources.child_process import end_when_stuck, end_with_parent"
)
STUCK = "__import__('re').match('(a+)+$', 'a' * 60 + 'b')"  # blocks all other threads
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


def send_slowly() -> Iterator[bytes]:
    for _ in range(200):
        time.sleep(0.05)
        yield b"x"


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until(happened: object, seconds: float = 60) -> bool:
    assert callable(happened)
    end = time.monotonic() + seconds
    while not (done := bool(happened())) and time.monotonic() < end:
        time.sleep(0.02)
    return done


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_crawl_stops_with_its_parent(tmp_path: Path, number: signal.Signals) -> None:
    with serving(Site({"/": Answer(send_slowly)})) as site:
        parent = subprocess.Popen(
            [sys.executable, "-c", CRAWL, site.url, str(tmp_path)], stderr=subprocess.DEVNULL
        )
        assert wait_until(lambda: "/" in site.asked)
        children = Path(f"/proc/{parent.pid}/task/{parent.pid}/children").read_text().split()
        assert children
        os.kill(parent.pid, number)
        parent.wait(15)
        assert wait_until(lambda: not any(is_running(int(child)) for child in children))


@pytest.mark.long
def test_slow_page_blocks_nothing_else(tmp_path: Path) -> None:
    site = Site({"/": page("Home", "/slow", "/a"), "/slow": Answer(send_slowly), "/a": page("A")})
    with serving(site):
        report = crawl(CrawlOptions(site.url, delay=0, time_limit=4), tmp_path)
    assert report.pages == 2
    assert any("1 page not fetched" in note and "/slow" in note for note in report.notes)


@pytest.mark.long
def test_time_limit_stops_the_crawl(tmp_path: Path) -> None:
    pages = {f"/{n}": page(f"Page {n}", f"/{n + 1}") for n in range(200)}
    with serving(Site({"/": page("Home", "/0"), **pages})) as site:
        options = CrawlOptions(site.url, delay=0.1, time_limit=3, max_depth=300)
        report = crawl(options, tmp_path)
    assert 2 <= report.pages < 50
    assert "stopped at 3 s (narrow it with --prefix): there is more" in report.notes


@pytest.mark.long
def test_time_limit_before_the_first_page_is_reported(tmp_path: Path) -> None:
    with serving(Site({"/": page("Home", "/a"), "/a": page("A")})) as site:
        options = CrawlOptions(site.url, delay=0.5, time_limit=1)
        with pytest.raises(ReportedError, match=r"stopped at 1 s \(narrow it"):
            crawl(options, tmp_path)


def test_crashed_process_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = "def recognise(text): return text\ndef take(*_): raise SystemExit('out of memory')"
    (tmp_path / "crashing_source.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(registry, "SOURCES", [SourceKind("crashing_source")])
    with pytest.raises(ReportedError, match="the crawl ended early: run it again to continue"):
        crawl(CrawlOptions("any"), tmp_path)
    assert (tmp_path / child_process.LOG).read_text() == "out of memory\n"


@pytest.mark.parametrize("ends", ["os._exit(1)", STUCK])
def test_item_that_ends_the_process_is_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ends: str
) -> None:
    code = f"""
import os
from hookwright_documentation.sources import child_process
from hookwright_documentation.sources.registry import CrawlReport

child_process.PAGE_LIMIT = 0.2

def recognise(text):
    return text

def take(options, folder, progress, reading):
    read = []
    for item in ("first", "bad", "last"):
        try:
            with reading(item):
                if item == "bad":
                    {ends}
                read.append(item)
        except TimeoutError as error:
            read.append(error.strerror)
    return CrawlReport("", notes=tuple(read))
"""
    (tmp_path / "made_up_source.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(registry, "SOURCES", [SourceKind("made_up_source", has_steps=True)])
    monkeypatch.delitem(sys.modules, "made_up_source", raising=False)
    skipped = "takes too long, or crashes the process that reads it"
    assert crawl(CrawlOptions("any"), tmp_path / "work").notes == ("first", skipped, "last")


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_crawl_memory_is_limited(tmp_path: Path) -> None:
    limits: list[str] = []

    def look(*_: int) -> None:
        for children in Path("/proc/self/task").glob("*/children"):
            paths = [Path("/proc", child, "limits") for child in children.read_text().split()]
            limits.extend(path.read_text() for path in paths)

    with serving(Site({"/": page("Home", "/a"), "/a": page("A")})) as site:
        crawl(CrawlOptions(site.url, delay=0), tmp_path, look)
    assert any("Max address space         3000000000" in limit for limit in limits)


def test_missing_scrapy_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child_process, "PACKAGES", ("no_such_package",))
    with pytest.raises(ReportedError, match="no_such_package is missing because the extra"):
        crawl(CrawlOptions("http://127.0.0.1:9/"), tmp_path)


@pytest.mark.long
def test_company_certificate_is_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    certificate, context = certify(tmp_path)
    site = Site({"/": page("Home", "/a"), "/a": page("A")})
    with serving(site, context):
        trust_nobody(monkeypatch)
        with pytest.raises(
            ReportedError, match="its certificate is not trusted: set SSL_CERT_FILE"
        ):
            crawl(CrawlOptions(site.url, delay=0), tmp_path / "a")
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        assert crawl(CrawlOptions(site.url, delay=0), tmp_path / "b").pages == 2


@pytest.mark.long
def test_proxy_is_used_and_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = Site({"/": page("Home", "/a", "/b"), "/a": page("A")})
    site.answers["/b"] = redirect("http://10.0.0.1/")
    with serving(site) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url)
        monkeypatch.delenv("no_proxy", raising=False)
        report = crawl(CrawlOptions("http://docs.example.invalid/", delay=0), tmp_path)
        with pytest.raises(ReportedError, match="is not on the internet"):
            crawl(CrawlOptions("http://docs.example.invalid/b", delay=0), tmp_path / "b")
    assert report.pages == 2
    assert "behind a proxy: could not check whether names lead to private addresses" in report.notes
    assert not [url for url in site.asked if "10.0.0.1" in url]


@pytest.mark.skipif(sys.platform != "linux", reason="a service of Linux")
def test_stuck_process_stops_with_its_parent() -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT, CHILD], stdout=subprocess.PIPE) as parent:
        assert parent.stdout
        child = int(parent.stdout.readline())
        assert is_running(child)
        parent.kill()
        assert wait_until(lambda: not is_running(child))


@pytest.mark.skipif(sys.platform != "linux", reason="a service of Linux")
def test_orphaned_process_stops() -> None:
    code = f"{MODULE}; end_with_parent(1 << 30); print('still here')"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (run.returncode, run.stdout) == (1, b"")


@pytest.mark.parametrize(("limits", "busy"), [("60, 0.2", STUCK), ("0.1, 60", "input()")])
def test_stuck_process_stops(limits: str, busy: str) -> None:
    code = f"{MODULE}; end_when_stuck({limits}); {busy}"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.wait(15) == 1
        assert process.stderr
        assert b"most recent call first" in process.stderr.read()


def test_concurrent_crawl_is_refused(tmp_path: Path) -> None:
    with (
        locking(tmp_path),
        pytest.raises(ReportedError, match="another process is building"),
        locking(tmp_path, patience=0),
    ):
        pass


@pytest.mark.skipif(sys.platform != "linux", reason="macOS may refuse the limit")
def test_memory_is_limited() -> None:
    code = (
        "from hookwright_documentation.sources.child_process import limit_memory\n"
        "limit_memory(500_000_000)\n"
        "try:\n    bytearray(1_000_000_000)\nexcept MemoryError:\n    print('refused')\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert run.stdout == "refused\n"
