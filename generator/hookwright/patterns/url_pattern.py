"""Propose the pattern of a route from a URL that it is for."""

import re
from collections.abc import Iterator

from hookwright_console.text import is_visible, shorten

MAX_URL = 2000  # characters of a URL
MAX_PARTS = 6  # parts of a path that a pattern has: more would name one page
URL = re.compile(
    r"(?P<scheme>[a-z][a-z0-9+.-]*://|//)?(?:(?P<user>[^/?#@]*)@)?"
    r"(?P<host>\[[0-9a-f:.]+\]|[\w-]+(?:[.][\w-]+)*[.]?)(?P<port>:\d{1,5})?"
    r"(?P<path>/[^?#]*)?(?:[?#].*)?",
    re.IGNORECASE,
)
# An address as it is pasted, without what only a regular expression has.
PASTED = re.compile(r"https?://[^\s\\^$*|()\[\]{}]+")
# One that may be either: browsers copy addresses without a scheme, and some have parentheses.
EITHER = re.compile(r"(?:https?://|(?=[\w-]+(?:[.][\w-]+)+/))(?:[^\s\\^$*|()\[\]{}]|[()](?!\?))+")
SCHEMES = (None, "//", "http://", "https://")
DEFAULT_PORTS = (":80", ":443")
END = "(?:[/?#]|$)"

# The paths of pages of well-known sites; each {name} is a named group.
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
# The parts of a path that change from page to page, by the name of their group.
CHANGING = {
    "number": r"\d+",
    "sha": "[0-9a-f]{40}",
    "id": "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    "key": r"[A-Z][A-Z0-9]+-\d+",  # of an issue: ABC-123
}
ANY = "[^/?#]+"


def propose_pattern(url: str) -> str:
    """Return a pattern for the URLs that are like one: its host, and the stable part of its path.

    Each part that plainly changes becomes a named group. Without a scheme, https is meant. Raises
    ValueError if it is not the URL of a web page.
    """
    url = url.strip()
    if len(url) > MAX_URL:
        raise ValueError(f"{shorten(url)} is too long for a URL: give {MAX_URL} characters at most")
    match = URL.fullmatch(url)
    if not (match and is_visible(url) and is_web(match)) or re.search(r"[\s\\]", url):
        raise ValueError(
            f'"{shorten(url)}" is not a web address: give one such as '
            "https://docs.example.com/guide/"
        )
    host = match["host"].lower()
    # Where a URL names a user, a pattern that begins with the host would not match it.
    user = "" if match["user"] is None else r"(?:[^/?#@\\]*@)?"
    start = f"^https?://{user}{write_host(host)}{write_port(match['port'])}"
    path = match["path"] or ""
    return start + (find_shape(host, path) or write_path(path))


def propose_instead(pattern: str) -> str:
    """Return the pattern to write instead of an address that does not match itself, or ""."""
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


def write_host(host: str) -> str:
    """Return the pattern of a host; in both of its forms, where it has letters beyond ASCII."""
    try:
        wire = host.encode("idna").decode()
        same = wire != host and wire.encode().decode("idna") == host
    except UnicodeError:
        same = False
    return f"(?:{escape(host)}|{escape(wire)})" if same else escape(host)


def write_port(port: str | None) -> str:
    return f"(?:{port})?" if port in DEFAULT_PORTS else port or ""


def find_shape(host: str, path: str) -> str:
    """Return the pattern of the path of a well-known site; nothing where none fits."""
    for shape in SHAPES.get(host, ()):
        pattern = "".join(f"/{write_part(part)}" for part in shape.split("/"))
        if re.match(pattern, path):
            return pattern
    return ""


def write_part(part: str) -> str:
    name = part.strip("{}")
    return part if name == part else f"(?P<{name}>{CHANGING.get(name, ANY)})"


def write_path(path: str) -> str:
    if not path:
        return END
    parts = path[1:].split("/")
    written = list(write_parts(parts[: MAX_PARTS + 1]))
    *folders, page = [*written[:MAX_PARTS], ""] if len(parts) > MAX_PARTS else written
    if page == escape(parts[-1]):  # the page itself, not a group that is for others as well
        page = page + END if page and not folders and "." not in parts[0] else ""
    return "".join(f"/{folder}" for folder in folders) + f"/{page}"


def write_parts(parts: list[str]) -> Iterator[str]:
    """Yield the pattern of each part of a path: a named group, or the part itself.

    A number that begins a longer path is a version, as in docs.python.org/3/library/.
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
    """Return the pattern of a text, in brackets rather than behind backslashes."""
    return re.sub(r"[.+*?()|${}]", r"[\g<0>]", re.sub(r"[\[\]^]", r"\\\g<0>", text))
