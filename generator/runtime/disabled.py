"""Allow a call while the record that would deny it is disabled."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

# --- rendered from here on ---


def is_disabled(record: "dict[str, Any]") -> bool:
    """Return whether a record is disabled until a future time.

    Both times are in UTC in the same format, so they compare as texts. If the clock is set back, or
    beyond the year 9999, the record stays disabled: calls pass.
    """
    if "disabled" not in record:
        return False
    import time

    now, until = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), record["disabled"]
    return now < until or len(now) > len(until)
