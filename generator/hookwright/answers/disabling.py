"""Disable records, permanently or until a time, and enable them again."""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta, timezone
from typing import Any

from hookwright.answers.schema import RECORDS
from hookwright_console.errors import RefusedError
from hookwright_console.text import shorten

FIELD = "disabled"
DURATION = re.compile(r"([1-9][0-9]*)([mhd])", re.ASCII)
MAX_COUNT = 9999  # maximum number of each unit
UNITS = {"m": "minutes", "h": "hours", "d": "days"}
WRITTEN = "%Y-%m-%dT%H:%M:%SZ"  # the format that hooks compare
Record = Mapping[str, Any]


def find_end(duration: str) -> str:
    """Return the time after a duration such as 30m, 1h or 2d, in the answers' format."""
    found = DURATION.fullmatch(duration)
    if not found:
        got = shorten(duration) or "an empty text"
        raise RefusedError(f"expected a duration such as 30m, 1h or 2d, got {got}")
    if len(found[1]) > len(str(MAX_COUNT)):
        raise RefusedError(f"{shorten(duration)} is too long: use at most {MAX_COUNT}{found[2]}")
    length = timedelta(**{UNITS[found[2]]: int(found[1])})
    return (datetime.now(timezone.utc) + length).strftime(WRITTEN)


def is_over(record: Record) -> bool:
    until = record.get(FIELD)
    return isinstance(until, str) and until <= datetime.now(timezone.utc).strftime(WRITTEN)


def describe_disabled(record: Record) -> str:
    """Return "disabled", "disabled until ...", or "" for an enabled record."""
    if FIELD not in record or is_over(record):
        return ""
    return FIELD if is_disabled(record) else f"{FIELD} until {format_time(str(record[FIELD]))}"


def format_time(until: str) -> str:
    return f"{until[:10]} {until[11:16]} UTC"


def enable(record: Record) -> dict[str, Any]:
    return {name: field for name, field in record.items() if name != FIELD}


def disable(record: Record) -> dict[str, Any]:
    return {**record, FIELD: True}


def is_disabled(record: Record) -> bool:
    return record.get(FIELD) is True


def keep_disabled(before: Record, record: Record) -> dict[str, Any]:
    return {**record, **({FIELD: before[FIELD]} if FIELD in before else {})}


def enable_expired(answers: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answers with expired records enabled again."""
    changed: dict[str, Any] = {}
    for question in RECORDS:
        records = answers.get(question)
        if isinstance(records, dict):
            new: Any = {name: enable_if_over(record) for name, record in records.items()}
        elif isinstance(records, list):
            new = [enable_if_over(record) for record in records]
        else:
            continue
        if new != records:
            changed[question] = new
    return changed


def enable_if_over(record: Any) -> Any:
    return enable(record) if isinstance(record, dict) and is_over(record) else record
