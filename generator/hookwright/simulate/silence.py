"""Ask the lesson server why a prompt gets no lessons."""

import json
import os
import re
from dataclasses import dataclass
from typing import Any, Literal

from hookwright.lesson_server import (
    FORBIDDEN,
    TOKEN,
    UNAUTHORIZED,
    explain_failure,
    format_refusal,
)
from hookwright.project.configured_handlers import read_lesson_url
from hookwright.project.rendered_hooks import read_tables
from hookwright.simulate.run import Handler
from hookwright_console.network.addresses import find_origin
from hookwright_console.network.http_client import NotHttpError, UnreachableError, ask
from hookwright_console.network.peers import OtherUserError

TIME_LIMIT = 5.0  # seconds
OK = 200
MALFORMED = (ValueError, LookupError, TypeError, AttributeError, RecursionError)
OBSTACLES = {
    "short": "it has fewer than 10 characters",
    "slash command": "it is a slash command",
    "shell command": "it is a shell command",
    "memory note": "it is a note for the agent's memory",
    "client's own": "it comes from the client, not the user",
}

Why = Literal["ruled out", "no server", "refused", "embedder down", "empty", "unlike", "given"]


@dataclass(frozen=True)
class Silence:
    """The reason a prompt gets no lessons."""

    why: Why
    line: str  # including the fix
    details: Any = None  # for example each collection's best score and threshold


def find_silence(handler: Handler, event: str) -> Silence | None:
    """Ask the server why a prompt gets no lessons; return None if it does not explain."""
    url = find_server(handler)
    if not url:
        return None
    own = {"Authorization": f"Bearer {handler.token}"} if handler.token else {}
    headers = {**own, **handler.headers}
    page = f"{url}/api/explain{find_min_score(handler)}"
    try:
        answer = ask(page, method="POST", content=event, headers=headers, timeout=TIME_LIMIT)
        if answer.status in {UNAUTHORIZED, FORBIDDEN}:
            sent = bool(headers.get("Authorization", "").removeprefix("Bearer ").strip())
            trusted = sent or TOKEN not in os.environ
            refusal = format_refusal(answer.status, token=sent, trusted=trusted)
            return Silence("refused", f"{url} {refusal}", answer.status)
        # An older server, or another program, does not explain.
        return read_explanation(url, json.loads(answer.content)) if answer.status == OK else None
    except (OtherUserError, UnreachableError) as error:
        return Silence("no server", explain_failure(url, error), url)
    except (NotHttpError, *MALFORMED):
        return None


def find_server(handler: Handler) -> str:
    if handler.script:
        return read_lesson_url(read_tables(handler.script))
    return handler.url.partition("/hooks/")[0] if find_origin(handler.url) else ""


def find_min_score(handler: Handler) -> str:
    if handler.script:
        score = read_tables(handler.script).get("MIN_SCORE")
        return f"?min_score={score}" if isinstance(score, float) else ""
    found = re.search(r"&min_score=([\d.e-]+)", handler.url)
    return f"?min_score={found[1]}" if found else ""


def read_explanation(url: str, told: dict[str, Any]) -> Silence | None:
    """Return the reason why a prompt gets no lessons, from the server's explanation.

    Raises LookupError, TypeError or AttributeError if the content is not an explanation.
    """
    if obstacle := told["obstacle"]:
        line = f"no lessons are looked up for such a prompt: {OBSTACLES[obstacle]}"
        return Silence("ruled out", line, obstacle)
    near = told["collections"]
    if not told["embedder_is_up"]:
        return Silence("embedder down", f"{url} is degraded: its embedder is down: read its log")
    if not any(collection["records"] for collection in near.values()):
        line = f"{url} has no lessons yet: add some with lesson-search ingest"
        return Silence("empty", line, near)
    if any(collection["left"] for collection in near.values()):
        return None
    if given := sum(collection["given"] for collection in near.values()):
        return Silence("given", f"this session already got all {given} that are relevant", near)
    scores = [
        f"the best {name.removesuffix('s')} scores {hint['best']:.2f} of {hint['threshold']:.2f}"
        for name, hint in near.items()
        if hint["best"] is not None
    ]
    return Silence("unlike", f"nothing is similar enough: {'; '.join(scores)}", near)
