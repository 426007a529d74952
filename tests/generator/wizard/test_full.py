"""The full way of a new project offers what this machine has, before it asks for more."""

import io
import sys

import pytest

from hookwright.documentation.database_records import list_made
from hookwright.template.store import find_template
from hookwright.wizard.findings import Findings
from hookwright.wizard.form import Form
from hookwright.wizard.full import choose_made
from hookwright_documentation.databases import find_root

from ...support.fake_documentation import write_database


@pytest.mark.parametrize(("used", "taken"), [(["flask"], ["click"]), ([], ["click", "flask"])])
def test_databases_that_setup_made_are_offered(
    monkeypatch: pytest.MonkeyPatch, used: list[str], taken: list[str]
) -> None:
    for name in ("flask", "click"):
        write_database(find_root(), name)
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n"))
    form = Form(find_template(), {}, lambda *_: b"")
    found = Findings([], [], list_made(), frozenset(used))
    records = choose_made(form, found)
    assert [record["arguments"] for record in records] == [{"database": name} for name in taken]
