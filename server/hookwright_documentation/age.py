"""How old a documentation database is."""

from datetime import date, datetime


def count_days(crawled: str) -> int | None:
    """Return how many days ago a date was, or None if it is not one."""
    try:
        return (datetime.now().astimezone().date() - date.fromisoformat(crawled)).days
    except (TypeError, ValueError):
        return None
