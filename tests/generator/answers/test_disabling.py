"""Records are disabled, permanently or for a time, and enabled again."""

from datetime import datetime, timezone

import pytest

from hookwright.answers.disabling import (
    describe_disabled,
    enable_expired,
    find_end,
    keep_disabled,
)
from hookwright_console.errors import RefusedError

from ...support.project import GITLAB, PULL_REQUEST

AHEAD, PAST = "2999-01-01T00:00:30Z", "2020-01-01T00:00:00Z"


@pytest.mark.parametrize(("duration", "minutes"), [("30m", 30), ("1h", 60), ("2d", 2880)])
def test_duration_becomes_an_end_time_in_utc(duration: str, minutes: int) -> None:
    end = datetime.strptime(find_end(duration), "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=timezone.utc)
    assert abs((end - datetime.now(timezone.utc)).total_seconds() - 60 * minutes) < 5


def test_invalid_durations_are_rejected() -> None:
    for text in ["", "h", "1", "0h", "-1h", "1.5h", "1w", "1h ", "\u0661h"]:
        with pytest.raises(RefusedError) as refused:
            find_end(text)
        got = text or "an empty text"
        assert str(refused.value) == f"expected a duration such as 30m, 1h or 2d, got {got}"


def test_excessive_durations_are_rejected() -> None:
    with pytest.raises(RefusedError, match="99999d is too long: use at most 9999d"):
        find_end("99999d")


@pytest.mark.parametrize(
    ("disabled", "words"),
    [
        ({}, ""),
        ({"disabled": True}, "disabled"),
        ({"disabled": AHEAD}, "disabled until 2999-01-01 00:00 UTC"),
        ({"disabled": PAST}, ""),
    ],
)
def test_state_is_described(disabled: dict[str, object], words: str) -> None:
    assert describe_disabled({**GITLAB, **disabled}) == words


def test_expired_records_are_enabled() -> None:
    off = {**GITLAB, "disabled": True}
    answers = {
        "databases": [off, {**GITLAB, "disabled": PAST}],
        "routes": {"pr": {**PULL_REQUEST, "disabled": AHEAD}},
    }
    assert enable_expired(answers) == {"databases": [off, GITLAB]}


@pytest.mark.parametrize("databases", [None, 5, "x", ["x"], [{"disabled": 5}], [{"disabled": ""}]])
def test_malformed_answers_are_left_unchanged(databases: object) -> None:
    assert enable_expired({"databases": databases}) in ({}, {"databases": [{}]})


def test_replaced_record_stays_disabled() -> None:
    before = {**GITLAB, "disabled": AHEAD}
    assert keep_disabled(before, {**GITLAB, "path": "/new"})["disabled"] == AHEAD
    assert keep_disabled(GITLAB, GITLAB) == GITLAB
