"""The lesson_search hook scans a prompt's bytes to skip those that the server would skip."""

import json

from hypothesis import given
from hypothesis import strategies as st

from lesson_search.prompts import filter as prompt_filter
from runtime.lesson_hook import is_worth_asking
from runtime.prompts import MACHINE_TAGS

PIECES = [
    *("/", "/compact", "/review-pr", "/usr", "/home", "/a:b_c-d", "/x/y", "<", ">", "/>", "<!--"),
    *(f"<{tag}" for tag in prompt_filter.MACHINE_TAGS[:3]),
    *(f"<{tag}>" for tag in ("task-notification", "system-reminder", "ide_selection", "div")),
    "</ide_selection>",
    "<teammate-message teammate_id=",
    *(" ", "\n", "\t", "\r", "\f", "\b", "\0", "\x1c", "\xa0", "\u2003", "\u2028", "\ud800"),
    *('"', "\\", '\\"', '"prompt"', '"prompt":"', "prompt", ":", ",", "{", "}", "n", "u0041"),
    *("!", "!ls", "![a", "#", "# note", "é", "漢字", "🦊", "yes", "go on", "how do I cache gems"),
]
PROMPTS = st.lists(st.sampled_from(PIECES), max_size=7).map("".join) | st.text(max_size=15)
STRANGE = st.none() | st.integers() | st.lists(PROMPTS, max_size=2)
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "prompt_id": PROMPTS,
        "cwd": PROMPTS,
        "inner": st.dictionaries(st.sampled_from(["prompt", "x"]), PROMPTS),
    },
)


EVENTS = st.builds(
    lambda before, prompt, after: {**before, "prompt": prompt, **after}, FIELDS, PROMPTS, FIELDS
)


@given(
    event=EVENTS,
    ascii_only=st.booleans(),
    slashes=st.booleans(),
    separators=st.sampled_from([(",", ":"), (", ", ": "), (" ,\n", " :\t")]),
)
def test_prefilter_misses_no_prompt(
    event: dict[str, str], separators: tuple[str, str], *, ascii_only: bool, slashes: bool
) -> None:
    raw = json.dumps(event, ensure_ascii=ascii_only, separators=separators)
    if slashes:
        raw = raw.replace("/", "\\/")
    try:
        is_sent = is_worth_asking(raw.encode("utf-8", "surrogatepass"))
    except UnicodeDecodeError:  # the server cannot decode it either
        is_sent = True
    assert is_sent or prompt_filter.find_obstacle(event["prompt"])


@given(event=st.dictionaries(st.sampled_from(["prompt", "PROMPT", "x"]), STRANGE | PROMPTS))
def test_event_without_a_prompt_is_skipped(event: dict[str, object]) -> None:
    raw = json.dumps(event).replace('"PROMPT":', '"pr\\u006fmpt":')
    prompt = json.loads(raw).get("prompt")
    if isinstance(prompt, str) and prompt_filter.find_obstacle(prompt) is None:
        assert is_worth_asking(raw.encode())


def test_prompt_is_sent() -> None:
    for raw in [
        '{"prompt": "yes", "prompt": "how do I cache gems"}',
        '{"x": {"prompt": "yes"}, "prompt": "how do I cache gems"}',
        '{"x": {"prompt": "yes"}, "\\u0070rompt": "how do I cache gems"}',
        '{"x": "\\"prompt\\": \\"yes\\"", "prompt": "how do I cache gems"}',
        '{"x": "prompt", "prompt": "how do I cache gems"}',
        '{"prompt": "ten chars."}',
        '{"prompt": " \\n\\"größer\\\\n\\"  "}',
        '{"prompt": "/home is full, what now"}',
        '{"prompt": "/var/log is full, what now"}',
        '{"prompt": "<div> is not centered"}',
        '{"prompt": "<task-notification"}',
    ]:
        assert is_worth_asking(raw.encode())


def test_prompt_is_not_sent() -> None:
    for prompt in [
        "",
        "   ",
        "yes",
        "\n go on \t",
        "größe 漢字",
        'say "hi"',
        "/review-pr 12",
        "/compact\nkeep the plan",
        "/plugin:a_command now",
        *(f"<{tag}>\n<task-id>1</task-id>" for tag in prompt_filter.MACHINE_TAGS),
        '<teammate-message teammate_id="x">Done</teammate-message>',
        "  <system-reminder>\nToday is Monday.",
    ]:
        for separators in [(",", ":"), (", ", ": ")]:
            event = {"prompt_id": "1", "hook_event_name": "UserPromptSubmit", "prompt": prompt}
            raw = json.dumps(event, ensure_ascii=False, separators=separators).encode()
            assert not is_worth_asking(raw), raw


def test_tags_match_the_server() -> None:
    assert tuple(MACHINE_TAGS.split()) == prompt_filter.MACHINE_TAGS
