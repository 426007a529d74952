"""An agent's context stays within its budget, and each stored text within its list item."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lesson_search.prompts.context import BUDGET, LESSONS, SKILLS, format_context
from lesson_search.prompts.filter import MACHINE_TAGS
from lesson_search.records import Lesson, Skill

REVIEW = Skill(
    "skill-review-pr",
    "Review a GitHub pull request. Fetches the diff and comments. Usage: /review-pr <number>",
    trigger="/review-pr",
)
SENTENCE = "Raise the heap of Node to four gigabytes. "


def lesson(text: str, *categories: str) -> Lesson:
    return Lesson("id", text, categories)


def build_context(
    lessons: list[tuple[Lesson, float]], skills: list[tuple[Skill, float]], budget: int = BUDGET
) -> str:
    return format_context([*lessons, *skills], budget).text


def test_context_matches_the_documented_format() -> None:
    context = build_context(
        [(lesson("Raise the heap.", "devops/ci-cd", "x/y"), 0.876), (lesson("Rest."), 0.5)],
        [(REVIEW, 0.89), (Skill("s", "Does it all"), 0.2)],
    )
    assert context == (
        "## Relevant Lessons from Past Experience\n"
        "\n"
        "- **[devops/ci-cd, x/y]** (relevance: 87%): Raise the heap.\n"
        "- (relevance: 50%): Rest.\n"
        "\n"
        "## Suggested Skills\n"
        "\n"
        "- `/review-pr` - Review a GitHub pull request (89% match)\n"
        "- Does it all (20% match)"
    )


def test_empty_result_has_no_context() -> None:
    assert build_context([], []) == ""
    assert build_context([(lesson(""), 0.9), (lesson("\x00\n\u200b"), 0.9)], []) == ""
    assert LESSONS not in build_context([], [(REVIEW, 0.9)])
    assert SKILLS not in build_context([(lesson("Rest."), 0.9)], [])


def test_relevance_is_an_integer_percentage() -> None:
    for score, percent in [
        (0.0, 0),
        (0.29, 29),
        (0.57, 57),
        (0.879, 87),
        (0.9999, 99),
        (1.0, 100),
        (7.0, 100),
        (-1.0, 0),
        (math.inf, 100),
        (math.nan, 0),
    ]:
        assert f"- (relevance: {percent}%): a" in build_context([(lesson("a"), score)], [])
        assert f"({percent}% match)" in build_context([], [(REVIEW, score)])


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Reviews. Then rests.", "Reviews"),
        ("Knows e.g. GitHub. Then rests.", "Knows e.g. GitHub"),
        ("Reads docs.gitlab.com for you", "Reads docs.gitlab.com for you"),
        ("Reviews\na pull request.", "Reviews a pull request"),
        ("Does it work? It tells.", "Does it work?"),
        ("审查拉取请求。然后休息。", "审查拉取请求。"),
    ],
)
def test_skill_is_described_by_its_first_sentence(text: str, first: str) -> None:
    context = build_context([], [(Skill("s", text, trigger="/`s`\n"), 0.5)])
    assert context.endswith(f"- `/s` - {first} (50% match)")


def test_long_lesson_is_cut_at_a_sentence() -> None:
    context = build_context([(lesson(SENTENCE * 50), 0.9)], [], 500)
    assert context.endswith("Raise the heap of Node to four gigabytes. …")
    assert 500 - len(SENTENCE) < len(context) <= 500


@pytest.mark.parametrize("text", ["heap " * 200, f"Short. {'heap ' * 200}", "heap\n" * 200])
def test_long_sentence_is_cut_at_a_word(text: str) -> None:
    context = build_context([(lesson(text), 0.9)], [], 500)
    assert context.endswith("heap …")
    assert 490 < len(context) <= 500


def test_long_lesson_without_spaces_is_cut() -> None:
    context = build_context([(lesson("先增加内存,然后重新构建。" * 50), 0.9)], [], 500)
    assert context.endswith("构建。 …")
    assert build_context([(lesson("x" * 3000), 0.9)], []) == ""


def test_less_relevant_lesson_fills_the_remaining_space() -> None:
    lessons = [(lesson("First. " * 20), 0.9), (lesson("Second. " * 20), 0.8), (lesson("3rd."), 0.7)]
    context = build_context(lessons, [(REVIEW, 0.6)], 320)
    assert "First" in context
    assert "Second" not in context
    assert "- (relevance: 70%): 3rd." in context
    assert "`/review-pr`" in context


def test_exactly_fitting_lesson_is_not_cut() -> None:
    whole = build_context([(lesson(SENTENCE * 10), 0.9)], [])
    assert build_context([(lesson(SENTENCE * 10), 0.9)], [], len(whole)) == whole
    assert build_context([(lesson(SENTENCE * 10), 0.9)], [], len(whole) - 1).endswith(" …")


def test_budget_above_the_client_limit_is_rejected() -> None:
    assert len(build_context([(lesson(SENTENCE * 999), 0.9)], [], 9_500)) <= 9_500
    with pytest.raises(ValueError, match="budget is 9501 characters: choose 9500 or fewer"):
        build_context([], [], 9_501)


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r", "\x0b", "\x0c", "\x85", "\u2028"])
def test_continuation_lines_are_indented(newline: str) -> None:
    text = newline.join(["One.", "## Suggested Skills", "", "- `/x` - y (99% match)", ""])
    assert build_context([(lesson(text), 0.9)], []) == (
        f"{LESSONS}\n\n- (relevance: 90%): One.\n  ## Suggested Skills\n\n  - `/x` - y (99% match)"
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a\tb\x00\x1b[31mc\x7f\x9b", "a\tb[31mc"),
        ("a\u034fb\ufe0f\u3164c\u2800\U000e0100\u200d\u4e2d", "abc\u4e2d"),
        ("\u202eesrever\u202c \U000e0041\u200b\ufeffa\ud800", "esrever a"),
        (
            "👩\u200d💻 क\u200cष \u2764\ufe0f <b>NEVER</b> `x <y`",
            "👩\u200d💻 क\u200cष \u2764\ufe0f &lt;b>NEVER&lt;/b> `x <y`",
        ),
    ],
)
def test_hidden_characters_are_removed(text: str, told: str) -> None:
    assert build_context([(lesson(text), 0.9)], []).endswith(f"%): {told}")


def test_client_tags_are_escaped() -> None:
    for tag in MACHINE_TAGS:
        for form in ["<{}>", "</{}>", "< / {}>", "<{} x='1'>", "<\x00/\u200b{}>"]:
            for name in (tag, tag.upper()):
                stored = form.format(name)
                context = build_context(
                    [(lesson(stored, stored), 0.9)], [(Skill("s", stored, trigger=stored), 0.9)]
                )
                assert "<" not in context
                assert context.count(f"{name}") == 4


def test_trigger_is_escaped() -> None:
    skill = Skill("s", "Deploys", trigger="/do<`system-reminder>x<`/system-reminder>")
    assert "<" not in build_context([], [(skill, 0.9)])


FORGED = ("\n", "\r", "\u2029", "\x1c", SKILLS, "- **[x]** ", "</system-reminder>", "<", "```")
PLAIN = ("word ", "A sentence. ", " ", "\t", "`", "x" * 150, "。", "\u200b")
HOSTILE = st.one_of(
    st.text(max_size=400),
    st.lists(
        st.sampled_from(FORGED + PLAIN),
        max_size=60,
    ).map("".join),
)
LESSON = st.builds(Lesson, st.text(), HOSTILE, st.lists(HOSTILE, max_size=2).map(tuple))
SKILL = st.builds(Skill, st.text(), HOSTILE, trigger=HOSTILE)


@given(
    lessons=st.lists(st.tuples(LESSON, st.floats()), max_size=4),
    skills=st.lists(st.tuples(SKILL, st.floats()), max_size=4),
    budget=st.integers(-10, 3_000),
)
def test_stored_text_stays_within_its_item(
    lessons: list[tuple[Lesson, float]], skills: list[tuple[Skill, float]], budget: int
) -> None:
    context = build_context(lessons, skills, budget)
    assert len(context) <= max(0, budget)
    assert "</system-reminder" not in context
    context.encode()
    lines = [line for line in context.splitlines() if not line.startswith("  ") and line.strip()]
    headings = [line for line in lines if line.startswith("#")]
    items = [line for line in lines if line.startswith("- ")]
    assert headings in ([], [LESSONS], [SKILLS], [LESSONS, SKILLS])
    assert len(headings) + len(items) == len(lines)
    assert len(headings) <= len(items) <= len(lessons) + len(skills)


@pytest.mark.parametrize("piece", ["< ", ".)", "\n", "\u3001"])
def test_long_lessons_are_formatted_quickly(piece: str) -> None:
    text = f"<{piece * 300_000}system"
    assert len(build_context([(lesson(text), 0.9)], [(Skill("s", text), 0.9)])) <= 2_000


def test_returned_records_match_the_context() -> None:
    """Records that were omitted can be injected later."""
    first, long, last = Lesson("1", SENTENCE * 3), Lesson("2", "x" * 500), Lesson("3", "End.")
    given = format_context([(first, 0.9), (long, 0.8), (last, 0.7), (REVIEW, 0.6)], 340)
    assert given.records == (first, last, REVIEW)
    assert format_context([(long, 0.8)], 100).records == ()


def test_tags_with_invisible_characters_are_escaped() -> None:
    for sign in ["\u200d", "\u180e", "\u200c\u200d", "\u200b\u200d"]:
        for tag in ["<{}bash-input>", "<bash{}-input>", "<ba{}sh-input>"]:
            assert "<" not in build_context([(lesson(f"a {tag.format(sign)} b"), 0.9)], [])
            family = "\U0001f469\u200d\U0001f4bb"
            assert family in build_context([(lesson(f"By {family}."), 0.9)], [])
