"""The plugin has a skill for agents that have not loaded the database tools."""

from pathlib import Path

import yaml

from ..support.project import GITLAB, INDEXED, ROUTES, render

SKILL = Path("skills", "local-documentation", "SKILL.md")


def test_skill_lists_databases_and_lessons(template: Path, tmp_path: Path) -> None:
    hooks = ["docsearch", "lesson_search"]
    project = render(template, tmp_path / "p", hooks=hooks, databases=[INDEXED, GITLAB])
    _, head, body = (project / SKILL).read_text("utf-8").split("---\n", 2)
    about = yaml.safe_load(head)
    assert about["name"] == SKILL.parent.name
    assert "(acme, gitlab) and lessons" in about["description"]
    call = '`mcp__hookwright-docs__search_docs` with `{"database": "acme"}`'
    assert f"- Acme documentation: {call}\n" in body
    assert f"- {GITLAB['description']}: `{GITLAB['mcp_tool_name']}`\n" in body
    assert "read_page" in body
    assert "lesson-search query" in body


def test_skill_for_other_servers_omits_our_tools(template: Path, tmp_path: Path) -> None:
    text = (render(template, tmp_path / "p", databases=[GITLAB]) / SKILL).read_text("utf-8")
    assert "read_page" not in text
    assert "lesson-search" not in text


def test_front_matter_accepts_any_keyword(template: Path, tmp_path: Path) -> None:
    words = ['a: "b" #c', "--- x", "{{ y }}", *(f"keyword number {number}" for number in range(60))]
    databases = [{**GITLAB, "keywords": [word]} for word in words]
    text = (render(template, tmp_path / "p", databases=databases) / SKILL).read_text("utf-8")
    description = yaml.safe_load(text.split("---\n")[1])["description"]
    assert all(word in description for word in words[:3])
    assert len(description) <= 1024


def test_route_only_project_has_no_skill(template: Path, tmp_path: Path) -> None:
    assert not (render(template, tmp_path / "p", routes=ROUTES) / "skills").exists()
