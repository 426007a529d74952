"""Skills and commands are read from Claude Code's own folders."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lesson_search.files.folders import read_files
from lesson_search.files.reader import ReadResult
from lesson_search.records import Skill


def build_tree(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def list_skills(result: ReadResult) -> list[Skill]:
    return [record for record in result.locations if isinstance(record, Skill)]


def test_skills_and_commands_are_parsed(tmp_path: Path) -> None:
    skill = "---\nname: pdf\ndescription: Read PDFs.\nmetadata: {a: {b: c}}\n---\nMore."
    command = "---\ndescription: Review a change\nargument-hint: [number] [depth]\n---\nDo it."
    files: dict[str, str | bytes] = {
        ".claude/commands/git/review.md": command,
        ".claude/commands/plain.md": "\ufeff# Plain\r\n\r\nTell a\r\njoke.\r\n\r\nMore.",
        ".claude/skills/result/SKILL.md": skill,
        ".hidden/skills/no/SKILL.md": skill,
        "README.md": "# No command",
    }
    root = build_tree(tmp_path / "project", files).as_posix()
    result = read_files([root])
    review = "Review a change\n\nUsage: /git:review [number] [depth]"
    source = f"{root}/.claude/commands"
    assert list_skills(result) == [
        Skill("skill-plain", "Tell a\njoke.", (), "/plain", f"{source}/plain.md"),
        Skill("skill-git-review", review, (), "/git:review", f"{source}/git/review.md"),
        Skill("skill-pdf", "Read PDFs.", (), "/pdf", f"{root}/.claude/skills/result/SKILL.md"),
    ]
    assert not result.refusals


def test_commands_folder_is_accepted_directly(tmp_path: Path) -> None:
    folder = build_tree(tmp_path / "commands", {"git/review.md": "Review."})
    for above in (tmp_path, folder):
        assert [skill.trigger for skill in list_skills(read_files([above]))] == ["/git:review"]


def test_front_matter_may_be_invalid_yaml(tmp_path: Path) -> None:
    text = "---\ndescription: Use it so: at once\nargument-hint: [a]\nname: x\n---\n"
    (skill,) = list_skills(read_files([build_tree(tmp_path, {"x/SKILL.md": text})]))
    assert skill.text == "Use it so: at once\n\nUsage: /x [a]"


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (b"a" * 1_000_001, "larger than 1 MB"),
        (b"\xff", "not UTF-8 at byte 0"),
        (b"\0", "binary"),
        (b"", "add `description:`"),
        (b"---\nname: my skill\n---\nText", "white space"),
        (b"---\nname: [a]\n---\nText", "name is not text"),
        (b"---\nname: [\n---\nText", "not valid YAML"),
        (b"a\x1bb", "U+001B"),
        (b"---\n" + b"a: b\n" * 3_000 + b"---\nText", "front matter has"),
    ],
)
def test_invalid_file_does_not_affect_others(tmp_path: Path, content: bytes, part: str) -> None:
    folder = build_tree(tmp_path, {"a/SKILL.md": content, "b/SKILL.md": "Good."})
    result = read_files([folder])
    assert [skill.trigger for skill in list_skills(result)] == ["/b"]
    (refusal,) = map(": ".join, result.refusals)
    assert refusal.startswith(f"{folder.as_posix()}/a/SKILL.md: ")
    assert part in refusal
    assert refusal.isprintable()


def test_links_outside_the_folder_are_not_followed(tmp_path: Path) -> None:
    build_tree(tmp_path / "out", {"SKILL.md": "Outside."})
    folder = build_tree(tmp_path / "in", {"text.md": "Inside.", "file/x": "", "linked/x": ""})
    (folder / "file/SKILL.md").symlink_to(tmp_path / "out/SKILL.md")
    (folder / "folder").symlink_to(tmp_path / "out")
    (folder / "linked/SKILL.md").symlink_to("../text.md")
    (folder / "circle").symlink_to(folder)
    (folder / "commands").mkdir()
    (folder / "commands/self.md").symlink_to("self.md")
    result = read_files([folder])
    assert [(skill.trigger, skill.text) for skill in list_skills(result)] == [
        ("/linked", "Inside.")
    ]
    names = sorted(where.rpartition("/in/")[2] for where, _ in result.refusals)
    assert names == ["commands/self.md", "file/SKILL.md", "folder"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_pipe_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "SKILL.md")
    assert "not a regular file" in read_files([tmp_path]).refusals[0][1]


def test_missing_folder_is_rejected(tmp_path: Path) -> None:
    [(where, why)] = read_files([tmp_path / "a\nb"]).refusals
    assert where.endswith("a\\nb")
    assert why == "no such file"


def test_identical_names_get_different_ids(tmp_path: Path) -> None:
    text = "---\nname: same\n---\nText"
    folder = build_tree(tmp_path, {"a/SKILL.md": text, "b/SKILL.md": text})
    assert [skill.id for skill in list_skills(read_files([folder]))] == [
        "skill-same",
        "skill-same-2",
    ]


@given(st.binary(), st.sampled_from([b"", b"---\n", b"---\nname: "]))
def test_any_bytes_are_parsed(tmp_path: Path, content: bytes, start: bytes) -> None:
    raw = start + content + b"\n---\n" + content
    folder = build_tree(tmp_path, {"SKILL.md": raw, "commands/a.md": raw})
    result = read_files([folder])
    assert len(list_skills(result)) + len(result.refusals) == 2
    assert all(": ".join(refusal).isprintable() for refusal in result.refusals)
