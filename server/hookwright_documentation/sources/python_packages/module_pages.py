"""Write a module's API as an HTML page like those written by Sphinx."""

from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from urllib.parse import quote

import griffe

from hookwright_documentation.pages import FetchedPage
from hookwright_documentation.sources.python_packages.definitions import (
    Definitions,
    Reading,
    explain,
)
from hookwright_documentation.sources.python_packages.docstrings import (
    separate_descriptions,
    write_described,
    write_docstring,
)

SCHEME = "python://"
MAX_VALUE = 80  # maximum characters of a constant's value
MAX_SIGNATURE = 2_000  # maximum characters
MAX_NAMES = 100  # maximum number of listed values without a description
MAX_OTHERS = 3  # maximum number of listed alternative names of a definition
CONTENT_TYPE = "text/html; charset=utf-8"
CALLED = frozenset(("__call__", "__enter__", "__aenter__", "__getitem__", "__iter__"))


def write_pages(
    titles: Mapping[Path, str], found: Definitions, reading: Reading
) -> Iterator[FetchedPage]:
    names = PublicNames(found, reading)
    for name in sorted(found.paths, key=lambda name: (name.count("."), name)):
        path = found.paths[name]
        try:
            with reading(path.as_posix()):
                page = ModuleWriter(found.modules[name], path, names).write(titles[path])
        except Exception as error:  # noqa: BLE001 - whatever is in a module
            found.unread[path.as_posix()] = explain(error)
            continue
        if page:
            yield page


def name_address(path: Path) -> str:
    return SCHEME + quote(path.as_posix())


class PublicNames:
    """The names by which definitions can be imported."""

    def __init__(self, found: Definitions, reading: Reading) -> None:
        self.paths = found.paths
        self.modules = found.modules
        self._names: dict[str, list[str]] = {}
        for name, module in found.modules.items():
            if name not in found.paths or not is_public_path(name):
                continue
            try:
                with reading(found.paths[name].as_posix()):
                    for member, target in list_imported(module):
                        self._names.setdefault(target.path, []).append(f"{name}.{member}")
            except Exception as error:  # noqa: BLE001 - whatever is in a module
                found.unread[found.paths[name].as_posix()] = explain(error)
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
        """Return the page, or None if the module is private or empty."""
        name = self._module.path
        if not is_public_path(name):
            return None
        defined = "".join(self.write_members())
        exported = "".join(self.write_exports())
        docstring = write_docstring(self._module.docstring)
        values = write_names(self._module)
        if not (defined or exported or docstring or values):
            return None
        head = (
            f"<p>Module <code>{escape(name)}</code> of {escape(title)}, in {code(self._path)}.</p>"
        )
        contents = f"<p>Also importable from here:</p><ul>{exported}</ul>" if exported else ""
        terms = values + (f'<dl class="py">{defined}</dl>' if defined else "")
        html = (
            f"<html lang=en><head><title>{escape(name)}</title></head><body><main>"
            f'<h1 id="module-{escape(name)}">{escape(name)}</h1>'
            f"{head}{docstring}{contents}{terms}</main></body></html>"
        )
        return FetchedPage(name_address(self._path), CONTENT_TYPE, html.encode("utf-8", "replace"))

    def write_members(self) -> Iterator[str]:
        name = self._module.path
        for member in list_defined(self._module):
            if self._names.find_home(member) == name:
                yield self.write_definition(member, f"{name}.{member.name}")
        for label, target in list_imported(self._module):
            own = target.path.rpartition(".")[0]
            if self._names.find_home(target) == name and not is_public_path(own):
                yield self.write_definition(target, f"{name}.{label}")

    def write_exports(self) -> Iterator[str]:
        for label, target in list_imported(self._module):
            address = self._names.find_address(target)
            home = self._names.find_home(target)
            if address and home != self._module.path:
                named = escape(f"{self._module.path}.{label}")
                yield f'<li><a href="{escape(address)}">{named}</a></li>'

    def write_definition(self, definition: griffe.Object, name: str) -> str:
        told = self.describe(definition, name)  # first, as it moves descriptions out of signatures
        signatures = list_signatures(definition, name)
        terms = "".join(
            f'<dt{f""" id="{escape(name)}" """ if not at else ""}>{escape(line)}</dt>'
            for at, line in enumerate(signatures)
        )
        inner = ""
        if isinstance(definition, griffe.Class):
            inner = "".join(
                self.write_definition(member, f"{name}.{member.name}")
                for member in self.list_members(definition)
            )
            inner = write_names(definition) + (f'<dl class="py">{inner}</dl>' if inner else "")
        return f"{terms}<dd>{told}{inner}</dd>"

    def list_members(self, definition: griffe.Class) -> list[griffe.Object]:
        own = [
            member for member in definition.members.values() if not isinstance(member, griffe.Alias)
        ]
        members = list(filter(is_public_member, own))
        try:
            inherited = [member.final_target for member in definition.inherited_members.values()]
        except Exception:  # noqa: BLE001 - of bases that are not there, or lead in a circle
            return members
        for member in inherited:
            owner = member.parent
            if (
                isinstance(owner, griffe.Class)
                and not self._names.find_home(owner)
                and is_public_member(member)
            ):
                members.append(member)
        return members

    def describe(self, definition: griffe.Object, name: str) -> str:
        """Return a definition's location, other names and docstring as HTML."""
        told = f"<p>In {code(self.find_place(definition))}."
        others = [other for other in self._names.list_names(definition) if other != name]
        if others:
            told += f" Also {', '.join(code(other) for other in others[:MAX_OTHERS])}."
        if isinstance(definition, griffe.Class) and definition.bases:
            told += f" Bases: {', '.join(code(shorten_value(base)) for base in definition.bases)}."
        called = find_called(definition)
        described = separate_descriptions(called) if called else {}
        return (
            f"{told}</p>{write_docstring(find_docstring(definition))}{write_described(described)}"
        )

    def find_place(self, definition: griffe.Object) -> str:
        module = definition.module.path
        path = self._names.paths.get(module, self._path).as_posix()
        return f"{path}:{definition.lineno}" if definition.lineno else path


def find_called(definition: griffe.Object) -> griffe.Function | None:
    if isinstance(definition, griffe.Class):
        made = definition.members.get("__init__")
        return made if isinstance(made, griffe.Function) else None
    return definition if isinstance(definition, griffe.Function) else None


def find_docstring(definition: griffe.Object) -> griffe.Docstring | None:
    """Return a definition's docstring, or __init__'s docstring for a class without its own."""
    if definition.docstring or not isinstance(definition, griffe.Class):
        return definition.docstring
    made = find_called(definition)
    return made.docstring if made else None


def list_signatures(definition: griffe.Object, name: str) -> list[str]:
    if is_property(definition):
        returned = getattr(definition, "returns", None) or getattr(definition, "annotation", None)
        return [f"property {name}{f': {returned}' if returned else ''}"[:MAX_SIGNATURE]]
    if isinstance(definition, griffe.Function):
        kind = "async " if "async" in definition.labels else ""
        every = definition.overloads or [definition]
        return [f"{kind}{function.signature(name=name)}"[:MAX_SIGNATURE] for function in every]
    if isinstance(definition, griffe.Class):
        made = find_called(definition)
        signature = made.signature(name=name, return_type=False) if made else f"{name}()"
        return [f"class {signature}"[:MAX_SIGNATURE]]
    if isinstance(definition, griffe.Attribute):
        annotation = f": {definition.annotation}" if definition.annotation is not None else ""
        value = "" if definition.value is None else f" = {shorten_value(definition.value)}"
        return [f"{name}{annotation}{value}"[:MAX_SIGNATURE]]
    return [f"type {name}"]


def list_defined(module: griffe.Module) -> Iterator[griffe.Object]:
    exports = list_exports(module)
    for name, member in module.members.items():
        if isinstance(member, griffe.Alias | griffe.Module):
            continue
        if name in exports or (not name.startswith("_") and is_worth_telling(member)):
            yield member


def list_imported(module: griffe.Module) -> Iterator[tuple[str, griffe.Object]]:
    exports = list_exports(module)
    for name, member in module.members.items():
        if not isinstance(member, griffe.Alias) or member.wildcard:
            continue
        if name not in exports and (exports or name.startswith("_") or not module.is_init_module):
            continue
        try:
            target = member.final_target
        except (griffe.AliasResolutionError, griffe.CyclicAliasError):
            continue
        if not isinstance(target, griffe.Module) and target.parent and target.parent.is_module:
            yield name, target


def is_public_member(member: griffe.Object) -> bool:
    if member.name.startswith("_") and member.name not in CALLED:
        return False
    return is_worth_telling(member)


def is_worth_telling(member: griffe.Object) -> bool:
    if isinstance(member, griffe.Attribute):
        return bool(member.docstring or member.annotation or "property" in member.labels)
    return True


def write_names(definition: griffe.Module | griffe.Class) -> str:
    exports = list_exports(definition) if isinstance(definition, griffe.Module) else set()
    named = [
        member
        for name, member in definition.members.items()
        if isinstance(member, griffe.Attribute)
        and not name.startswith("_")
        and not is_worth_telling(member)
        and name not in exports
        and member.value is not None
    ]
    told = ", ".join(
        code(f"{attribute.name} = {shorten_value(attribute.value)}")
        for attribute in named[:MAX_NAMES]
    )
    return f"<p>Values: {told}</p>" if told else ""


def is_property(definition: griffe.Object) -> bool:
    if isinstance(definition, griffe.Function):
        made_by = (
            decorator.callable_path.rpartition(".")[2] for decorator in definition.decorators
        )
        return "cached_property" in made_by
    return "property" in definition.labels


def list_exports(module: griffe.Module) -> set[str]:
    return {str(export) for export in module.exports or ()}


def is_public_path(name: str) -> bool:
    return not any(part.startswith("_") for part in name.split("."))


def shorten_value(value: object) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= MAX_VALUE else text[:MAX_VALUE] + "…"


def code(text: object) -> str:
    return f"<code>{escape(str(text))}</code>"
