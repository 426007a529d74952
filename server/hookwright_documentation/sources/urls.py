"""Normalise URLs so that each page is fetched only once."""

import re
from contextlib import suppress
from functools import lru_cache
from urllib.parse import urljoin, urlsplit, urlunsplit

# Query parameters that identify a visit or a campaign rather than a page.
PASSING = re.compile(
    r"(?:utm_\w+|gclid|fbclid|msclkid|mc_[ce]id|_ga|ref|referrer|highlight|print|replytocom"
    r"|(?:php|j|asp\.net_)?_?sess(?:ion)?_?id|sid|cfid|cftoken|s?token)\Z",
    re.IGNORECASE,
)
SESSION = re.compile(r";(?:jsessionid|phpsessid|sid)=[^/?#]*", re.IGNORECASE)
INDEX = re.compile(r"(?<=/)index\.html?\Z")
HOST = re.compile(r"(?:[\w.-]+|[0-9a-f:.]+)\Z")
MAX_URL = 4_000  # characters
PORTS = {"http": 80, "https": 443}
# Path endings of files that are not pages.
FILES = re.compile(
    r"\.(?:7z|atom|avif|bmp|bz2|c|cc|cpp|css|csv|dmg|docx?|eot|epub|exe|gif|gz|h|ico|ipynb|inv|jar"
    r"|jpe?g|js|json|m4[av]|map|mjs|mobi|mov|mp[34]|msi|odt|og[gv]|otf|pdf|png|pptx?|ps|py|pyc"
    r"|rar|rss|sh|svgz?|tar|tgz|tiff?|ttf|wasm|wav|web[mp]|whl|woff2?|xlsx?|xml|xz|ya?ml|zip)\Z",
    re.IGNORECASE,
)
# Pages that only list or repeat other pages.
LISTS = re.compile(
    r"(?:.*/)?(?:_sources|_static|_images|_downloads|cdn-cgi|wp-json)/"
    r"|(?:.*/)?(?:genindex(?:-[^/]*)?|py-modindex)(?:\.html?|/)?\Z"
    r"|search(?:\.html?|/)?\Z"  # in a deeper folder, such a page is about searching
)


@lru_cache(maxsize=100_000)
def normalize(url: str) -> str:
    """Return a URL without fragment, session and campaign, or "" if it is not a site's URL."""
    from w3lib.url import safe_url_string  # installed only for crawls

    try:
        parts = urlsplit(safe_url_string(url.strip()))
        name, port = parts.hostname or "", parts.port
    except ValueError:
        return ""
    if parts.scheme not in PORTS or "@" in parts.netloc or not HOST.match(name):
        return ""
    host = f"[{name}]" if ":" in name else name
    netloc = host if port in (None, PORTS[parts.scheme]) else f"{host}:{port}"
    path = INDEX.sub("", SESSION.sub("", parts.path) or "/")
    query = [word for word in parts.query.split("&") if not PASSING.match(word.partition("=")[0])]
    return urlunsplit((parts.scheme, netloc, path, "&".join(query), ""))


def join(base: str, target: str) -> str:
    """Return the absolute address of a link, or "" if it is invalid."""
    with suppress(ValueError):
        return urljoin(base, target) if len(target) <= MAX_URL else ""
    return ""


def resolve(base: str, target: str) -> str:
    """Return the absolute, normalised address of a link, or "" if it is empty or invalid."""
    return normalize(join(base, target)) if target else ""


def is_file(url: str) -> bool:
    """Return whether the end of a URL's path shows that it is not a page."""
    return bool(FILES.search(urlsplit(url).path))


def is_list(path: str) -> bool:
    """Return whether a page only lists or repeats other pages, like genindex.html."""
    return bool(LISTS.match(path))


def find_url_folder(url: str) -> str:
    """Return the folder of a file's URL; add a slash to any other URL."""
    parts = urlsplit(url)
    folder, _, last = parts.path.rpartition("/")
    path = f"{folder}/" if not last or "." in last else f"{parts.path}/"
    return urlunsplit((parts.scheme, parts.netloc, path, "", ""))


def list_folders(url: str) -> list[str]:
    """Return the addresses of a folder and of all its parents, up to the site's root."""
    parts = urlsplit(url)
    names = parts.path.strip("/").split("/") if parts.path.strip("/") else []
    paths = ["/" + "".join(f"{name}/" for name in names[:n]) for n in range(len(names), -1, -1)]
    return [urlunsplit((parts.scheme, parts.netloc, path, "", "")) for path in paths]


def find_origin(url: str) -> tuple[str, int]:
    parts = urlsplit(url)
    return (parts.hostname or "").lower(), parts.port or PORTS.get(parts.scheme, 0)


def find_twins(url: str) -> list[str]:
    """Return the addresses of HTML pages that may have the same content as a markdown page."""
    if not url.endswith(".md"):
        return []
    stem = url.removesuffix(".md")
    if stem.endswith((".html", ".htm")):
        return [stem]
    folder = stem.removesuffix("index")
    return [stem, stem + ".html", stem + "/", *([folder] if folder.endswith("/") else [])]
