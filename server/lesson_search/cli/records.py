"""Find, show, list, add, edit and delete lessons and skills."""

import shlex
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Any, Literal

import typer

from hookwright_console.editor import edit_text
from hookwright_console.errors import MisusedError, RefusedError
from hookwright_console.terminal import (
    agree,
    count,
    dump,
    excerpt,
    print_line,
    print_table,
)
from hookwright_console.text import escape_hidden, suggest
from lesson_search.cli.client import Answer, Client, ClientError
from lesson_search.cli.files import ForceOption, name_option
from lesson_search.cli.options import (
    CollectionOption,
    JsonOption,
    YesOption,
    connect,
    print_message,
)
from lesson_search.files.front_matter import read_fields, split_front_matter
from lesson_search.files.json_lines import check_fields
from lesson_search.files.reader import PIPE, STDIN, join_title, read_categories, read_text
from lesson_search.projects import choose_project
from lesson_search.records import (
    CollectionName,
    Lesson,
    Skill,
    check_record,
    find_key,
    to_row,
)
from lesson_search.service.edits import IngestResult, UnknownRecordError, build_version

BOTH: list[CollectionName] = ["lessons", "skills"]
Identity = Annotated[str, typer.Argument(metavar="ID", help="The ID, as in lesson-search list.")]
ProjectOption = Annotated[
    str | None,
    typer.Option(
        metavar="FOLDER|REMOTE", help="A project by its folder, such as ., or by its remote."
    ),
]
NARROWEST_FOUND = 40  # minimum width of the text column in search results
UNKNOWN_CATEGORY = "no {} has the category '{}': see lesson-search categories"
NOTHING_YET = "no lessons yet: add some with lesson-search ingest or lesson-search add"
EXCERPT = 60  # characters of a text
NARROWEST = 30  # minimum width of the text column


def query(
    context: typer.Context,
    words: Annotated[list[str], typer.Argument(metavar="PROMPT", help="The prompt.")],
    *,
    top_k: Annotated[
        int, typer.Option(min=1, max=100, help="The number of results per collection.")
    ] = 5,
    category: Annotated[
        list[str] | None,
        typer.Option(metavar="CATEGORY", help="Only this category and those below it; repeatable."),
    ] = None,
    min_score: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="The lowest score to show; 0 shows all."),
    ] = None,
    collection: Annotated[
        Literal["lessons", "skills", "both"] | None,
        typer.Option(help="Only lessons or only skills.", show_default="both"),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Find lessons or skills for a prompt."""
    prompt = " ".join(words)
    if not prompt.strip():
        raise MisusedError("the prompt is empty: write it in quotes after query")
    names = BOTH if collection is None or collection == "both" else [collection]
    with connect(context) as client:
        answer = client.query(
            prompt,
            top_k=top_k,
            min_score=min_score,
            categories=category or None,
            collections=names,
        )
        health = {} if as_json else check_embedder(client)
        unknown = [
            path
            for path in dict.fromkeys(category or ())
            if not any(any(client.list_records(name, path)) for name in names)
        ]
    for path in unknown:
        kinds = " or ".join(name[:-1] for name in names)
        print_message(UNKNOWN_CATEGORY.format(kinds, path))
    results = answer.pop("results")
    found = [
        (row, row.setdefault("kind", name[:-1])) for name, rows in results.items() for row in rows
    ]
    if as_json:
        is_flat = collection in {None, "lessons"}
        print(dump({**(results if is_flat else {"results": results}), **answer}, indent=2))
    elif found:
        rows = [
            (
                escape_hidden(row["id"]),
                f"{row['score']:.0%}",
                kind,
                escape_hidden(", ".join(row["categories"])),
                excerpt(row["text"]),
            )
            for row, kind in sorted(found, key=lambda each: -each[0]["score"])
        ]
        columns = ("id", "score", "kind", "categories", "text")
        print_table(columns, rows, ("categories", "text"), {"text": NARROWEST_FOUND})
    elif not (health["lesson_count"] or health["skill_count"]):
        print_message(NOTHING_YET)
    elif not category or set(category) - set(unknown):
        print_message("nothing found: see the closest matches with --min-score 0")


def check_embedder(client: Client) -> Answer:
    """Return the server's health; raises ClientError if its embedder is down."""
    health = client.read_health()
    if health["embedder"] == "down":
        raise ClientError(f"the embedder {health['model']} is down: start it, then try again")
    return health


def show_record(
    context: typer.Context,
    identity: Identity,
    *,
    collection: CollectionOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show a lesson or skill."""
    with connect(context) as client:
        record = find_record(client, identity, collection)
    if as_json:
        print(dump(to_row(record), indent=2))
        return
    categories = ", ".join(record.categories) or "none"
    shown = {**vars(record), "categories": categories + " (classified)" * record.classified}
    for field, value in shown.items():
        if value and field not in {"text", "classified", "ingested"}:
            print(f"{field}: {escape_hidden(str(value))}")
    print(f"\n{escape_hidden(record.text)}")


def find_record(client: Client, identity: str, collection: CollectionName | None) -> Lesson | Skill:
    names = [collection] if collection else BOTH
    found = [record for name in names if (record := client.find((name, identity)))]
    if len(found) > 1:
        raise ClientError(
            f"'{identity}' is the id of a lesson and a skill: choose with --collection"
        )
    if not found:
        kinds = " or ".join(name[:-1] for name in names)
        ids = [record.id for name in names for record in client.list_records(name)]
        near = suggest(identity, ids) or "see lesson-search list"
        raise ClientError(f"no {kinds} has the id '{identity}': {near}")
    return found[0]


def list_records(
    context: typer.Context,
    *,
    category: Annotated[
        str | None, typer.Option(metavar="CATEGORY", help="Only this category and those below it.")
    ] = None,
    project: ProjectOption = None,
    collection: Annotated[CollectionName, typer.Option(help="The collection to list.")] = "lessons",
    as_json: JsonOption = False,
) -> None:
    """List lessons or skills.

    They are sorted by ID.
    """
    name = choose_project(project) if project else None
    with connect(context) as client:
        records = list(client.list_records(collection, category, name))
    if as_json:
        print(dump(list(map(to_row, records)), indent=2))
        return
    rows = [
        {
            "id": escape_hidden(record.id),
            "project": escape_hidden(record.project) if isinstance(record, Lesson) else "",
            "categories": escape_hidden(", ".join(record.categories)),
            "text": excerpt(record.text.replace("\n\n", " - ", 1), EXCERPT),  # title and body
        }
        for record in records
    ]
    if rows:
        columns = [name for name in rows[0] if name != "project" or any(row[name] for row in rows)]
        cells = [[row[name] for name in columns] for row in rows]
        print_table(columns, cells, columns[1:], {"text": NARROWEST})
    elif category:
        print_message(UNKNOWN_CATEGORY.format(collection[:-1], category))
        return
    print_message(count(len(records), collection[:-1]))


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
    project: ProjectOption = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Add one lesson.

    Its ID is derived from the title, or else from the first sentence. Without categories, it is
    classified automatically. A project's lesson is only given to sessions in that project.
    """
    name = choose_project(project) if project else ""
    if words and not "".join([title, *words]).strip():
        raise MisusedError("the text is empty: write it in quotes after add")
    text = join_title(title, read_lesson(words).strip())
    with connect(context) as client:
        added = add_lesson(
            client, Lesson("", text, tuple(category or ()), project=name), force=force
        )
        lesson = client.find(("lessons", added.id)) if name else None
    if as_json:
        print(dump({name: vars(added)[name] for name in ("id", "categories", "change")}, indent=2))
        return
    print_line(f"{'already there' if added.change == 'unchanged' else 'added'}: {added.id}")
    print_line(f"categories: {', '.join(added.categories) or 'none'}")
    if isinstance(lesson, Lesson):
        print_line(f"project: {escape_hidden(lesson.project or 'all')}")
    for verb in ("edit", "delete"):
        print_line(f"to {verb} it: lesson-search {verb} {shlex.quote(added.id)}")


def add_lesson(client: Client, lesson: Lesson, *, force: bool) -> IngestResult:
    """Add a lesson without an ID, unless the same one exists for its project or all projects.

    Raises RefusedError if the text is not a lesson, or looks like a secret.
    """
    [result] = client.ingest([check_record(lesson)], {0} if force else ())
    if result.change == "refused":
        raise RefusedError(name_option(result.reason))
    return result


def read_lesson(words: Sequence[str] | None) -> str:
    if words and words != [PIPE]:
        return " ".join(words)
    if not words and sys.stdin.isatty():
        raise MisusedError("no text: write it in quotes after add, or send it to standard input")
    try:
        return read_text(PIPE)
    except RefusedError as refused:
        raise RefusedError(f"{STDIN}: {refused}") from None


def edit(
    context: typer.Context,
    identity: Identity,
    *,
    collection: CollectionOption = None,
    force: ForceOption = False,
) -> None:
    """Edit a lesson or skill in your editor.

    VISUAL or EDITOR names the editor; the text, the categories and the project can be changed.
    """
    # The editor may stay open for hours, so the data folder is not locked meanwhile.
    with connect(context) as client:
        record = find_record(client, identity, collection)
    version = build_version(record)

    def take(edited: str) -> None:
        changes = list_changes(edited, record)
        with connect(context) as client:
            change_record(client, record, version, force=force, **changes)

    project = f"project: {record.project}\n" if isinstance(record, Lesson) else ""
    text = f"---\ncategories: [{', '.join(record.categories)}]\n{project}---\n{record.text}\n"
    print_line("saved" if edit_text(text, ".md", take, print_message) else "no change")


def change_record(
    client: Client, record: Lesson | Skill, version: str, *, force: bool, **changes: Any
) -> None:
    """Change a record; raises RefusedError, which names the option that overrides it."""
    try:
        client.change(*find_key(record), version=version, force=force, **changes)
    except RefusedError as refused:
        raise RefusedError(name_option(str(refused))) from None


def list_changes(edited: str, record: Lesson | Skill) -> Answer:
    front_matter, body = split_front_matter(edited)
    if front_matter is None:
        raise RefusedError("no front matter: put the categories between two lines of ---")
    fields = read_fields(front_matter)
    known = ("categories", "project") if isinstance(record, Lesson) else ("categories",)
    check_fields(fields, known)
    changes: Answer = {}
    if (categories := read_categories(fields)) != record.categories:
        changes["categories"] = list(categories)
    project = str(fields.get("project") or "")
    if isinstance(record, Lesson) and project != record.project:
        changes["project"] = choose_project(project) if project else ""
    if body.strip("\n") != record.text.strip("\n"):  # editors add a final newline
        changes["text"] = body.strip("\n")
    return changes


def delete(
    context: typer.Context,
    identities: Annotated[
        list[str], typer.Argument(metavar="ID", help="The ID, as in lesson-search list.")
    ],
    *,
    collection: CollectionOption = None,
    yes: YesOption = False,
) -> int:
    """Delete lessons or skills."""
    chosen: list[Lesson | Skill] = []
    deleted = 0
    distinct = dict.fromkeys(identities)
    with connect(context) as client:
        for identity in distinct:
            try:
                chosen.append(record := find_record(client, identity, collection))
            except ClientError as error:
                print_message(str(error))
                continue
            if not yes:
                print_message(f"{identity}: {excerpt(record.text)}")
        if chosen:
            agree(f"Permanently delete {count(len(chosen), 'record')}?", yes=yes)
        for record in chosen:
            with suppress(UnknownRecordError):  # deleted meanwhile
                client.remove(*find_key(record))
                deleted += 1
    if chosen:
        print_line(f"deleted {count(deleted, 'record')}")
    return int(len(chosen) < len(distinct))
