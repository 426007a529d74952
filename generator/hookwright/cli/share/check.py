"""Check a recipe before it is shared, as a community does before it takes one."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from hookwright.cli.documentation_builds import build_or_explain
from hookwright.cli.options import AsJson
from hookwright.recipes.faults import list_recipe_faults
from hookwright_console.terminal import count, dump, print_line


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
    """Check recipes; end with 1 if something is wrong with one."""
    return build_or_explain(lambda: check_files(files, as_json=as_json), keeps_stdout=False)


def check_files(files: list[Path], *, as_json: bool) -> int:
    found = {path: list_recipe_faults(path) for path in files}
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
            print_line(f"nothing wrong with {count(len(files), 'recipe')}")
    return int(not is_sound)
