"""Read the API of installed packages as HTML pages like those written by Sphinx."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from html import escape
from pathlib import Path
from urllib.parse import quote

import griffe

from hookwright_console.errors import ReportedError
from hookwright_console.terminal import count
from hookwright_console.text import name_some, shorten
from hookwright_documentation.pages import FetchedPage
from hookwright_documentation.sources import results
from hookwright_documentation.sources.python_packages import list_packages
from hookwright_documentation.sources.python_packages.definitions import Definitions, Reading
from hookwright_documentation.sources.python_packages.docstrings import (
    separate_descriptions,
    write_described,
    write_docstring,
)
from hookwright_documentation.sources.python_packages.environments import (
    PackageFiles,
    find_environment,
    find_files,
)
from hookwright_documentation.sources.registry import CrawlOptions, CrawlReport, split

MAX_BYTES = 40_000_000  # bytes of sources; parsing takes ten times as much memory
MAX_SHOWN = 3  # maximum number of names listed in a note
ROOT = frozenset(("", "/"))
SCHEME = "python://"
MAX_VALUE = 80  # maximum characters of a constant's value
MAX_SIGNATURE = 2_000  # maximum characters
MAX_NAMES = 100  # maximum number of listed values without a description
MAX_OTHERS = 3  # maximum number of listed alternative names of a definition
CONTENT_TYPE = "text/html; charset=utf-8"
CALLED = frozenset(("__call__", "__enter__", "__aenter__", "__getitem__", "__iter__"))


def take(
    options: CrawlOptions, folder: Path, progress: Callable[[int, int], None], reading: Reading
) -> CrawlReport:
    environment = Path(options.python) if options.python else find_environment(Path.cwd())
    if environment is None:
        raise ReportedError("no Python environment here: use one with --python, such as .venv")
    packages = [find_files(name, environment) for name in list_packages(options.source)]
    store = results.start(options, folder)
    title = ", ".join(package.title for package in packages)
    titles = {path: package.title for package in packages for path in package.paths}
    definitions = Definitions(folder, reading)
    most, end = min(options.max_bytes, MAX_BYTES), time.monotonic() + options.time_limit
    modules = [(package.folder, path) for package in packages for path in package.paths]
    for done, module in enumerate(modules):
        if definitions.size >= most or time.monotonic() > end:
            read = f"{done:,} of {len(modules):,} modules ({definitions.size:,} bytes)"
            store.notes.append(f"stopped at {read}")
            break
        progress(done + 1, len(modules))
        definitions.read(*module)
    definitions.link()
    urls = store.put_all(write_pages(titles, definitions))
    left = list_left_out(definitions, packages)
    if not urls:
        reason = left[0] if left else "no public module in it defines anything"
        raise ReportedError(f"{shorten(title)}: {reason}: use the URL of its documentation")
    found = packages[0].distribution if len(packages) == 1 else None
    report = CrawlReport(
        SCHEME,
        "",
        found.version if found else "",
        tuple(left),
        (f"read the API of {title} in {environment}, without importing it",),
        license=found.license if found else "",
        site=next(filter(is_own_site, found.sites), "") if found else "",
    )
    return results.finish(report, urls, store)


def list_left_out(definitions: Definitions, packages: list[PackageFiles]) -> list[str]:
    notes = results.describe_left_out(dict(sorted(definitions.unread.items())), "module")
    every = (name for package in packages for name in package.compiled)
    compiled = [shorten(name) for name in every if is_public_path(name)]
    if compiled:
        named = name_some(compiled, MAX_SHOWN)
        notes.append(f"{count(len(compiled), 'module')} left out, compiled without a stub: {named}")
    return notes


def is_own_site(url: str) -> bool:
    parts = split(url)
    return parts.scheme in ("http", "https") and parts.path in ROOT and not parts.query


def write_pages(titles: Mapping[Path, str], definitions: Definitions) -> Iterator[FetchedPage]:
    names = PublicNames(definitions)
    public = filter(is_public_path, definitions.paths)
    for name in sorted(public, key=lambda name: (name.count("."), name)):
        path = definitions.paths[name]
        writer = ModuleWriter(definitions.modules[name], path, names)
        if page := definitions.attempt(path.as_posix(), partial(writer.write, titles[path])):
            yield page


def name_address(path: Path) -> str:
    return SCHEME + quote(path.as_posix())


class PublicNames:
    """The names by which definitions can be imported."""

    def __init__(self, definitions: Definitions) -> None:
        self.paths = definitions.paths
        self._names: dict[str, list[str]] = {}
        for name in filter(is_public_path, definitions.paths):
            imported = partial(list_imported, definitions.modules[name])
            path = definitions.paths[name].as_posix()
            for member, target in definitions.attempt(path, imported) or ():
                self._names.setdefault(target.path, []).append(f"{name}.{member}")
        for known in self._names.values():
            known.sort(key=lambda name: (name.count("."), len(name), name))

    def list_names(self, definition: griffe.Object) -> list[str]:
        """Return the other names by which a definition can be imported, shortest first."""
        return self._names.get(definition.path, [])

    def find_home(self, definition: griffe.Object) -> str:
        """Return the module whose page contains the definition from a module."""
        own = definition.path.rpartition(".")[0]
        if is_public_path(own):
            return own
        return next((name.rpartition(".")[0] for name in self.list_names(definition)), "")

    def find_address(self, definition: griffe.Object) -> str:
        """Return the address of a definition in a module, or "" if it is not public."""
        home = self.find_home(definition)
        path = self.paths.get(home)
        return f"{name_address(path)}#{home}.{definition.name}" if path else ""


class ModuleWriter:
    """Writes the page of a module."""

    def __init__(self, module: griffe.Module, path: Path, names: PublicNames) -> None:
        self._module = module
        self._path = path
        self._names = names

    def write(self, title: str) -> FetchedPage | None:
        """Return the page, or None if the module is empty."""
        name = self._module.path
        defined = "".join(self.write_members())
        exported = "".join(self.write_exports())
        docstring = write_docstring(self._module.docstring)
        values = write_names(self._module)
        if not (defined or exported or docstring or values):
            return None
        place = f"Module {code(name)} of {escape(title)}, in {code(self._path)}."
        contents = f"<p>Also importable from here:</p><ul>{exported}</ul>" if exported else ""
        html = (
            f"<html lang=en><head><title>{escape(name)}</title></head><body><main>"
            f'<h1 id="module-{escape(name)}">{escape(name)}</h1>'
            f"<p>{place}</p>{docstring}{contents}{values}{wrap_terms(defined)}</main></body></html>"
        )
        return FetchedPage(name_address(self._path), CONTENT_TYPE, html.encode("utf-8", "replace"))

    def write_members(self) -> Iterator[str]:
        name = self._module.path
        members = [(member.name, member) for member in list_defined(self._module)]
        imported = list_imported(self._module)
        members += [
            item for item in imported if not is_public_path(item[1].path.rpartition(".")[0])
        ]
        for label, member in members:
            if self._names.find_home(member) == name:
                yield self.write_definition(member, f"{name}.{label}")

    def write_exports(self) -> Iterator[str]:
        for label, target in list_imported(self._module):
            address = self._names.find_address(target)
            if address and self._names.find_home(target) != self._module.path:
                named = escape(f"{self._module.path}.{label}")
                yield f'<li><a href="{escape(address)}">{named}</a></li>'

    def write_definition(self, definition: griffe.Object, name: str) -> str:
        description = self.describe(definition, name)  # moves texts out of the signatures
        first, *others = list_signatures(definition, name)
        terms = f'<dt id="{escape(name)}">{escape(first)}</dt>'
        terms += "".join(f"<dt>{escape(other)}</dt>" for other in others)
        inner = ""
        if isinstance(definition, griffe.Class):
            members = self.list_members(definition)
            written = (self.write_definition(item, f"{name}.{item.name}") for item in members)
            inner = write_names(definition) + wrap_terms("".join(written))
        return f"{terms}<dd>{description}{inner}</dd>"

    def list_members(self, definition: griffe.Class) -> list[griffe.Object]:
        own = (item for item in definition.members.values() if not isinstance(item, griffe.Alias))
        members = list(filter(is_public_member, own))
        try:
            inherited = [member.final_target for member in definition.inherited_members.values()]
        except Exception:  # noqa: BLE001 - of bases that are not there, or lead in a circle
            return members
        return members + [
            member
            for member in filter(is_public_member, inherited)
            if isinstance(member.parent, griffe.Class) and not self._names.find_home(member.parent)
        ]

    def describe(self, definition: griffe.Object, name: str) -> str:
        """Return a definition's location, other names and docstring as HTML."""
        path = self._names.paths.get(definition.module.path, self._path).as_posix()
        places = [f"In {code(f'{path}:{definition.lineno}' if definition.lineno else path)}."]
        others = [other for other in self._names.list_names(definition) if other != name]
        if others:
            places.append(f"Also {', '.join(map(code, others[:MAX_OTHERS]))}.")
        if isinstance(definition, griffe.Class) and definition.bases:
            bases = map(code, map(shorten_value, definition.bases))
            places.append(f"Bases: {', '.join(bases)}.")
        called = find_called(definition)
        described = separate_descriptions(called) if called else {}
        docstring = definition.docstring or (called.docstring if called else None)
        return f"<p>{' '.join(places)}</p>{write_docstring(docstring)}{write_described(described)}"


def find_called(definition: griffe.Object) -> griffe.Function | None:
    """Return a function, or a class's __init__."""
    called = definition.members.get("__init__") if definition.is_class else definition
    return called if isinstance(called, griffe.Function) else None


def list_signatures(definition: griffe.Object, name: str) -> list[str]:
    lines = [f"type {name}"]
    if is_property(definition):
        returned = getattr(definition, "returns", None) or getattr(definition, "annotation", None)
        lines = [f"property {name}{f': {returned}' if returned else ''}"]
    elif isinstance(definition, griffe.Function):
        kind = "async " if "async" in definition.labels else ""
        every = definition.overloads or [definition]
        lines = [f"{kind}{function.signature(name=name)}" for function in every]
    elif isinstance(definition, griffe.Class):
        called = find_called(definition)
        signature = called.signature(name=name, return_type=False) if called else f"{name}()"
        lines = [f"class {signature}"]
    elif isinstance(definition, griffe.Attribute):
        annotation = f": {definition.annotation}" if definition.annotation is not None else ""
        value = "" if definition.value is None else f" = {shorten_value(definition.value)}"
        lines = [f"{name}{annotation}{value}"]
    return [line[:MAX_SIGNATURE] for line in lines]


def list_defined(module: griffe.Module) -> Iterator[griffe.Object]:
    exports = list_exports(module)
    for name, member in module.members.items():
        if isinstance(member, griffe.Alias | griffe.Module):
            continue
        if name in exports or (not name.startswith("_") and has_description(member)):
            yield member


def list_imported(module: griffe.Module) -> list[tuple[str, griffe.Object]]:
    exports = list_exports(module)
    imported = []
    for name, member in module.members.items():
        if not isinstance(member, griffe.Alias) or member.wildcard:
            continue
        if name not in exports and (exports or name.startswith("_") or not module.is_init_module):
            continue
        with suppress(griffe.AliasResolutionError, griffe.CyclicAliasError):
            target = member.final_target
            if not isinstance(target, griffe.Module) and target.parent and target.parent.is_module:
                imported.append((name, target))
    return imported


def is_public_member(member: griffe.Object) -> bool:
    is_named = not member.name.startswith("_") or member.name in CALLED
    return is_named and has_description(member)


def has_description(member: griffe.Object) -> bool:
    """Return whether a definition has more to show than a name and a value."""
    if isinstance(member, griffe.Attribute):
        return bool(member.docstring or member.annotation or "property" in member.labels)
    return True


def write_names(definition: griffe.Module | griffe.Class) -> str:
    exports = list_exports(definition) if isinstance(definition, griffe.Module) else set()
    values = [
        code(f"{name} = {shorten_value(member.value)}")
        for name, member in definition.members.items()
        if isinstance(member, griffe.Attribute)
        and not (name.startswith("_") or name in exports)
        and not has_description(member)
        and member.value is not None
    ]
    return f"<p>Values: {', '.join(values[:MAX_NAMES])}</p>" if values else ""


def is_property(definition: griffe.Object) -> bool:
    if isinstance(definition, griffe.Function):
        paths = (decorator.callable_path for decorator in definition.decorators)
        return any(path.rpartition(".")[2] == "cached_property" for path in paths)
    return "property" in definition.labels


def wrap_terms(terms: str) -> str:
    return f'<dl class="py">{terms}</dl>' if terms else ""


def list_exports(module: griffe.Module) -> set[str]:
    return {str(export) for export in module.exports or ()}


def is_public_path(name: str) -> bool:
    return not any(part.startswith("_") for part in name.split("."))


def shorten_value(value: object) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= MAX_VALUE else text[:MAX_VALUE] + "…"


def code(text: object) -> str:
    return f"<code>{escape(str(text))}</code>"
