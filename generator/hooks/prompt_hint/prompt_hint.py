"""Add a hint to a prompt that names a technology with documentation on this machine.

The hint reaches agents that never search or whose searches trigger no hook. It is a single line
from the user's own answers, without third-party text, because agents trust a prompt's context.
"""

from typing import TYPE_CHECKING

from runtime.dialects.claude import find_memory_folder
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

    Raises any exception for invalid events, and OSError if the hint cannot be recorded, because it
    would then repeat at every prompt.
    """
    prompt = read_prompt(raw.decode())
    if not may_matter(prompt):
        explain("no hint: the prompt is short, a command, or the client's own")
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
    from _json import scanstring  # json is as slow to import as Python to start

    _, _, value = event.partition('"prompt"')
    colon, _, _ = value.partition('"')
    if colon.strip() == ":" and '"prompt"' not in value:
        return str(scanstring(value, len(colon) + 1)[0])
    import json

    return str(json.loads(event)["prompt"])


def is_new(hint: str, session: "dict[str, Any]") -> bool:
    """Return whether a session has had no hint yet, and record the hint; raises OSError."""
    folder = find_memory_folder()
    forget_expired(folder, "prompt_hint", SESSION)
    memory = f"{folder}/{name_memory('prompt_hint', session, {'hint': hint})}.json"
    try:
        remember_denial(memory, {"hint": hint})
    except FileExistsError:
        explain("this session already had this hint: " + hint)
        return False
    return True
