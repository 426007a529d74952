"""Local manual pages become pages with an anchor for each option."""

import gzip
import shutil
from pathlib import Path

import pytest

from hookwright_console.errors import ReportedError
from hookwright_documentation.sources.child_process import crawl
from hookwright_documentation.sources.registry import CrawlOptions
from hookwright_documentation.sources.results import read_fetched

from ...support.converted_pages import convert_page
from ...support.crawling import crawl_here

TOY = r"""
.TH TOY 1 "January 2026" "toy 1.6.2" "User Commands"
.SH NAME
toy \- wind a toy up
.SH OPTIONS
.TP
\fB\-f\fR, \fB\-\-force\fR
Wind it up although it is wound up. See \fBtoy.conf\fR(5).
.TP
.B \-q
Be quiet.
.SH EXAMPLES
Wind it twice:
.PP
.RS 4
.nf
toy wind
toy wind \-\-force
.fi
.RE
""".lstrip()
MDOC = """
.Dd January 1, 2026
.Dt TOY.CONF 5
.Os
.Sh NAME
.Nm toy.conf
.Nd settings of toy
.Sh DESCRIPTION
.Bl -tag -width Ds
.It Cm Spring Ar strength
How strong the spring is.
.El
""".lstrip()
TEXT = ".TH X 1\n.SH NAME\nx \\- a page\n"

pytestmark = pytest.mark.skipif(
    not (shutil.which("groff") or shutil.which("mandoc")), reason="neither groff nor mandoc"
)


@pytest.fixture
def manuals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder of manual pages, which is the only folder searched."""
    for section in ("man1", "man5"):
        (tmp_path / "man" / section).mkdir(parents=True)
    monkeypatch.setenv("MANPATH", str(tmp_path / "man"))
    return tmp_path / "man"


def read(source: str, work: Path) -> dict[str, str]:
    """Return the markdown of a source's pages, keyed by address."""
    crawl_here(CrawlOptions(source), work)
    pages = (convert_page(page, "2026-01-01") for page in read_fetched(work))
    return {page.url: page.text for page in pages if page}


def test_sections_options_and_code_are_found(manuals: Path, tmp_path: Path) -> None:
    (manuals / "man1/toy.1.gz").write_bytes(gzip.compress(TOY.encode()))
    (manuals / "man5/toy.conf.5").write_text(MDOC)
    pages = read("man:toy,toy.*", tmp_path / "work")
    assert list(pages) == ["man://toy.1", "man://toy.conf.5"]
    text = pages["man://toy.1"]
    assert text.startswith("# toy(1)\n\n## NAME {#NAME}\n\ntoy - wind a toy up\n")
    assert "### `-f, --force` {#--force}\n\nWind it up" in text
    assert "### `-q` {#-q}\n\nBe quiet." in text
    assert "See [toy.conf(5)](man://toy.conf.5)." in text
    assert "```\ntoy wind\ntoy wind --force\n```" in text
    assert "### Spring strength {#Spring_strength}\n\nHow strong" in pages["man://toy.conf.5"]


@pytest.mark.parametrize("charset", ["utf-8", "latin-1"])
def test_special_characters_are_kept(manuals: Path, tmp_path: Path, charset: str) -> None:
    (manuals / "man1/toy.1").write_bytes(f"{TEXT}by Jörg Ångström\n".encode(charset))
    assert "by Jörg Ångström" in read("man:toy", tmp_path / "work")["man://toy.1"]


def test_section_and_version_are_reported(manuals: Path, tmp_path: Path) -> None:
    (manuals / "man1/toy.1").write_text(TOY)
    (manuals / "man5/toy.5").write_text(MDOC)
    for number, text in enumerate(("man:1/toy", "man:toy(1)")):
        report = crawl(CrawlOptions(text), tmp_path / str(number))
        assert (report.pages, report.version, report.prefix) == (1, "1.6.2", "man://")
    assert crawl(CrawlOptions("man:toy"), tmp_path / "both").pages == 2


def test_page_cannot_read_files_or_run_programs(manuals: Path, tmp_path: Path) -> None:
    secret, mark = tmp_path / "secret", tmp_path / "mark"
    secret.write_text("hunter2\n")
    (manuals / "man1/own.1").write_text(f"{TEXT}.so man1/inner.1\n.so man1/link.1\n")
    (manuals / "man1/inner.1").write_text("included words\n")
    (manuals / "man1/link.1").symlink_to(secret)
    asks = ("so", "mso", "cf", "nx", "trf", "do so", "do mso", "if 1 .so", "als x so\n.x")
    hostile = "".join(f".{ask} {secret}\n" for ask in asks)
    hostile += f".so ../secret\n.so man1/../../secret\n.sy touch {mark}\n.pso touch {mark}\n"
    hostile += f".open x {mark}\n.pi touch {mark}\n.so man1/other.1\n"
    (manuals / "man1/other.1").write_text(f"{TEXT}{hostile}last words\n")
    text = "".join(read("man:o*", tmp_path / "work").values())
    assert "included words" in text
    assert "last words" in text
    assert "hunter2" not in text
    assert not mark.exists()


@pytest.mark.long
def test_unreadable_pages_are_skipped(manuals: Path, tmp_path: Path) -> None:
    (manuals / "man1/toy.1").write_text(TOY)
    (manuals / "man1/bomb.1.gz").write_bytes(gzip.compress(b"\n" * 50_000_000))
    (manuals / "man1/broken.1.gz").write_bytes(b"no gzip")
    (manuals / "man1/link.1").symlink_to("/etc/hostname")
    report = crawl(CrawlOptions("man:*"), tmp_path / "work")
    assert report.pages == 1
    assert report.notes[0].startswith("3 pages left out, such as bomb.1.gz: over 10 MB")
    (manuals / "man1/endless.1").write_text(f"{TEXT}.nf\n.while 1 {'x' * 500}\n")
    for name, fault in {
        "bomb": "over 10 MB",
        "broken": "cannot be decompressed",
        "endless": "(takes )?over 20 (MB|s)",
        "link": "is outside of the folders of manual pages",
    }.items():
        with pytest.raises(ReportedError, match=f"^man:{name}: {name}.1[.gz]*: {fault}"):
            crawl(CrawlOptions(f"man:{name}"), tmp_path / name)


@pytest.mark.long
def test_page_that_exhausts_memory_is_skipped(manuals: Path, tmp_path: Path) -> None:
    (manuals / "man1/greedy.1").write_text(f"{TEXT}.nf\n.ds x x\n.while 1 .as x \\*x\n")
    with pytest.raises(ReportedError, match=r"^man:greedy: greedy.1: has no text"):
        crawl(CrawlOptions("man:greedy"), tmp_path / "work")


@pytest.mark.long
def test_included_pages_share_one_limit(manuals: Path, tmp_path: Path) -> None:
    (manuals / "man1/own.1").write_text(f"{TEXT}first words\n" + ".so man1/x1.1\n" * 2_000)
    for number in range(1, 5):
        inner = f".so man1/x{number + 1}.1\n" * 2_000
        (manuals / f"man1/x{number}.1").write_text(f"words of x{number}\n{inner}")
    text = read("man:own", tmp_path / "work")["man://own.1"]
    assert "first words words of x1 words of x2" in text
    assert text.count("words of") <= 100
    (manuals / "man1/big.1").write_text(f"{TEXT}big words\n" + ".so man1/half.1\n" * 50)
    (manuals / "man1/half.1").write_text("half a limit\n" + ".\n" * 2_500_000)
    assert read("man:big", tmp_path / "big")["man://big.1"].count("half a limit") == 1


def test_missing_page_is_reported(
    manuals: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ReportedError, match=f"^no manual page 3/nothing in {manuals}: see man -k"):
        crawl_here(CrawlOptions("man:3/nothing"), tmp_path / "work")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ReportedError, match=r"^neither mandoc nor groff .* \| hookwright setup jq"):
        crawl_here(CrawlOptions("man:toy"), tmp_path / "work")
