"""Find lessons or skills for a prompt."""

import itertools
from collections.abc import Sequence
from typing import Annotated, Literal

import typer

from hookwright_console.errors import RefusedError
from hookwright_console.hidden_characters import escape_hidden
from hookwright_console.tables import print_table
from hookwright_console.terminal import dump, excerpt
from lesson_search.cli.client import Answer, Client, ClientError
from lesson_search.cli.options import JsonOption, Options, print_message
from lesson_search.records import CollectionName

LESSONS: list[CollectionName] = ["lessons"]
NARROWEST = 40  # characters of a line of a text
UNKNOWN_CATEGORY = "no {} has the category '{}': see lesson-search categories"
NOTHING_YET = "no lessons yet: add some with lesson-search ingest or lesson-search add"
COLLECTIONS_OF: dict[str | None, list[CollectionName] | None] = {
    "lessons": None,
    "skills": ["skills"],
    "both": ["lessons", "skills"],
    None: ["lessons", "skills"],
}


def query(
    context: typer.Context,
    words: Annotated[
        list[str], typer.Argument(metavar="PROMPT", help="A prompt as you would write it.")
    ],
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
) -> int:
    """Find lessons or skills for a prompt."""
    prompt = " ".join(words)
    if not prompt.strip():
        raise RefusedError("the prompt is empty: write it in quotes after query")
    options = context.ensure_object(Options)
    fields: Answer = {"top_k": top_k, "min_score": min_score, "categories": category or None}
    with options.connect() as client:
        answer = client.query(prompt, **fields, collections=COLLECTIONS_OF[collection])
        health = {} if as_json else check_embedder(client)
        unknown = find_unknown(client, category or (), COLLECTIONS_OF[collection])
    kinds = " or ".join(name[:-1] for name in COLLECTIONS_OF[collection] or LESSONS)
    for path in unknown:
        print_message(UNKNOWN_CATEGORY.format(kinds, path))
    results = name_kinds(answer)
    if as_json:
        if collection is None:  # all lists stand where that of the lessons does
            answer = {**results, **{name: answer[name] for name in answer if name != "results"}}
        print(dump(answer, indent=2))
        return 0
    found = sorted(itertools.chain(*results.values()), key=lambda row: -row["score"])
    if not found and category and len(unknown) == len(category):
        return 0
    if not found:
        empty = not (health["lesson_count"] or health["skill_count"])
        way_out = "see the closest matches with --min-score 0"
        print_message(NOTHING_YET if empty else f"nothing found: {way_out}")
        return 0
    rows = []
    for row in found:
        identity, kind, paths = map(
            escape_hidden, (row["id"], row["kind"], ", ".join(row["categories"]))
        )
        rows.append((identity, f"{row['score']:.0%}", kind, paths, excerpt(row["text"])))
    columns = ("id", "score", "kind", "categories", "text")
    print_table(columns, rows, ("categories", "text"), {"text": NARROWEST})
    return 0


def find_unknown(
    client: Client, categories: Sequence[str], collections: Sequence[CollectionName] | None
) -> list[str]:
    return [
        category
        for category in dict.fromkeys(categories)
        if not any(any(client.list_records(name, category)) for name in collections or LESSONS)
    ]


def name_kinds(answer: Answer) -> dict[str, list[Answer]]:
    results: dict[str, list[Answer]] = answer.get("results") or {"lessons": answer["lessons"]}
    for collection, rows in results.items():
        for row in rows:
            row["kind"] = collection.removesuffix("s")
    return results


def check_embedder(client: Client) -> Answer:
    """Return the health, or raise ClientError if the embedder is down: searches find nothing."""
    health = client.read_health()
    if health["embedder"] == "down":
        raise ClientError(f"the embedder {health['model']} is down: start it, then try again")
    return health
