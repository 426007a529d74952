"""List the ready recipes."""

from hookwright_console.errors import ReportedError
from hookwright_console.tables import print_table
from hookwright_console.terminal import count, dump, print_line
from hookwright_console.text import shorten
from hookwright_documentation.recipes.ready import match_ready_recipes, suggest_ready_recipe


def list_recipes(word: str, *, as_json: bool) -> int:
    """Print the recipes that contain a word, or all for ""; return the exit code."""
    found = match_ready_recipes(word)
    if not found:
        near = suggest_ready_recipe(word)
        raise ReportedError(
            f"no recipe has '{shorten(word)}': {near or 'see hookwright setup --list'}"
        )
    if as_json:
        rows = [
            {
                "name": one.name,
                "description": one.description,
                "keywords": [*one.keywords],
                "source": one.source,
                "license": one.license,
                "verified": one.verified,
            }
            for one in found
        ]
        print(dump(rows, indent=2))
        return 0
    tells = any(one.verified for one in found)  # a column of "no" would say nothing
    print_table(
        ("recipe", "keywords", "source", "license", *(["verified"] if tells else [])),
        [
            (
                one.name,
                ", ".join(one.keywords),
                one.source,
                one.license,
                *(["yes" if one.verified else "no"] if tells else []),
            )
            for one in found
        ],
        wrapped=("keywords",),
    )
    untested = "" if tells else ", untested"
    print_line(f"{count(len(found), 'recipe')}{untested}: set one up with hookwright setup NAME")
    return 0
