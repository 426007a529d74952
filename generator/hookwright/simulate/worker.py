"""Decide many calls by a project's hooks in one process, and say what matched in each.

A script: `python -I -S decider.py HOOK.py...`, for Python 3.9 or later. Each line of its stdin is a
JSON list of [event, hooks that are asked, whether to explain], and is answered by a line with the
list of what they made of it. Nothing is remembered or written.
"""

import importlib.util
import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

DECIDERS = ("decide_search", "decide_call")
# What a hook remembers by, and what each does in its place.
STILL: "dict[str, Callable[..., Any]]" = {
    "append_line": lambda *_: 0,
    "forget_expired": lambda *_: None,
    "recall_denial": lambda *_: False,
    "remember_denial": lambda *_: None,
    "describe_match": lambda *_: "",  # what debug mode puts before a message
}


class Hook:
    """A rendered hook, as a module whose steps are listened to."""

    def __init__(self, path: str) -> None:
        """Import a hook; raises what its code raises, and LookupError where it is none of ours."""
        spec = importlib.util.spec_from_file_location("hook", path)
        if not spec or not spec.loader:
            raise LookupError(path)
        self._module: Any = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self._module)
        own = vars(self._module)
        deciders = [own[name] for name in DECIDERS if name in own]
        if not deciders:
            raise LookupError(" or ".join(DECIDERS))
        self._lines: list[str] = []
        self._found: dict[str, Any] = {}
        self._named: list[Any] = []
        listeners: dict[str, Callable[..., None]] = {
            "add_restricted": self._note_matches,
            "drop_ambiguous": self._note_vetoes,
            "match_route": self._note_route,
        }
        own["explain"] = self._lines.append
        own.update({name: still for name, still in STILL.items() if name in own})
        own.update({n: self._wrap(own[n], listen) for n, listen in listeners.items() if n in own})
        more = [own["drop_ambiguous"]] if "drop_ambiguous" in own else []
        self._decide: Callable[[bytes], Any] = lambda event: deciders[0](event, *more)

    def answer(self, event: bytes, *, explains: bool) -> "dict[str, Any]":
        """Return what the hook makes of an event, and how that came about.

        Args:
            event: As the client sends it.
            explains: Whether to try also what certainly does not match.

        """
        self._lines.clear()
        self._found = {}
        self._module.DEBUG = explains
        answer: dict[str, Any] = {"decision": None}
        try:
            answer["decision"] = self._decide(event)
        except Exception as error:  # noqa: BLE001 - the call would be let through
            answer["error"] = repr(error)
        answer.update(self._found)
        if explains and answer.get("matched"):
            query = json.loads(event.decode())["tool_input"]["query"]
            answer["matched"] = [
                [*one, self._locate(one[1], query) if one in self._named else None]
                for one in answer["matched"]
            ]
        return answer

    def _wrap(self, step: "Callable[..., Any]", listen: "Callable[..., None]") -> Any:
        """Return a step of the hook of which `listen` is told what it got, made and said."""

        def listened(*given: Any) -> Any:
            said = len(self._lines)
            try:
                made = step(*given)
            except Exception as error:
                listen(given, error, self._lines[said:])
                raise
            listen(given, made, self._lines[said:])
            return made

        return listened

    def _note_matches(self, given: Any, made: Any, _said: "list[str]") -> None:
        """Note the databases that a search is sent to: the number of each, and what names it.

        And which of these a keyword names; the others are of a site that it is restricted to.
        """
        if not isinstance(made, Exception):
            self._found["matched"], self._named = made, given[0]

    def _note_vetoes(self, given: Any, made: Any, said: "list[str]") -> None:
        """Note the databases whose keyword does not count, each with what the hook says of it."""
        if not isinstance(made, Exception):
            dropped = [match for match in given[0] if match not in made]
            both = zip(dropped, said)  # noqa: B905 - Python 3.9 has no strict
            self._found["vetoed"] = [[*match, why] for match, why in both]

    def _note_route(self, given: Any, made: Any, said: "list[str]") -> None:
        """Note a route that is tried: its name and action, what became of it, and on what."""
        route = given[0]
        own = [line[len(route["name"]) + 2 :] for line in said]
        outcome, text = "does not match", ""
        if isinstance(made, Exception):
            outcome, text = "error", repr(made)
        elif made:
            outcome, text = "matches", made[0]
        elif any(line.startswith("passed over") for line in own):
            outcome, text = "requires", route["requires"]
        elif own and own[0].startswith("is not for "):
            outcome = "other tool"
        tried = [route["name"], route.get("action", "block"), outcome, text]
        self._found.setdefault("tried", []).append(tried)

    def _locate(self, keyword: str, query: str) -> "list[int] | None":
        """Return from where to where a keyword stands in a query by itself, or None."""
        word, folded = keyword.casefold(), query.casefold()
        # Case-folded, a character may be several.
        origins = [place for place, one in enumerate(query) for _ in one.casefold()]
        start = folded.find(word)
        while start >= 0:
            end = start + len(word)
            if self._module.stands_alone(word, folded[max(start - 1, 0) : end + 1]):
                return [origins[start], origins[end - 1] + 1]
            start = folded.find(word, start + 1)
        return None


def load(paths: "list[str]") -> "tuple[list[Hook], str]":
    """Return the hooks at these paths, or why one of them cannot be run."""
    hooks: list[Hook] = []
    try:
        hooks.extend(map(Hook, paths))
    except BaseException as error:  # noqa: BLE001 - it may even end the process
        return [], f"{paths[len(hooks)]} cannot be run: {error!r}"
    return hooks, ""


def main() -> None:
    """Answer each line of stdin."""
    answers, sys.stdout = sys.stdout, sys.stderr  # whatever else is printed is no answer
    sys.dont_write_bytecode = True
    hooks, error = load(sys.argv[1:])
    for line in sys.stdin.buffer:
        asked = () if error else json.loads(line)
        made = [
            [hooks[number].answer(event.encode(), explains=explains) for number in numbers]
            for event, numbers, explains in asked
        ]
        print(json.dumps({"error": error, "made": made}), file=answers, flush=True)


if __name__ == "__main__":
    main()
