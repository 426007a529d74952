"""Lessons are read from Markdown and JSON Lines, and invalid ones do not affect the others."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hookwright_console.text import is_visible
from lesson_search.files import reader
from lesson_search.files.folders import read_files
from lesson_search.files.reader import ReadResult, collect_records
from lesson_search.records import CATEGORY, MAX_NAME, MAX_TEXT, Lesson, Skill

from ...support.hypothesis_profiles import examples
from ...support.processor_limit import limit_processor

TWO = """# What we learned

Not a lesson yet.

## Lesson: Pin the base image
Categories: devops/docker, devops/ci-cd
Id: pin-base

A tag moves.

### Why

```
## Lesson: not one, but an example
```

    npm ci
# then run this
    npm test

## Other things

Still of this lesson.

## Lesson: Größe matters ##

Keep images small.
"""

TEXTS = st.text(
    st.characters(exclude_categories=["Cc", "Cs"]) | st.sampled_from("\n\t"), min_size=1
).filter(str.strip)
NAMES = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=200).filter(
    is_visible
)
PATHS = st.from_regex(CATEGORY, fullmatch=True).filter(lambda path: len(path) <= MAX_NAME)
CATEGORIES = st.lists(PATHS, max_size=3, unique=True).map(tuple)
MOMENTS = st.sampled_from(["", "2025-11-15T10:30:00Z", "2025-11-15T10:30:00.123+02:00"])
RECORDS = st.builds(Lesson, NAMES, TEXTS, CATEGORIES, NAMES, MOMENTS) | st.builds(
    Skill, NAMES, TEXTS, CATEGORIES, NAMES, NAMES
)


def parse_markdown(text: str, source: str) -> ReadResult:
    return collect_records([reader.parse_markdown(text, source)])


def parse_json_lines(text: str, source: str) -> ReadResult:
    return collect_records([reader.parse_json_lines(text, source)])


def list_lessons(result: ReadResult) -> list[Lesson]:
    return [record for record in result.locations if isinstance(record, Lesson)]


def list_skills(result: ReadResult) -> list[Skill]:
    return [record for record in result.locations if isinstance(record, Skill)]


def read_refusals(result: ReadResult) -> list[str]:
    return [": ".join(refusal) for refusal in result.refusals]


def test_sections_become_lessons(tmp_path: Path) -> None:
    path = tmp_path / "Team lessons.md"
    path.write_text(TWO, "utf-8")
    first, second = list_lessons(read_files([path]))
    text = TWO.partition("Id: pin-base\n\n")[2].partition("\n\n## Lesson: Größe")[0]
    assert first.text == f"Pin the base image\n\n{text}"
    assert (first.id, first.categories) == ("pin-base", ("devops/docker", "devops/ci-cd"))
    assert first.source_file == path.as_posix()
    assert second.text == "Größe matters\n\nKeep images small."
    assert (second.id, second.categories) == ("team-lessons:größe-matters", ())


@pytest.mark.parametrize(
    "written", ["data, python/pandas", "[data, python/pandas]", "[ 'data', \"python/pandas\" ]"]
)
def test_categories_may_be_bracketed(written: str) -> None:
    result = parse_markdown(f"## Lesson: A\ncategories: {written}\n\nText\n", "a.md")
    assert [lesson.categories for lesson in list_lessons(result)] == [("data", "python/pandas")]


def test_file_with_front_matter_is_one_lesson() -> None:
    front_matter = "id: 007\ntitle: Yes\ncategories: [a/b, c]\ncreated_at: 2025-11-15T10:30:00Z"
    result = parse_markdown(f"---\r\n{front_matter}\r\n---\r\nBe careful.\r\n", "one.md")
    text = "Yes\n\nBe careful."
    lesson = Lesson("007", text, ("a/b", "c"), "one.md", "2025-11-15T10:30:00Z")
    assert result == ReadResult({lesson: "one.md:1"})


def test_first_line_is_the_fallback_title() -> None:
    assert (
        list_lessons(parse_markdown("## Lesson:\n\nBack up.\nOften.", "a.md"))[0].id == "a:back-up"
    )
    assert (
        list_lessons(parse_json_lines('{"text": "Back up.\\nOften."}', "a.jsonl"))[0].id
        == "a:back-up"
    )


def test_edited_lesson_keeps_its_id() -> None:
    text = "## Lesson: A\nId: f:a-2\n\n## Lesson: A\n\n## Lesson: A\nB\n## Lesson: b\nold"
    before = list_lessons(parse_markdown(text, "docs/f.md"))
    after = list_lessons(parse_markdown(text.replace("old", "new"), "f.md"))
    assert [lesson.id for lesson in before] == ["f:a-2", "f:a", "f:a-3", "f:b"]
    assert [lesson.id for lesson in after] == [lesson.id for lesson in before]


def test_json_line_is_a_lesson_or_a_skill() -> None:
    lines = '\ufeff{"text": "one\u2028line"}\r\n\n{"id": "r", "text": "Review", "trigger": "/r"}\n'
    result = parse_json_lines(lines, "a.jsonl")
    assert list_lessons(result) == [Lesson("a:one-line", "one\u2028line", (), "a.jsonl")]
    assert list_skills(result) == [Skill("r", "Review", (), "/r", "a.jsonl")]
    assert not result.refusals


def test_skill_may_contain_metadata() -> None:
    metadata = {"skill_name": "review-pr", "trigger": "/review", "source": "plugin:github"}
    rows = [
        {"id": "a", "text": "A", "metadata": metadata},
        {"id": "b", "text": "B", "metadata": metadata, "trigger": "/b", "source": "b"},
        {"id": "c", "text": "C", "metadata": {"trigger": None}},
    ]
    result = parse_json_lines("\n".join(map(json.dumps, rows)), "a.jsonl")
    assert not result.refusals
    assert list_skills(result) == [
        Skill("a", "A", (), "/review", "plugin:github"),
        Skill("b", "B", (), "/b", "b"),
    ]
    assert list_lessons(result) == [Lesson("c", "C", (), "a.jsonl")]


@pytest.mark.parametrize("trigger", ["", ', "trigger": "/a"'])
def test_line_may_mark_categories_as_classified(trigger: str) -> None:
    lines = f'{{"text": "a", "classified": true{trigger}}}\n{{"text": "b"{trigger}}}'
    result = parse_json_lines(lines, "a.jsonl")
    records = list_lessons(result) or list_skills(result)
    assert [record.classified for record in records] == [True, False]


def test_invalid_line_does_not_affect_others() -> None:
    for line, parts in [
        ("{", ["not valid JSON", "one object per line"]),
        ("[" * 100_000, ["not valid JSON", "one object per line"]),
        ("9" * 5_000, ["JSON"]),
        ("[]", ["expected a JSON object"]),
        ('{"text": "a", "text": "b"}', ["duplicate field"]),
        ('{"text": "a", "tags": [], "x\\n": 1}', ["'tags', 'x\\n'", "the fields are id, text"]),
        ('{"text": ["a"]}', ["text is not text", "quotes"]),
        ('{"id": "a"}', ["the text is empty"]),
        ('{"text": " \\n"}', ["the text is empty"]),
        ('{"text": "a\\nb\\u001bc"}', ["U+001B in line 2, column 2", "control character"]),
        ('{"text": "\\ud800"}', ["invalid UTF-8 in line 1, column 1"]),
        (json.dumps({"text": "a" * (MAX_TEXT + 1)}), ["20,001 characters", "split"]),
        ('{"text": "a", "id": ""}', ["id is empty"]),
        ('{"text": "a", "id": " a"}', ["id ' a'", "white space"]),
        ('{"text": "a", "id": "a\\nb"}', ["id 'a\\nb'", "unprintable"]),
        (json.dumps({"text": "a", "id": "a" * 201}), ["201 characters"]),
        ('{"text": "a", "categories": "a"}', ['["devops/ci-cd"]']),
        ('{"text": "a", "classified": "yes"}', ["classified must be true or false"]),
        ('{"text": "a", "categories": ["CI CD"]}', ["got 'CI CD'", "devops/ci-cd"]),
        ('{"text": "a", "categories": ["a\\n"]}', ["got 'a\\n'"]),
        (
            '{"text": "a", "created_at": "2025-11-15"}',
            ["created_at", "got '2025-11-15'", "time zone"],
        ),
        ('{"text": "a", "created_at": "2025-13-15T10:30:00Z"}', ["2025-13-15"]),
        ('{"text": "a", "trigger": ""}', ["trigger is empty"]),
        ('{"text": "a", "metadata": {"trigger": ""}}', ["trigger is empty"]),
        ('{"text": "a", "metadata": {"trigger": 1}}', ["trigger is not text", "quotes"]),
        ('{"text": "a", "metadata": "/a"}', ["expected metadata"]),
        ('{"text": "a", "metadata": {"name": "a"}}', ["'name'", "the fields are skill_name"]),
        ('{"text": "a", "source_file": "\\u0007"}', ["source_file '\\x07'"]),
    ]:
        result = parse_json_lines('{"text": "1"}\n\n' + line + '\n{"text": "2"}', "a.jsonl")
        assert [lesson.text for lesson in list_lessons(result)] == ["1", "2"]
        (refusal,) = read_refusals(result)
        assert refusal.startswith("a.jsonl:3: ")
        assert refusal.isprintable()
        assert all(part in refusal for part in parts), refusal


@pytest.mark.parametrize(
    ("section", "part"),
    [
        ("## Lesson:\n", "the text is empty"),
        ("## Lesson: a\nId: x\nid: y\n", "id appears twice"),
        ("## Lesson: a\nId:\n", "id is empty"),
        ("## Lesson: a\nId: first\n", "'first' is already used in a.md:1"),
        ("## Lesson: a\n\nCategories: Docker\n", "got 'Docker'"),
        ("## Lesson: a\x1b\n", "U+001B"),
        ("## Lesson: a\n\udcff\n", "UTF-8"),
        ("## Lesson: a\n~~~~\n~~~\n", "code fence in line 5"),
    ],
)
def test_invalid_section_does_not_affect_others(section: str, part: str) -> None:
    text = f"## Lesson: 1\nId: first\n\n{section}## Lesson: 2\n"
    result = parse_markdown(text, "a.md")
    assert [lesson.text for lesson in list_lessons(result)] == ["1", "2"]
    (refusal,) = read_refusals(result)
    assert refusal.startswith("a.md:4: ")
    assert part in refusal


def test_invalid_front_matter_is_rejected() -> None:
    for text, part in [
        ("", "begin each with a line `## Lesson: TITLE`"),
        ("---\nno end", "begin each"),
        ("---\na: [\n---\nb", "not valid YAML"),
        ("---\na: b: c\n---\nb", "in line 2"),
        ('---\nid: "\\UFFFFFFFF"\n---\nb', "not valid YAML"),
        ("---\n" + "[" * 1_000 + "\n---\nb", "nested too deeply"),
        ("---\njust text\n---\nb", "no fields"),
        ("---\nid: a\nid: b\n---\nb", "'id' twice"),
        ("---\ntags: [a]\n---\nb", "unknown field 'tags'"),
        ("---\ntitle: [a]\n---\nb", "title is not text"),
        ("---\ncategories: [[a]]\n---\nb", "expected categories"),
        ("---\ncategories: A, b\n---\nb", "got 'A'"),
        ("---\nid: a\n---\n", "the text is empty"),
        ("---\ntitle: " + "a" * 10_000 + "\n---\nb", "front matter has 10,007 characters"),
        ("---\n" + "[" * 9_000 + "\n---\nb", "nested too deeply"),
    ]:
        result = parse_markdown(text, "a.md")
        (refusal,) = read_refusals(result)
        assert refusal.startswith("a.md:1: ")
        assert part in refusal
        assert not list_lessons(result)


def test_yaml_aliases_are_not_expanded() -> None:
    levels = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 60)]
    result = parse_markdown("\n".join(["---", "a0: &a0 x", *levels, "---", "b"]), "a.md")
    assert "unknown field" in read_refusals(result)[0]


@pytest.mark.parametrize(
    "text", ["## Lesson: a" + " " * 200_000 + "b", "```a\n" * 100_000, "Id:" + "\n\t" * 100_000]
)
def test_long_files_are_parsed_in_linear_time(text: str) -> None:
    with limit_processor():
        parse_markdown(f"## Lesson: x\n{text}\n", "a.md")


def test_unreadable_file_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "utf16.md").write_text("## Lesson: A", "utf-16")
    (tmp_path / "binary.md").write_bytes(b"\x89PNG\0")
    for name, part in (
        ("none.md", "no such file"),
        ("binary.md", "binary"),
        ("utf16.md", "UTF-16, not UTF-8: save it as UTF-8"),
    ):
        path = tmp_path / name
        assert read_refusals(read_files([path]))[0].startswith(f"{path.as_posix()}: ")
        assert part in read_refusals(read_files([path]))[0]


def test_invalid_utf8_affects_one_record(tmp_path: Path) -> None:
    path = tmp_path / "a.JSONL"
    path.write_bytes('{"text": "Größe"}\n{"text": "size"}'.encode("latin-1"))
    result = read_files([path])
    assert [lesson.text for lesson in list_lessons(result)] == ["size"]
    assert "UTF-8" in read_refusals(result)[0]


@given(
    content=st.binary()
    | st.lists(
        st.sampled_from(
            [b"---\n", b"## Lesson: a\n", b"id: ", b"```\n", b"\n", b'{"text": "', b'"}']
        )
        | st.binary(max_size=9)
    ).map(b"".join),
    name=st.sampled_from(["a.md", "a.jsonl"]),
)
def test_any_bytes_are_parsed(tmp_path: Path, content: bytes, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    result = read_files([path])
    assert result == read_files([path])
    assert all(line.isprintable() for line in read_refusals(result))
    ids = [lesson.id for lesson in list_lessons(result)]
    assert len(set(ids)) == len(ids)


@given(text=st.text(), start=st.sampled_from(["", "---\n", "---\nid: "]))
def test_any_text_is_parsed(text: str, start: str) -> None:
    for parse in (parse_markdown, parse_json_lines):
        for lesson in list_lessons(parse(f"{start}{text}\n---\n{text}", "stdin")):
            assert lesson.text.encode()


@settings(max_examples=examples(25))
@given(
    records=st.lists(RECORDS, min_size=1, max_size=4, unique_by=lambda record: record.id),
    escaped=st.booleans(),
)
def test_written_records_can_be_read_back(records: list[Lesson | Skill], escaped: bool) -> None:  # noqa: FBT001 - drawn
    lines = [json.dumps(asdict(record), ensure_ascii=escaped) for record in records]
    result = parse_json_lines("\n".join(lines), "other.jsonl")
    assert list_lessons(result) == [record for record in records if isinstance(record, Lesson)]
    assert list_skills(result) == [record for record in records if isinstance(record, Skill)]
    assert not result.refusals
