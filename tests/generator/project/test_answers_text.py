"""Edited answers are read back, and each mistake is reported at its line."""

import re
from pathlib import Path

import pytest

from hookwright.answers.yaml_files import MisplacedError
from hookwright.project.answers_text import (
    read_edited,
    read_edited_record,
    write_answers,
    write_record,
)
from hookwright.project.reader import read_project
from hookwright.project.record_changes import find_keys

WRONG_RECORDS = [  # record, replaced text, replacement, error
    ("kubernetes", "- k8s", "- on", "keywords[1] is true, not text: put it in quotes"),
    ("kubernetes", "    path:", "    paht:", 'databases[0] has the unknown field "paht"'),
    ("linear", "    pattern:", "    patern:", 'routes.linear has the unknown field "patern"'),
    ("kubernetes", "databases:", "routes:", "keep the line databases: with the record"),
    ("kubernetes", "- kubernetes", "- gitlab", "another database is called gitlab: rename"),
    ("linear", "  linear:", "  atlassian:", "another route is called atlassian: rename one"),
    ("linear", "linear:", "linear: [", "this is not YAML"),
    (
        "linear",
        "  linear:",
        "  new: {pattern: x, message: y}\n  linear:",
        "routes has 2 records: keep one (hookwright add adds others)",
    ),
]


def test_invalid_record_is_rejected(kept: Path) -> None:
    project = read_project(kept)
    for name, old, new, message in WRONG_RECORDS:
        (key,) = find_keys(project, [name])
        text = write_record(project, key, Path("/schema.json"))
        with pytest.raises(MisplacedError, match=re.escape(message)):
            read_edited_record(text.replace(old, new), project, key)


def test_text_without_answers_is_rejected(kept: Path) -> None:
    with pytest.raises(MisplacedError, match="the text has no answers"):
        read_edited("- docsearch\n", read_project(kept))


def test_hook_of_an_answer_must_be_chosen(kept: Path) -> None:
    project = read_project(kept)
    text = write_answers(project, Path("/schema.json")).replace("- tool_routing\n", "")
    with pytest.raises(MisplacedError, match="but hooks has no tool_routing: add that"):
        read_edited(text, project)
