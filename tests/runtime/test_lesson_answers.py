"""Only frames that a JSON parser would accept are printed, whatever their text."""

import json
from collections.abc import Iterator

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from runtime import lesson_hook

from ..support.fake_lesson_server import StandIn, write_answer, write_frame
from ..support.hypothesis_profiles import examples
from ..support.project import prompt_event

EVENT = json.dumps(prompt_event("how do I cache gems")).encode()
FRAME = write_frame("x").decode()
PIECES = [
    *('"', "\\", '\\"', "\\\\", "\\n", "\\u", "\\u00e9", "\\ud83e", "\\x", "\\u12", "00e9", "}}"),
    *('"}}', '"},"decision":"block"', ',"a":"', "{", ":", "\n", "\x00", "\x1f", "\x7f", "é", "🦊"),
    *(FRAME, FRAME[:-3], FRAME[-3:], "## Relevant Lessons", " "),
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=6).map("".join) | st.text(max_size=9)


def is_frame(body: str) -> bool:
    try:
        pairs = json.loads(body, object_pairs_hook=list)
    except ValueError:
        return False
    match pairs:
        case [("hookSpecificOutput", [("hookEventName", event), ("additionalContext", str())])]:
            return bool(event == "UserPromptSubmit")
    return False


@given(text=st.text(), ascii_only=st.booleans())
def test_any_text_in_a_frame_is_printed(text: str, *, ascii_only: bool) -> None:
    ascii_only |= any("\ud800" <= character <= "\udfff" for character in text)
    lesson_hook.check_answer(write_frame(text, ascii_only=ascii_only).decode())


@settings(max_examples=examples(500))
@given(body=TEXTS | TEXTS.map(lambda text: FRAME.replace("x", text)))
@example(body=FRAME[:-4] + FRAME[-2:])
@example(body=FRAME[:-4])
def test_only_a_valid_frame_is_printed(body: str) -> None:
    try:
        lesson_hook.check_answer(body)
    except ValueError:
        return
    assert is_frame(body)


@pytest.fixture(scope="module")
def server() -> Iterator[StandIn]:
    with StandIn() as server:
        yield server


@pytest.mark.filterwarnings(
    "ignore::ResourceWarning"
)  # the hook's connection is closed when its process exits
@settings(max_examples=examples(200))
@example(status="200 OK", length=len(FRAME), body=FRAME.encode(), cut=0)
@example(status="200 OK", length=len(FRAME), body=FRAME.encode(), cut=1)
@example(status="200 OK", length=2, body=b"{}", cut=0)
@example(status="200 OK", length=0, body=b"", cut=0)
@given(
    status=st.sampled_from(["200 OK", "200", "404 Not Found", "302 Found", "1e2", "-200", ""]),
    length=st.none() | st.integers(-2, 200) | st.just(len(FRAME)) | st.text("0123456789 _+x"),
    body=st.binary(max_size=50) | TEXTS.map(lambda text: FRAME.replace("x", text).encode()),
    cut=st.integers(0, 300),
)
def test_any_answer_is_printed_completely_or_not_at_all(
    server: StandIn, status: str, length: object, body: bytes, cut: int
) -> None:
    answer = write_answer(body, status, Content_Length=length)
    server.reply = lambda _: [answer[: max(0, len(answer) - cut)], b""]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lesson_hook, "SERVER", f"127.0.0.1:{server.server_port}")
        try:
            printed = lesson_hook.find_lessons(EVENT)
        except (OSError, ValueError):
            return
    assert printed is None or is_frame(printed.decode())
