"""Valid answers and defaults are accepted; invalid ones are rejected with a one-line reason."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from hookwright.answers.validation import check_record

from ..support.bad_answers import BAD_ANSWERS, BAD_LISTS, BAD_RECORDS
from ..support.git_repository import run_copier
from ..support.project import GITLAB, KUBERNETES, ROOT, render
from ..support.refusal import assert_refused
from ..support.rendered_project import read_answers

LEANN = {"leann": {"command": "leann_mcp"}}


def test_unless_may_contain_a_word_of_a_longer_keyword() -> None:
    record = {**GITLAB, "keywords": ["go", "go kit"], "unless": ["kit"]}
    assert check_record(ROOT, "databases", record) == ""


def test_invalid_answer_is_rejected() -> None:
    for bad in [*BAD_RECORDS, *BAD_LISTS, *BAD_ANSWERS]:
        assert_refused(bad)


def test_unknown_hook_is_rejected(template: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"^Invalid choice for 'hooks': 'docserch' is not in .*$"):
        render(template, tmp_path / "bad", databases=[GITLAB], hooks=["docsearch", "docserch"])
    assert not (tmp_path / "bad").exists()


def test_databases_are_required(template: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r'^Question "databases" is required$'):
        render(template, tmp_path / "bad")
    assert not (tmp_path / "bad").exists()


@pytest.mark.long
def test_command_line_error_ends_with_the_complaint(template: Path, tmp_path: Path) -> None:
    data = tmp_path / "answers.yml"
    data.write_text(yaml.safe_dump({"databases": [{**GITLAB, "keywords": [True]}]}))
    completed = run_copier("copy", "--defaults", "--data-file", data, template, tmp_path / "bad")
    assert completed.returncode != 0
    assert completed.stderr.splitlines()[-1] == (
        "ValueError: Validation error for question 'databases': "
        "databases[0]: keywords[0] is true, not text: put it in quotes"
    )
    assert not (tmp_path / "bad").exists()


def test_only_databases_are_required(project: Path) -> None:
    stored = {name: answer for name, answer in read_answers(project).items() if name[0] != "_"}
    assert stored == {
        "project_name": "my-hooks",
        "hooks": ["docsearch"],
        "clients": ["claude"],
        "databases": [GITLAB, KUBERNETES],
        "retry_window": 300,
        "answer_budget": 2500,
        "fetches": True,
        "always_load": True,
        "record_blocks": False,
        "prompt_hints": False,
        "mcp_servers": LEANN,
        "renovate": False,
    }


def test_renovate_is_configured_on_request(template: Path, project: Path, tmp_path: Path) -> None:
    path = "renovate.json"
    assert not (project / path).exists()
    answers = {"databases": [GITLAB], "renovate": True}
    text = (render(template, tmp_path / "p", **answers) / path).read_text("utf-8")
    assert json.loads(text)["copier"] == {"enabled": True}


@pytest.mark.parametrize(
    ("tools", "servers"),
    [
        (["mcp__other__search", "mcp__leann__leann_search"], LEANN),
        (["mcp__leann_docs__search", "mcp__my_mcp__leann__search", "leann"], {}),
    ],
)
def test_leann_server_is_the_default_if_a_database_needs_it(
    template: Path, tmp_path: Path, tools: list[str], servers: dict[str, Any]
) -> None:
    databases = [{**GITLAB, "mcp_tool_name": tool} for tool in tools]
    rendered = render(template, tmp_path / "rendered", databases=databases)
    assert read_answers(rendered)["mcp_servers"] == servers
    assert (rendered / "mcp.json").exists() == bool(servers)


def test_answers_may_be_text(template: Path, tmp_path: Path) -> None:
    answers = {
        "hooks": "[docsearch]",
        "retry_window": "86400",
        "project_name": "my-2nd-hooks4",
        "databases": json.dumps([GITLAB]),
        "mcp_servers": "{a: {command: b, args: [c], env: {D: e}}, f: {command: g, args: []}}",
    }
    stored = read_answers(render(template, tmp_path / "rendered", **answers))
    for question, text in answers.items():
        assert stored[question] == yaml.safe_load(text)
