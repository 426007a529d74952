"""Find lessons or skills for a prompt."""

from typing import Annotated, Literal

import typer

from hookwright_console.hidden_characters import escape_hidden
from hookwright_console.terminal import build_table, dump, excerpt, open_console, print_message
from lesson_search.cli.options import JsonOption, Options
from lesson_search.client import Answer, Client, ClientError

COLLECTIONS_OF = {"lessons": None, "skills": ["skills"], "both": ["lessons", "skills"]}


def query(
    context: typer.Context,
    prompt: Annotated[
        str, typer.Argument(metavar="PROMPT", help="A prompt as you would write it.")
    ],
    *,
    top_k: Annotated[
        int, typer.Option(min=1, max=100, help="The number of results per collection.")
    ] = 5,
    category: Annotated[
        list[str] | None, typer.Option(help="Only this category and those below it; repeatable.")
    ] = None,
    min_score: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="The lowest score to show; 0 shows all."),
    ] = None,
    collection: Annotated[
        Literal["lessons", "skills", "both"], typer.Option(help="The collections to search.")
    ] = "lessons",
    as_json: JsonOption = False,
) -> int:
    """Find lessons or skills for a prompt."""
    options = context.ensure_object(Options)
    request: Answer = {"prompt": prompt, "top_k": top_k, "min_score": min_score}
    request |= {"categories": category or None, "collections": COLLECTIONS_OF[collection]}
    with options.connect() as client:
        answer = client.query(request)
        if not as_json:
            check_embedder(client)
    if as_json:
        print(dump(answer, indent=2))
        return 0
    results = answer.get("results") or {"lessons": answer["lessons"]}
    found = [row for rows in results.values() for row in rows]
    if not found:
        print_message("nothing found: see the closest matches with --min-score 0")
        return 0
    table = build_table("score", "id", "categories", "text")
    for row in found:
        names = [row["id"], ", ".join(row["categories"])]
        table.add_row(f"{row['score']:.0%}", *map(escape_hidden, names), excerpt(row["text"]))
    open_console().print(table)
    return 0


def check_embedder(client: Client) -> None:
    """Raise ClientError if the embedder is down: a search finds nothing then."""
    health = client.read_health()
    if health["embedder"] == "down":
        raise ClientError(f"the embedder {health['model']} is down: start it, then try again")
