"""Check a recipe before sharing it, as reviewers would before accepting it."""

import errno
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from hookwright.answers.validation import list_faults
from hookwright.answers.yaml_files import MisplacedError, read_document
from hookwright.cli.options import AsJson
from hookwright.discovery.ambiguous_keywords import find_ambiguous, mark_ordinary
from hookwright.documentation.database_records import build_record
from hookwright.template.store import find_template
from hookwright_console.extras import needing
from hookwright_console.files.regular import open_regular
from hookwright_console.terminal import count, dump, print_line
from hookwright_documentation.recipes.faults import (
    RecipeFault,
    list_content_faults,
    list_form_faults,
    name_field,
)
from hookwright_documentation.recipes.recipe import Recipe, build_ready_recipe

MAX_SIZE = 100_000  # bytes per file
NEEDED = "use the file of a recipe, such as react.yml"


def check(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE",
            help="The file of a recipe, such as react.yml, not its name; repeatable.",
        ),
    ],
    *,
    as_json: AsJson = False,
) -> int:
    """Check recipes; exit with 1 if one is invalid."""
    with needing("docs"):
        found = {path: list_file_faults(path) for path in files}
    is_sound = not any(found.values())
    if as_json:
        rows = [
            {"file": str(path), "faults": [asdict(fault) for fault in faults]}
            for path, faults in found.items()
        ]
        print(dump(rows, indent=2))
    else:
        for path, faults in found.items():
            for fault in faults:
                print_line(f"{path}: {fault}")
        if is_sound:
            print_line(f"no problems in {count(len(files), 'recipe')}")
    return int(not is_sound)


def list_file_faults(path: Path) -> list[RecipeFault]:
    """Return the faults of a recipe file, which is untrusted."""
    try:
        with open_regular(path) as file:
            content = file.read(MAX_SIZE + 1)
        if len(content) > MAX_SIZE:
            raise OSError(errno.EFBIG, "too long", str(path))  # noqa: TRY301 - as what cannot be read
        values = read_document(content.decode("utf-8")).value
    except (OSError, ValueError) as error:
        reason = (isinstance(error, OSError) and error.strerror) or "not UTF-8"
        return [RecipeFault("", "", f"cannot read it ({reason}): {NEEDED}")]
    except MisplacedError as error:
        return [RecipeFault(f"line {error.line + 1}", "", str(error))]
    if faults := list_form_faults(values):
        return faults
    recipe = build_ready_recipe(values)
    return [*list_content_faults(recipe, path.name), *find_keyword_faults(recipe.build_recipe())]


def find_keyword_faults(recipe: Recipe) -> Iterator[RecipeFault]:
    record = build_record(recipe, recipe.prefix, "")
    for fault in list_faults(find_template(), "databases", [record]):
        value = str(fault.value or "")
        yield RecipeFault(name_field(fault.path[2:]), value, f"{fault.message}: {fault.way_out}")
    # Check this for every engine, because some cannot tell which meaning a search intends. Ordinary
    # words are marked first.
    for ambiguous in find_ambiguous([mark_ordinary({**record, "coverage": False})]):
        way_out = f"also {ambiguous.meaning}: use a longer keyword, or add ambiguous: true"
        yield RecipeFault("keywords", ambiguous.keyword, way_out)
