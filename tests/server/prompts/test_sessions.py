"""A session gets each lesson at most once within the window, even if many threads query at once."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lesson_search.prompts.given_record import SessionMemory


class Clock:
    """A clock whose time changes only when it is set."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def memory(clock: Clock) -> SessionMemory:
    return SessionMemory(100, 3, clock)


def test_injected_lessons_are_withheld(memory: SessionMemory) -> None:
    assert memory.claim("a", ["x", "y"], 5) == ["x", "y"]
    assert memory.claim("a", ["w", "y", "v", "x", "u"], 5) == ["w", "v", "u"]
    assert memory.claim("a", ["x", "w"], 5) == []


def test_only_claimed_lessons_are_withheld(memory: SessionMemory) -> None:
    assert memory.claim("a", ["x", "y", "z"], 2) == ["x", "y"]
    assert memory.claim("a", ["x", "y", "z"], 2) == ["z"]
    assert memory.claim("a", ["w"], 0) == []
    assert memory.claim("a", ["w"], 1) == ["w"]


def test_sessions_are_independent(memory: SessionMemory) -> None:
    assert memory.claim("a", ["x"], 1) == memory.claim("b", ["x"], 1) == ["x"]


def test_lesson_is_injected_again_after_the_window(memory: SessionMemory, clock: Clock) -> None:
    memory.claim("a", ["x"], 1)
    clock.now = 99.0
    assert memory.claim("a", ["x", "y"], 2) == ["y"]
    clock.now = 100.0
    assert memory.claim("a", ["x", "y"], 2) == ["x"]
    clock.now = 198.0
    assert memory.claim("a", ["x", "y"], 2) == []


def test_oldest_session_is_evicted(memory: SessionMemory) -> None:
    for session in ("a", "b", "c"):
        memory.claim(session, ["x"], 1)
    memory.claim("a", ["y"], 1)
    memory.claim("d", ["x"], 1)
    assert memory.claim("a", ["x", "y"], 2) == []
    assert memory.claim("b", ["x"], 1) == ["x"]
    assert len(memory) == 3


def test_empty_claims_create_no_session(memory: SessionMemory) -> None:
    memory.claim("a", ["x"], 1)
    for number in range(9):
        memory.claim(f"empty {number}", [], 5)
    assert memory.claim("a", ["x"], 1) == []
    assert len(memory) == 1


@pytest.mark.parametrize("session", [None, ""])
def test_claims_without_a_session_are_not_stored(
    memory: SessionMemory, session: str | None
) -> None:
    for _ in range(2):
        assert memory.claim(session, ["x", "y", "z"], 2) == ["x", "y"]
    assert len(memory) == 0


def test_duplicate_id_counts_once(memory: SessionMemory) -> None:
    assert memory.claim("a", ["x", "x", "y"], 2) == ["x", "y"]
    assert memory.claim(None, ["x", "x", "y"], 2) == ["x", "y"]


@pytest.mark.parametrize(
    "session", ["../../x", "x" * 1_000_000, "a\0b", "\ud800", "🦊", "a\nb", " ", "{}", "None"]
)
def test_session_may_have_any_name(memory: SessionMemory, session: str) -> None:
    assert memory.claim(session, ["x"], 1) == ["x"]
    assert memory.claim(session, ["x"], 1) == []
    assert memory.claim(f"{session} ", ["x"], 1) == ["x"]


STEPS = st.tuples(
    st.none() | st.text(max_size=1),
    st.lists(st.sampled_from("uvwxyz"), max_size=6),
    st.integers(0, 3),
    st.floats(0, 20),
)


@given(steps=st.lists(STEPS, max_size=30))
def test_no_lesson_repeats_within_the_window(
    steps: list[tuple[str | None, list[str], int, float]],
) -> None:
    clock = Clock()
    memory = SessionMemory(10, 1_000, clock)
    last: dict[tuple[str, str], float] = {}
    for session, ids, most, pause in steps:
        clock.now += pause
        claimed = memory.claim(session, ids, most)
        wanted = dict.fromkeys(ids)
        if session:
            wanted = {
                identity: None
                for identity in wanted
                if clock.now - last.get((session, identity), -99) >= 10
            }
            last |= {(session, identity): clock.now for identity in claimed}
        assert claimed == list(wanted)[:most]


@pytest.fixture
def hasty_threads() -> Iterator[None]:
    """Switch threads as often as possible, to expose races."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.usefixtures("hasty_threads")
def test_concurrent_claims_repeat_no_lesson() -> None:
    threads, rounds = 8, 300
    memory = SessionMemory(100, rounds)
    start = Barrier(threads)

    def claim_each(_: int) -> list[str]:
        given: list[str] = []
        for number in range(rounds):
            start.wait()
            given += memory.claim("a", [f"lesson {number}"], 1)
        return given

    with ThreadPoolExecutor(threads) as pool:
        claimed = [identity for part in pool.map(claim_each, range(threads)) for identity in part]
    assert sorted(claimed) == sorted(f"lesson {number}" for number in range(rounds))


def test_released_lessons_can_be_injected_again(memory: SessionMemory) -> None:
    memory.claim("a", ["x", "y"], 2)
    memory.release("a", ["y", "never claimed"])
    assert memory.claim("a", ["x", "y"], 2) == ["y"]
    memory.release("unknown", ["x"])
    memory.release(None, ["x"])
