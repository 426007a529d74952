"""Take a denial through the steps that remember or record it, and that may let the call through."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    Decision = tuple[str, str]
    Step = Callable[..., Decision]

# --- rendered from here on ---


def take_steps(
    steps: "Iterable[Step]", by: "Any", event: "dict[str, Any]", decision: "Decision"
) -> "Decision":
    """Return the decision that the steps make of a denial, while one still denies the call.

    Each step gets what denies the call, the event, and the decision of the step before.
    """
    for step in steps:
        if decision[0]:
            decision = step(by, event, decision)
    return decision
