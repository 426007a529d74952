"""Read an answers file like Copier's --data-file, and report errors that Copier ignores."""

from pathlib import Path
from typing import Any

import yaml

from hookwright.answers.validation import read_questions
from hookwright.answers.yaml_reader import Loader
from hookwright_console.errors import RefusedError
from hookwright_console.text import escape, make_printable


def read_data_file(path: Path, template: Path | None) -> dict[str, Any]:
    """Return the answers in a YAML or JSON file; without a template, accept any question."""
    try:
        text = path.read_text("utf-8")
        answers = yaml.load(text, Loader)  # noqa: S506 - a safe one
    except OSError as error:
        raise RefusedError(f"{path} cannot be read: {error.strerror}: check the path") from None
    except UnicodeDecodeError:
        raise RefusedError(f"{path} is not UTF-8: save it as UTF-8") from None
    except RecursionError:
        raise RefusedError(f"{path} is nested too deeply: flatten the lists") from None
    except yaml.reader.ReaderError as error:
        before = text[: error.position]
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        what = escape(chr(error.character))
        raise RefusedError(
            f"{path} is not YAML in line {line}, column {column}: the character {what} is not "
            "allowed: remove it"
        ) from None
    except (yaml.YAMLError, ValueError) as error:
        raise RefusedError(f"{path} is not YAML{locate(error)}") from None
    if not isinstance(answers, dict):
        raise RefusedError(f"{path} has no answers: write them like databases: [...]")
    own = {name: value for name, value in answers.items() if not str(name).startswith("_")}
    known = list(read_questions(template).by_name) if template else []
    for name in own:
        if template and name not in known:
            raise RefusedError(
                f"{path}: {make_printable(str(name))} is not a question: the questions are "
                f"{', '.join(known)}"
            )
    return own


def locate(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or "fix it"
    return f" in line {mark.line + 1}, column {mark.column + 1}: {problem}" if mark else ""
