"""Allow a call if the route or database that would deny it is disabled."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

# --- rendered from here on ---


def is_disabled(record: "dict[str, Any]") -> bool:
    """Return whether a route's or database's record is disabled until a future time.

    Both times are in UTC and in the same format, so they can be compared as texts. If the clock is
    set back, or to a year after 9999, the record stays disabled, so calls are allowed.
    """
    if "disabled" not in record:
        return False
    import time

    now, until = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), record["disabled"]
    return now < until or len(now) > len(until)
