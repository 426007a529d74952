"""Propose a route's pattern from an example URL."""

import re
from collections.abc import Iterator

from hookwright_console.text import is_visible, shorten

MAX_URL = 2000  # characters per URL
MAX_PARTS = 6  # maximum path segments in a pattern: more would match only a single page
URL = re.compile(
    r"(?P<scheme>[a-z][a-z0-9+.-]*://|//)?(?:(?P<user>[^/?#@]*)@)?"
    r"(?P<host>\[[0-9a-f:.]+\]|[\w-]+(?:[.][\w-]+)*[.]?)(?P<port>:\d{1,5})?"
    r"(?P<path>/[^?#]*)?(?:[?#].*)?",
    re.IGNORECASE,
)
# A pasted address, without characters that only occur in regular expressions.
PASTED = re.compile(r"https?://[^\s\\^$*|()\[\]{}]+")
# A URL without a scheme, as copied from a browser, or with parentheses.
EITHER = re.compile(r"(?:https?://|(?=[\w-]+(?:[.][\w-]+)+/))(?:[^\s\\^$*|()\[\]{}]|[()](?!\?))+")
SCHEMES = (None, "//", "http://", "https://")
DEFAULT_PORTS = (":80", ":443")
END = "(?:[/?#]|$)"

# Page paths on well-known sites; each {name} is a named group.
SHAPES = {
    "github.com": (
        "{owner}/{repo}/pull/{number}",
        "{owner}/{repo}/issues/{number}",
        "{owner}/{repo}/discussions/{number}",
        "{owner}/{repo}/actions/runs/{number}",
        "{owner}/{repo}/commit/{sha}",
        "{owner}/{repo}/blob/{ref}",
        "{owner}/{repo}/tree/{ref}",
    ),
    "gitlab.com": (
        "{owner}/{repo}/-/merge_requests/{number}",
        "{owner}/{repo}/-/issues/{number}",
        "{owner}/{repo}/-/pipelines/{number}",
        "{owner}/{repo}/-/jobs/{number}",
    ),
    "bitbucket.org": ("{owner}/{repo}/pull-requests/{number}",),
    "pypi.org": ("project/{package}",),
    "www.npmjs.com": ("package/{package}",),
    "crates.io": ("crates/{package}",),
}
# Path segments that differ between pages, by group name.
CHANGING = {
    "number": r"\d+",
    "sha": "[0-9a-f]{40}",
    "id": "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    "key": r"[A-Z][A-Z0-9]+-\d+",  # issue key, such as ABC-123
}
ANY = "[^/?#]+"
PART = re.compile(r"\{(\w+)\}")


def propose_pattern(url: str) -> str:
    """Return a pattern for similar URLs: the host and the stable part of the path.

    Each variable segment becomes a named group. The default scheme is https. Raises ValueError if
    it is not a web page's URL.
    """
    url = url.strip()
    if len(url) > MAX_URL:
        raise ValueError(f"{shorten(url)} is too long for a URL: use at most {MAX_URL} characters")
    match = URL.fullmatch(url)
    if not (match and is_visible(url) and is_web(match)) or re.search(r"[\s\\]", url):
        raise ValueError(
            f'"{shorten(url)}" is not a web address: enter one such as '
            "https://docs.example.com/guide/"
        )
    host = match["host"].lower()
    # If a URL contains a user name, a pattern that begins with the host would not match it.
    user = "" if match["user"] is None else r"(?:[^/?#@\\]*@)?"
    port = f"(?:{match['port']})?" if match["port"] in DEFAULT_PORTS else match["port"] or ""
    start = f"^https?://{user}{escape(host)}{port}"
    path = match["path"] or ""
    return start + (find_shape(host, path) or write_path(path))


def propose_instead(pattern: str) -> str:
    """Return the pattern to use instead of an address that does not match itself, or ""."""
    if not PASTED.fullmatch(pattern) or re.search(pattern, pattern):
        return ""
    try:
        return propose_pattern(pattern)
    except ValueError:
        return ""


def is_web(match: "re.Match[str]") -> bool:
    scheme = match["scheme"]
    if (scheme.lower() if scheme else None) not in SCHEMES:
        return False
    bare = not scheme and not match["port"]
    named = "." in match["host"].strip(".") or match["host"].lower() == "localhost"
    return not bare or (named and match["user"] is None)


def find_shape(host: str, path: str) -> str:
    """Return a well-known site's path pattern, or ""."""
    for shape in SHAPES.get(host, ()):
        pattern = "/" + PART.sub(lambda part: f"(?P<{part[1]}>{CHANGING.get(part[1], ANY)})", shape)
        if re.match(pattern, path):
            return pattern
    return ""


def write_path(path: str) -> str:
    if not path:
        return END
    parts = path[1:].split("/")
    written = list(write_parts(parts[: MAX_PARTS + 1]))
    *folders, page = [*written[:MAX_PARTS], ""] if len(parts) > MAX_PARTS else written
    if page == escape(parts[-1]):  # a literal page name, not a group that also matches other pages
        page = page + END if page and not folders and "." not in parts[0] else ""
    return "".join(f"/{folder}" for folder in folders) + f"/{page}"


def write_parts(parts: list[str]) -> Iterator[str]:
    """Yield each path segment's pattern: a named group, or the segment itself.

    A number at the start of a longer path counts as a version, as in docs.python.org/3/library/.
    """
    taken: dict[str, int] = {}
    for place, part in enumerate(parts):
        names = (name for name, pattern in CHANGING.items() if re.fullmatch(pattern, part))
        name = next(names, "")
        if not name or (part.isdecimal() and place == 0 < len(parts) - 1):
            yield escape(part)
            continue
        taken[name] = taken.get(name, 0) + 1
        number = "" if taken[name] == 1 else taken[name]
        yield f"(?P<{name}{number}>{CHANGING[name]})"


def escape(text: str) -> str:
    """Return a text's pattern, escaped with brackets rather than backslashes."""
    return re.sub(r"[.+*?()|${}]", r"[\g<0>]", re.sub(r"[\[\]^]", r"\\\g<0>", text))
