"""Add a hint that documentation for a technology in the prompt is on this machine.

It reaches agents that never search, or whose searches no hook sees. A hint is one line from the
user's own answers, without third-party text, because a prompt's context has authority.

The part after the marker becomes part of the prompt_hint hook, with its tables.
"""

from typing import TYPE_CHECKING

from runtime.claude.folder import find_memory_folder
from runtime.event import explain
from runtime.matching import match_keywords
from runtime.memory import forget_expired, name_memory, remember_denial
from runtime.prompts import OPENING, may_matter

if TYPE_CHECKING:
    from typing import Any

HINTS = ""

# --- rendered from here on ---


SESSION = 86_400  # maximum session length in seconds


def find_hints(raw: bytes) -> "bytes | None":
    """Return the output for the prompt of the event in `raw`, or None.

    Raises any exception for invalid events, and OSError if a hint cannot be saved: it would be
    repeated at every prompt.
    """
    prompt = read_prompt(raw.decode())
    if not may_matter(prompt):
        explain("no hint: the prompt is short, a command or a client's own")
        return None
    trace: list[Any] = []
    found = match_keywords(prompt, trace)
    explain(
        f"the prompt names {found!r}: {trace!r}" if found else f"no keyword is meant: {trace!r}"
    )
    if not found:
        return None
    import json

    hints, session = HINTS.strip().split("\n"), {"session_id": json.loads(raw).get("session_id")}
    new = [hints[match[0]] for match in found if is_new(hints[match[0]], session)]
    return (OPENING + json.dumps("\n".join(new))[1:-1] + '"}}').encode() if new else None


def read_prompt(event: str) -> str:
    """Return an event's prompt."""
    from _json import scanstring  # importing json takes as long as starting Python

    _, _, value = event.partition('"prompt"')
    colon, _, _ = value.partition('"')
    if colon.strip() == ":" and '"prompt"' not in value:
        return str(scanstring(value, len(colon) + 1)[0])
    import json

    return str(json.loads(event)["prompt"])


def is_new(hint: str, session: "dict[str, Any]") -> bool:
    """Return whether a session has not had a hint yet, and record it; raises OSError."""
    folder = find_memory_folder()
    forget_expired(folder, "prompt_hint", SESSION)
    memory = f"{folder}/{name_memory('prompt_hint', session, {'hint': hint})}.json"
    try:
        remember_denial(memory, {"hint": hint})
    except FileExistsError:
        explain("the session has had this hint: " + hint)
        return False
    return True
