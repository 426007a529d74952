"""Add a lesson from the command line."""

import re
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

import typer

from hookwright_console.errors import RefusedError
from hookwright_console.terminal import dump, print_line
from lesson_search.cli.client import Client
from lesson_search.cli.options import JsonOption, Options
from lesson_search.cli.upload import ForceOption, name_option
from lesson_search.files.reader import PIPE, STDIN, join_title, read_pipe, slugify
from lesson_search.records import UNKNOWN, Lesson, Skill
from lesson_search.validation import check_record

SENTENCE_END = re.compile(r"[.!?](?:\s|$)")


def add(
    context: typer.Context,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="TEXT|-",
            help="What you learned; - or nothing to read standard input.",
            show_default=False,
        ),
    ] = None,
    *,
    title: Annotated[
        str, typer.Option(help="A title, which becomes the first line.", show_default=False)
    ] = "",
    category: Annotated[
        list[str] | None,
        typer.Option(metavar="CATEGORY", help="A category such as devops/docker; repeatable."),
    ] = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> int:
    """Add one lesson.

    Its id is made of the title, or else of the first sentence. Without categories it is sorted
    into some.
    """
    options = context.ensure_object(Options)
    written, _ = join_title(title, read_lesson(" ".join(words) if words else None).strip())
    with options.connect() as client:
        lesson, change = add_lesson(client, written, category or (), force=force)
    if as_json:
        print(dump({"id": lesson.id, "categories": lesson.categories, "change": change}, indent=2))
        return 0
    print_line(f"{'already there' if change == 'unchanged' else 'added'}: {lesson.id}")
    print_line(f"categories: {', '.join(lesson.categories) or 'none'}")
    for verb in ("edit", "delete"):
        print_line(f"to {verb} it: lesson-search {verb} {shlex.quote(lesson.id)}")
    return 0


def add_lesson(
    client: Client, text: str, categories: Sequence[str] = (), source: str = "", *, force: bool
) -> tuple[Lesson, str]:
    """Add a lesson, unless the same is there.

    Returns:
        The lesson as it is stored, and "added" or "unchanged".

    Raises:
        RefusedError: It is no lesson, or looks like a secret.

    """
    stem = slugify(SENTENCE_END.split(text.partition("\n")[0], 1)[0])
    lesson = check_record(Lesson(stem, text, tuple(categories), source, ingested=UNKNOWN))
    identity, known = find_id(client, stem, lesson.text)
    if isinstance(known, Lesson):
        return known, "unchanged"
    # A lesson with this id may have been deleted.
    [[result]] = client.ingest([replace(lesson, id=identity)], force=force, restore=True)
    if result.change == "refused":
        raise RefusedError(name_option(result.reason))
    return replace(lesson, id=identity, categories=tuple(result.categories)), result.change


def read_lesson(text: str | None) -> str:
    if text not in {None, PIPE}:
        return str(text)
    if text is None and sys.stdin.isatty():
        raise RefusedError("no text: write it in quotes after add, or send it to standard input")
    try:
        return read_pipe()
    except RefusedError as refused:
        raise RefusedError(f"{STDIN}: {refused}") from None


def find_id(client: Client, stem: str, text: str) -> tuple[str, Lesson | Skill | None]:
    identity, number = stem, 1
    while (found := client.get("lessons", identity)) and found.text != text:
        number += 1
        identity = f"{stem}-{number}"
    return identity, found
