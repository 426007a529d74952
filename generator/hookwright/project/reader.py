"""Read a rendered project: its answers and its template's source."""

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hookwright.answers.disabling import is_disabled
from hookwright.installer import entries, registry
from hookwright.project.unfinished import finish_change
from hookwright_console.errors import RefusedError
from hookwright_console.files.regular import read_regular

ANSWERS = ".copier-answers.yml"
# Text fields of each database other than its keywords, and a route's optional text fields.
OF_DATABASES = ("mcp_tool_name", "description")
OF_ROUTES = ("tool", "action", "message", "pattern")


@dataclass(frozen=True)
class Project:
    """A rendered project."""

    folder: Path  # absolute
    answers: Mapping[str, Any]  # answers by question name
    source: str  # the template's path or URL; "" if unknown
    version: str  # the template's version, such as v0.1.0; "" if it has none

    @property
    def name(self) -> str:
        return str(self.answers.get("project_name", self.folder.name))

    @property
    def hooks(self) -> list[str]:
        return list(self.answers.get("hooks") or ())

    @property
    def rendered_hooks(self) -> list[str]:
        """Its hooks, including those added by other questions."""
        added = [hook for question, hook in registry.ADDED.items() if self.answers.get(question)]
        return [*self.hooks, *added]

    @property
    def script_names(self) -> list[str]:
        """The names of its scripts: hooks and the modules they load."""
        loaded = [entries.COMPANIONS.get(hook, "") for hook in self.rendered_hooks]
        return [
            *self.rendered_hooks,
            *(name for name in loaded if name and self.find_hook(name).exists()),
        ]

    @property
    def clients(self) -> list[str]:
        return list(self.answers.get("clients") or ("claude",))

    @property
    def databases(self) -> list[dict[str, Any]]:
        return list(self.answers.get("databases") or ())

    @property
    def routes(self) -> dict[str, dict[str, Any]]:
        return dict(self.answers.get("routes") or {})

    @property
    def rendered_databases(self) -> list[dict[str, Any]]:
        """The databases in its hook: all except permanently disabled ones."""
        return [database for database in self.databases if not is_disabled(database)]

    @property
    def rendered_routes(self) -> dict[str, dict[str, Any]]:
        """The routes in its hook: all except permanently disabled ones."""
        return {name: route for name, route in self.routes.items() if not is_disabled(route)}

    @property
    def servers(self) -> dict[str, dict[str, Any]]:
        return dict(self.answers.get("mcp_servers") or {})

    def name_command(self, verb: str) -> str:
        """Return the command that acts on this project from the current folder."""
        here = self.folder.resolve() == Path.cwd()
        folder = "" if here else f" --project {shlex.quote(str(self.folder))}"
        return f"hookwright {verb}{folder}"

    def find_hook(self, name: str) -> Path:
        """Return the path of a rendered hook, which may not exist in the project."""
        return self.folder / "hooks" / f"{name}.py"


def open_project(folder: Path) -> Project:
    """Return the project in a folder, after finishing an interrupted change to it."""
    finish_change(folder)
    return read_project(folder)


def read_project(folder: Path) -> Project:
    """Return the project in a folder without changing it; otherwise like `open_project`."""
    path = folder.absolute() / ANSWERS
    try:
        answers = load_answers(path)
    except (FileNotFoundError, NotADirectoryError):
        raise RefusedError(format_no_project(path, "is missing")) from None
    except OSError as error:
        raise RefusedError(f"cannot read {path}: {error.strerror}") from None
    if is_of_others(answers):
        raise RefusedError(format_no_project(path, "is of another Copier template"))
    if not has_shape(answers):
        raise RefusedError(f"{path} is damaged: restore it from git")
    source, version = (str(answers.pop(key, None) or "") for key in ("_src_path", "_commit"))
    if Path(source).is_absolute() and Path(source).resolve().is_relative_to(folder.resolve()):
        raise RefusedError(f"{path}: the template {source} is in the project itself: correct it")
    own = {name: value for name, value in answers.items() if not name.startswith("_")}
    return Project(folder.absolute(), own, source, version)


def holds_project(folder: Path) -> bool:
    try:
        return not is_of_others(load_answers(folder / ANSWERS))
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:  # unknown; opening it reports the reason
        return True


def load_answers(path: Path) -> Any:
    """Return an answers file's content, or None if it is damaged; raises OSError."""
    try:
        return read_answers(read_regular(path).decode())
    except (ValueError, RecursionError):
        return None


def is_of_others(answers: object) -> bool:
    return isinstance(answers, dict) and "_src_path" in answers and "hooks" not in answers


def format_no_project(path: Path, problem: str) -> str:
    hint = "(use --project, or create one: hookwright new)"
    return f"not a Hookwright project: {path} {problem} {hint}"


def has_shape(answers: object) -> bool:
    if not isinstance(answers, dict) or not isinstance(answers.get("project_name"), str):
        return False
    databases = answers.get("databases") or []
    mappings = [answers.get(name) or {} for name in ("routes", "mcp_servers")]
    return (
        is_words(answers.get("hooks"))
        and is_words(answers.get("clients", ["claude"]))
        and isinstance(databases, list)
        and all(
            isinstance(database, dict) and is_words(database.get("keywords"))
            for database in databases
        )
        and all(
            isinstance(database.get(name), str) for database in databases for name in OF_DATABASES
        )
        and all(
            isinstance(mapping, dict) and all(isinstance(value, dict) for value in mapping.values())
            for mapping in mappings
        )
        and all(
            isinstance(route.get(name, ""), str)
            for route in mappings[0].values()
            for name in OF_ROUTES
        )
    )


def is_words(value: object) -> bool:
    return isinstance(value, list) and value != [] and all(isinstance(item, str) for item in value)


def read_answers(text: str) -> Any:
    """Parse an answers file, which is JSON below a comment, or YAML; raises ValueError."""
    lines = [line for line in text.splitlines(keepends=True) if not line.startswith("#")]
    try:
        return json.loads("".join(lines))
    except ValueError:
        import yaml  # answers written by this version are JSON

        try:
            return yaml.safe_load(text)
        except yaml.YAMLError as error:
            raise ValueError(str(error)) from None
