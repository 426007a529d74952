"""The pattern proposed for a pasted URL resembles a handwritten one."""

import re

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from hookwright.answers.validation import list_faults
from hookwright.patterns.check import check_routes
from hookwright.patterns.url_pattern import propose_instead, propose_pattern
from hookwright.template.store import find_template

from ...support.hypothesis_profiles import examples

OWNER_REPO = "(?P<owner>[^/?#]+)/(?P<repo>[^/?#]+)"
NUMBER = r"(?P<number>\d+)"
PROPOSED = {
    "https://github.com/org/repo/pull/7": rf"^https?://github[.]com/{OWNER_REPO}/pull/{NUMBER}",
    "github.com/o/r/issues/7#note": rf"^https?://github[.]com/{OWNER_REPO}/issues/{NUMBER}",
    "https://GitHub.com/o/r/pull/7/files": rf"^https?://github[.]com/{OWNER_REPO}/pull/{NUMBER}",
    "https://github.com/o/r/blob/main/a.py": (
        rf"^https?://github[.]com/{OWNER_REPO}/blob/(?P<ref>[^/?#]+)"
    ),
    "https://docs.example.com/": "^https?://docs[.]example[.]com/",
    "https://docs.example.com": "^https?://docs[.]example[.]com(?:[/?#]|$)",
    "http://localhost:8000/a/": "^https?://localhost:8000/a/",
    "localhost/a/": "^https?://localhost/a/",
    "https://example.com:443/a/b.html": "^https?://example[.]com(?::443)?/a/",
    "https://me:secret@example.com/a/b": r"^https?://(?:[^/?#@\\]*@)?example[.]com/a/",
    "https://bücher.example/a/": "^https?://bücher[.]example/a/",
    "http://[::1]:8080/a/": r"^https?://\[::1\]:8080/a/",
    "https://go.dev/doc": "^https?://go[.]dev/doc(?:[/?#]|$)",
    "https://example.com/index.html": "^https?://example[.]com/",
    "https://docs.python.org/3/library/re.html": "^https?://docs[.]python[.]org/3/library/",
    "https://example.com/watch?v=1": "^https?://example[.]com/watch(?:[/?#]|$)",
    "https://jira.example.com/browse/ABC-12": (
        r"^https?://jira[.]example[.]com/browse/(?P<key>[A-Z][A-Z0-9]+-\d+)"
    ),
    "https://example.com/a/12/b/34": (rf"^https?://example[.]com/a/{NUMBER}/b/(?P<number2>\d+)"),
    "https://example.com/a+(b)|c[d]^{e}$/": (
        r"^https?://example[.]com/a[+][(]b[)][|]c\[d\]\^[{]e[}][$]/"
    ),
}
REFUSED = (
    *("", " ", "hello", "hello world", "/a/b", "mailto:me@example.com", "javascript:alert(1)"),
    *("ftp://example.com/", "file:///etc/passwd", "https://", "https://a b/", "https://a\\b/"),
    *("https://example.com/\x1b[2J", "https://example.com/\u3164", "https://exam。ple.com/"),
    *("https://a..b/", "http://[::1/", "https://x:99999999/", "https://%41.com/"),
    "https://example.com/" + "a" * 1_000_000,
)


def test_pattern_contains_host_and_stable_path() -> None:
    for url, pattern in PROPOSED.items():
        assert propose_pattern(url) == pattern


def test_invalid_url_is_rejected_in_one_line() -> None:
    for url in REFUSED:
        with pytest.raises(
            ValueError, match=r"(is not a web address|too long for a URL): (enter|use)"
        ) as error:
            propose_pattern(url)
        assert len(str(error.value)) < 200
        assert str(error.value).isprintable()


def test_proposed_patterns_pass_the_checks() -> None:
    long = ["https://example.com" + "/12" * 600, "https://example.com/" + "a." * 900 + "/b"]
    patterns = [propose_pattern(url) for url in [*PROPOSED, *long]]
    routes = {str(at): {"pattern": text, "message": "M."} for at, text in enumerate(patterns)}
    assert list_faults(find_template(), "routes", routes) == []
    assert check_routes(routes) == []


LABEL = st.from_regex("[a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?", fullmatch=True)
HOST = st.lists(LABEL, min_size=2, max_size=3).map(".".join) | st.sampled_from(
    ["github.com", "gitlab.com", "pypi.org", "bücher.example"]
)
PART = st.text(st.characters(exclude_categories=["C", "Z"], exclude_characters="/?#\\"), max_size=9)
SHAPED = st.sampled_from(["pull", "12", "a", "0" * 40, "ABC-1", "-", "issues", "project"])
PATH = st.lists(SHAPED | PART, max_size=9).map(lambda parts: "".join(f"/{part}" for part in parts))


@settings(max_examples=examples(400))
@given(HOST, PATH, st.sampled_from(["", "?a=b", "#c"]), st.sampled_from(["", ":80", ":8000"]))
def test_pattern_matches_its_url_only_on_its_host(
    host: str, path: str, rest: str, port: str
) -> None:
    url = f"https://{host}{port}{path}{rest}"
    try:
        pattern = re.compile(propose_pattern(url), re.IGNORECASE)
    except ValueError:
        reject()
    assert pattern.search(url)
    for other in (f"evil-{host}", f"evil.{host}", f"{host}.evil.org", f"evil.org/{host}"):
        assert not pattern.search(f"https://{other}{port}{path}{rest}")
    assert not pattern.search(f"https://evil.org/?u={url}")


@pytest.mark.parametrize(
    ("pattern", "better"),
    [
        ("https://github.com/octo/hello?tab=readme#x", True),
        ("https://github.com/octo/hello", False),
        ("https?://github.com/octo", False),
        ("(a+", False),
    ],
)
def test_unmatched_address_gets_a_pattern(pattern: str, *, better: bool) -> None:
    proposed = propose_instead(pattern)
    assert bool(proposed) == better
    assert not better or re.search(proposed, pattern)
