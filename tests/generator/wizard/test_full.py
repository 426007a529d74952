"""The full wizard offers its findings on this machine before it asks for more."""

import io
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from hookwright.template.store import find_template
from hookwright.wizard.findings import find_candidates
from hookwright.wizard.form import Form
from hookwright.wizard.project import ask_fully, choose_databases
from hookwright_console.errors import DeclinedError
from hookwright_documentation.databases import find_root

from ...support.command_line import CommandLine
from ...support.fake_documentation import write_database


@pytest.mark.parametrize(("used", "taken"), [(["flask"], ["click"]), ([], ["click", "flask"])])
def test_databases_from_setup_are_offered(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, used: list[str], taken: list[str]
) -> None:
    for name in ("flask", "click"):
        write_database(find_root(), name)
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n"))
    form = Form(find_template(), {})
    found = find_candidates(form, tmp_path)
    unused = [name for name in found.unused if name not in used]
    records = choose_databases(form, replace(found, unused=unused))
    assert [record["arguments"] for record in records] == [{"database": name} for name in taken]


def test_name_of_an_installed_project_is_refused(
    hookwright_line: CommandLine,
    kept: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    hookwright_line.output("install", "--project", kept, "--yes")
    monkeypatch.setattr(sys, "stdin", io.StringIO("my-hooks\nours\n"))
    form = Form(find_template(), {})
    assert form.ask_project_name(hookwright_line.folder / "ours") == "ours"
    assert "! another project my-hooks is installed, from" in capsys.readouterr().out


@pytest.mark.parametrize("hook", ["docsearch", "tool_routing"])
def test_enter_selects_no_database_and_no_route(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    hook: str,
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))  # no ready-made route has its tool

    def ask(*lines: str) -> list[str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        form = Form(find_template(), {})
        answers = ask_fully(form, tmp_path, find_candidates(form, tmp_path), "mine")
        return list(answers["hooks"])

    number, *enters = {"docsearch": "1 ", "tool_routing": "2  "}[hook].split(" ")
    with pytest.raises(DeclinedError, match="hookwright setup NAME makes"):
        ask(number, *enters)
    assert ask(f"{number}, 3", *enters, "", "") == ["lesson_search"]
    assert f"{hook} is left out: it has no " in capsys.readouterr().out.splitlines()[-1]
