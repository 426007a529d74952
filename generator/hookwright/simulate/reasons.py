"""Say why a route decides about a call, or does not."""

from dataclasses import dataclass

from hookwright.answers.disabling import word_time
from hookwright.hooks.registry import TOOL_ROUTING
from hookwright.simulate.batch import RouteTrial, decide
from hookwright.simulate.calls import Call
from hookwright.simulate.run import writing_hook

QUOTED = 200  # characters of a quoted text


@dataclass(frozen=True)
class Reason:
    """Why a route decides about a call, or does not.

    Args:
        decider: The name of the route that decides; "" for none.
        line: Why, in a line that begins with the name of a route.

    """

    decider: str
    line: str


def explain_call(script: bytes, call: Call, route: str) -> Reason:
    """Return why a route decides about a call, or does not.

    Args:
        script: The rendered hook, which is trusted.
        call: The call.
        route: The name of the route.

    Raises:
        RefusedError: The hook cannot be run.

    """
    with writing_hook(script, TOOL_ROUTING.name) as handler:
        ((_, (outcome,)),) = decide([handler], [call], explains=True)
    if outcome.error:
        return Reason("", f"the hook raises {outcome.error}, so the call goes through")
    *_, last = outcome.tried
    decider = last.route if last.outcome == "matches" else ""
    own = next((one for one in outcome.tried if one.route == route), last)
    return Reason(decider, f"{own.route} {explain_route(own)}")


def explain_route(tried: RouteTrial) -> str:
    """Return the outcome of a route that was tried."""
    if tried.outcome == "matches":
        does = {"block": "denies", "warn": "warns", "allow": "lets it through"}[tried.action]
        return f"matches {tried.text[:QUOTED]!r} and decides: it {does}"
    return {
        "other tool": "is for another tool",
        "does not match": "does not match",
        "disabled": f"matches, but is disabled until {word_time(tried.text)}",
        "requires": f"matches, but is skipped: the command {tried.text} is missing",
        "error": f"is skipped because of {tried.text}",
    }[tried.outcome]
