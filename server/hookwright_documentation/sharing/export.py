"""Select the parts of a database to share: pages with a licence, and nothing private."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from hookwright_console.errors import RefusedError
from hookwright_console.files.regular import read_regular
from hookwright_console.terminal import count, track
from hookwright_console.text import shorten
from hookwright_documentation.cutting import list_pages, read_page
from hookwright_documentation.cutting.licenses import canonicalize
from hookwright_documentation.cutting.page_files import format_page
from hookwright_documentation.databases import Database
from hookwright_documentation.pages import Page
from hookwright_documentation.recipes.recipe import Recipe, recall_recipe
from hookwright_documentation.sharing.archive import (
    clean_license,
    describe_files,
    list_contents,
)
from hookwright_documentation.sharing.manifest import (
    LICENSE,
    MAX_KEYWORDS,
    MAX_LINES,
    MAX_PAGE,
    SharedManifest,
    name_folder,
)
from hookwright_documentation.sources.git.repository import GIT
from hookwright_documentation.sources.registry import find_source, split
from hookwright_documentation.sources.site.addresses import is_private_name, is_public, may_be_own
from hookwright_documentation.sources.urls import normalize

FILE = "file:"  # prefix of local addresses
LICENSE_PAGE = re.compile(r"(?:^|/)(?:licen[cs]e|copying)(?:\.[a-z]{2,8})?/*\Z", re.IGNORECASE)
NAMED = 5  # pages of each kind to list
NAMELESS = frozenset(("", "root"))  # names of home folders that do not identify a person
DOMAIN = re.compile(r"[A-Za-z0-9-]+(?:[.][A-Za-z0-9-]+)+")
LINK = re.compile(r"https?://[^\s()<>\[\]\"'`]{1,2000}")


@dataclass(frozen=True)
class Export:
    """The shareable part of a database."""

    manifest: SharedManifest
    license_text: str  # the licence's text, or ""
    pages: tuple[Page, ...]
    notes: tuple[str, ...]  # messages for the user


def choose_export(
    database: Database,
    keywords: Sequence[str] = (),
    license_text: str = "",
    *,
    with_tokens: bool = False,
) -> Export:
    """Return the shareable part of a database; raises RefusedError.

    `keywords` default to those chosen at setup, and `license_text` to the licence found among the
    pages. `with_tokens` includes pages that seem to contain a token or private key.
    """
    manifest = database.manifest
    recipe = recall_recipe(manifest)
    known = canonicalize(manifest.license)
    read = map(read_page, track("Reading", list_pages(database.pages)))
    pages = [replace(page, license=canonicalize(page.license) or known) for page in read]
    notes: list[str] = []
    pages = leave_out(
        pages,
        lambda page: has_secret(page.url) or has_secret(page.text),
        "an apparent secret in an address: set it up again without it",
        notes,
    )
    if any(page.license for page in pages):
        pages = leave_out(pages, lambda page: not page.license, "their unknown licence", notes)
    limits = f"their size, over {MAX_PAGE:,} bytes or {MAX_LINES:,} lines"
    way_out = "set it up again with a --prefix that has smaller pages"
    pages = leave_out(pages, is_large, f"{limits}: {way_out}", notes)
    if not with_tokens:
        reason = "an apparent token or key: if it is an example, share it with --force"
        pages = leave_out(pages, has_token, reason, notes)
    license_ = known or join_licenses(pages)
    words = tuple(keywords) or recipe.keywords
    if others := words[MAX_KEYWORDS:]:
        notes.append(
            f"the first {MAX_KEYWORDS} keywords are shared, without {shorten(', '.join(others))}"
        )
    site = str(manifest.options.get("site") or "")
    # The importing user sees and accepts the domains; the site's address reveals nothing else.
    host = urlsplit(site).hostname if is_followed(site) else None
    domains = dict.fromkeys([*recipe.domains, *filter(None, [host])])
    recipe = replace(
        recipe, license=license_, keywords=words[:MAX_KEYWORDS], domains=tuple(domains)
    )
    prefix = manifest.prefix
    if is_local(recipe.source):
        pages = hide_folders(pages, recipe, prefix)
        if prefix.startswith(FILE) and prefix != name_folder(recipe.name):
            prefix = name_folder(recipe.name)
            notes.append(f"its folder is hidden: its page URLs begin with {prefix}")
    recipe = share_addresses(recipe, notes)
    text = clean_license(license_text or find_license(database, pages)) if license_ else ""
    is_pipe = find_source(manifest.source).is_pipe
    start, end = ("pipe its text into", " -") if is_pipe else ("set it with", "")
    way_out = f"{start} hookwright setup {recipe.name}{end} --license SPDX"
    if not license_ and not is_followed(recipe.source):
        raise RefusedError(
            f"{recipe.name} has no known licence, and no public address to fetch its pages from: "
            f"{way_out}"
        )
    if not license_:
        notes.append(
            f"the licence is unknown, so only the recipe and checksums are shared: {way_out}"
        )
    elif not text:
        notes.append(
            "no page contains the licence text, so its address is shared: add --license-file FILE"
        )
    shared = SharedManifest(
        recipe,
        prefix,
        manifest.version,
        manifest.crawled,
        describe_files(list_contents(text, pages)),
        str(manifest.options.get("copyright") or "") if license_ else "",
    )
    return Export(shared, text, tuple(pages), tuple(notes))


def leave_out(
    pages: list[Page], is_odd: Callable[[Page], bool], reason: str, notes: list[str]
) -> list[Page]:
    """Return the other pages, and note those left out; raises RefusedError if that is all."""
    odd = list(filter(is_odd, pages))
    if len(odd) == len(pages):
        raise RefusedError(f"every page is left out because of {reason}")
    if odd:
        named = ", ".join(shorten(remove_secrets(page.url)) for page in odd[:NAMED])
        notes.append(f"{count(len(odd), 'page')} left out, such as {named}, because of {reason}")
    urls = {page.url for page in odd}
    return [page for page in pages if page.url not in urls]


def is_large(page: Page) -> bool:
    content = format_page(page)
    return len(content.encode()) > MAX_PAGE or content.count("\n") > MAX_LINES


def has_token(page: Page) -> bool:
    from hookwright_secret_scan.credentials import find_token

    return bool(find_token(f"{page.title}\n{page.text}"))


def join_licenses(pages: Sequence[Page]) -> str:
    each = sorted({page.license for page in pages if page.license})
    if len(each) == 1:
        return each[0]
    return canonicalize(" AND ".join(f"({term})" if " " in term else term for term in each))


def is_local(source: str) -> bool:
    return "://" not in source or source.removeprefix(GIT).lower().startswith(FILE)


def hide_folders(pages: Sequence[Page], recipe: Recipe, prefix: str) -> list[Page]:
    home = str(Path.home())
    names = [(prefix, name_folder(recipe.name))] if prefix.startswith(FILE) else []
    path = find_source(recipe.source).place or urlsplit(recipe.source.removeprefix(GIT)).path
    names += [(path, recipe.name)] if path.startswith("/") else []
    names += [(recipe.python, "python")]
    names += [] if Path(home).name in NAMELESS else [(home, "~")]

    def rename(text: str) -> str:
        for name, other in names:
            text = text.replace(name, other) if name else text
        return text

    return [
        replace(page, url=rename(page.url), title=rename(page.title), text=rename(page.text))
        for page in pages
    ]


def share_addresses(recipe: Recipe, notes: list[str]) -> Recipe:
    """Return a recipe without local addresses and without secrets."""
    is_url = recipe.prefix.lower().startswith(("http://", "https://"))
    prefix = remove_secrets(recipe.prefix) if is_url else ""
    prefix = recipe.prefix if find_source(recipe.source).has_folders else prefix
    recipe = replace(recipe, python="")
    if is_local(recipe.source):
        notes.append("its source is on this machine and is not shared: nobody can refresh it")
        return replace(recipe, source="", prefix=prefix if is_url else "")
    source = remove_secrets(recipe.source)
    if source != recipe.source:
        notes.append(f"the address of its source is shared without its secrets, as {source}")
    if not is_followed(source):
        notes.append(f"{source} is not on the internet: importers cannot refresh it")
    return replace(recipe, source=source, prefix=prefix)


def find_license(database: Database, pages: Sequence[Page]) -> str:
    """Return the licence's text: the imported one, or that of a licence page, or ""."""
    try:
        return read_regular(database.folder / LICENSE).decode()
    except (OSError, ValueError):
        named = [page for page in pages if LICENSE_PAGE.search(urlsplit(page.url).path)]
        return min(named, key=lambda page: (len(page.url), page.url)).text if named else ""


def is_followed(url: str) -> bool:
    """Return whether an untrusted address has a public host name and no user name."""
    host = urlsplit(normalize(url.removeprefix(GIT))).hostname or ""
    return bool(host) and not is_private_name(host) and (not may_be_own(host) or is_public(host))


def is_domain(name: str) -> bool:
    return bool(DOMAIN.fullmatch(name)) and is_followed(f"https://{name}/")


def remove_secrets(url: str) -> str:
    """Return an address without user and password, and without a query that contains a secret."""
    parts = split(url)
    parts = parts._replace(netloc=parts.netloc.rpartition("@")[2], fragment="")
    return urlunsplit(parts._replace(query="") if has_secret(urlunsplit(parts)) else parts)


def has_secret(text: str) -> bool:
    if "?" not in text and "@" not in text:
        return False
    from hookwright_secret_scan.credentials import find_secret

    links = (found[0] for found in LINK.finditer(text))
    return any(find_secret(link) for link in links if "?" in link or "@" in link)
