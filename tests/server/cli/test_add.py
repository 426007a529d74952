"""A single lesson is added from the command line."""

import json

import pytest

from ...support.command_line import CommandLine

TEXT = "Pin the base image. A tag moves."
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2


def test_lesson_is_added(command_line: CommandLine) -> None:
    assert command_line.output("add", TEXT, "--category", "devops/docker") == (
        "added: pin-the-base-image\ncategories: devops/docker\n"
        "to edit it: lesson-search edit pin-the-base-image\n"
        "to delete it: lesson-search delete pin-the-base-image\n"
    )
    shown = json.loads(command_line.output("show", "pin-the-base-image", "--json"))
    assert (shown["text"], shown["classified"]) == (TEXT, False)


@pytest.mark.parametrize("words", [(), ("-",)])
def test_text_comes_from_a_pipe(command_line: CommandLine, words: tuple[str, ...]) -> None:
    command_line.output("add", *words, "--title", "Docker tags", given=f"{TEXT}\n".encode())
    shown = json.loads(command_line.output("show", "docker-tags", "--json"))
    assert shown["text"] == f"Docker tags\n\n{TEXT}"
    assert shown["classified"]


def test_dots_within_words_do_not_end_a_sentence(command_line: CommandLine) -> None:
    added = command_line.output("add", "Use Python 3.10 there! Not here.", "--json")
    assert json.loads(added)["id"] == "use-python-3-10-there"


def test_second_lesson_with_the_same_title_gets_its_own_id(command_line: CommandLine) -> None:
    command_line.output("add", TEXT)
    assert command_line.output("add", TEXT).startswith("already there: pin-the-base-image\n")
    added = command_line.output("add", f"{TEXT} Often.")
    assert added.startswith("added: pin-the-base-image-2\n")
    assert len(command_line.output("export").splitlines()) == 2


def test_deleted_lesson_can_be_added_again(command_line: CommandLine) -> None:
    row = {"id": "pin-the-base-image", "text": "Pin", "source_file": "team.md"}
    command_line.output("ingest", "-", given=json.dumps(row).encode())
    command_line.output("delete", "pin-the-base-image", "--yes")
    assert command_line.output("add", TEXT).startswith("added: pin-the-base-image\n")


@pytest.mark.parametrize(
    ("words", "given", "part"),
    [
        ((), b"", "the text is empty"),
        ((), b"\0", "stdin: binary"),
        ((), b"\xff", "invalid UTF-8 in line 1, column 1 of the text: save it"),
        ((TEXT, "--category", "A b"), b"", "such as devops/ci-cd, got 'A b'"),
        ((SECRET,), b"", "looks like it holds a GitHub token: remove it, or add --force"),
    ],
)
def test_invalid_lesson_is_rejected(
    command_line: CommandLine, words: tuple[str, ...], given: bytes, part: str
) -> None:
    assert part in command_line.error("add", *words, given=given)


def test_secret_can_be_forced(command_line: CommandLine) -> None:
    assert command_line.output("add", f"Use {SECRET}", "--force").startswith("added: ")


def test_lesson_can_belong_to_a_project(command_line: CommandLine) -> None:
    """The remote is stored without its password; ingesting the lesson again keeps the project."""
    remote = "https://me:s3cret@h.example/a/b.git"
    added = command_line.output("add", TEXT, "--project", remote)
    assert "project: h.example/a/b\n" in added
    command_line.output("add", "Another one of all projects.")
    listed = json.loads(command_line.output("list", "--project", "h.example/a/b", "--json"))
    assert [(row["id"], row["project"]) for row in listed] == [
        ("pin-the-base-image", "h.example/a/b")
    ]
    assert "project        categories" in command_line.output("list")
    exported = command_line.output("export")
    assert "s3cret" not in exported
    old = [json.loads(line) for line in exported.splitlines()]
    assert [row.pop("project") for row in old] == ["", "h.example/a/b"]
    lines = "".join(f"{json.dumps(row)}\n" for row in old).encode()
    command_line.output("import", "-", given=lines)
    assert command_line.output("export") == exported
    assert "by its remote or root" in command_line.run("add", TEXT, "--project", "shop").errors


def test_each_project_gets_its_lesson(command_line: CommandLine) -> None:
    for project, expected in [
        ("h.example/a", "added: pin-the-base-image\n"),
        ("h.example/b", "added: pin-the-base-image-2\n"),
        ("h.example/a", "already there: pin-the-base-image\n"),
    ]:
        assert command_line.output("add", TEXT, "--project", project).startswith(expected)
    assert command_line.output("add", TEXT).startswith("added: pin-the-base-image-3\n")


def test_global_lesson_is_not_added_again_for_one_project(command_line: CommandLine) -> None:
    command_line.output("add", TEXT)
    output = command_line.output("add", TEXT, "--project", "h.example/a")
    assert output.startswith("already there: pin-the-base-image\n")
    assert "project: all\n" in output
