"""The API of an installed package can be set up, searched, refreshed and removed."""

import json
from pathlib import Path

import pytest

from hookwright.documentation import setup
from hookwright.documentation.proof import Question
from hookwright.project.reader import open_project
from hookwright_documentation.databases import list_names

from ...support.acme_database import find_recipe, is_built
from ...support.command_line import CommandLine
from ...support.site_packages import FILES, write_environment


@pytest.mark.long
def test_installed_package_is_set_up(
    hookwright_line: CommandLine, kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(setup, "prove_server", lambda *_: Question("a b c", "python://"))
    environment = write_environment(tmp_path / "env", dict(FILES))
    line = hookwright_line
    words = ("setup", "acme-client", "python:acme-client", "--python", environment, "--yes")
    output = line.output(*words, "--project", kept)
    assert "read the API of Acme-Client 2.1.0 in " in output
    record = open_project(kept).databases[-1]
    assert (record["keywords"], record["domains"]) == (["acme-client"], ["docs.acme.example"])
    recipe = find_recipe("acme-client")
    assert recipe
    assert is_built(recipe)  # the detected licence does not count as a user's choice
    assert "acme-client: nothing changed, 2 pages" in line.output("refresh", "acme-client")
    (listed,) = json.loads(line.output("docs", "--json"))
    assert (listed["version"], listed["license"]) == ("2.1.0", "MIT")
    assert "python://acme/client.py#acme.client.Client.get" in line.output(
        "docs", "search", "acme-client", "return an answer get"
    )
    metadata = next(environment.rglob("METADATA"))
    metadata.write_text(metadata.read_text().replace("2.1.0", "2.2.0"))
    line.output("refresh", "acme-client")
    (listed,) = json.loads(line.output("docs", "--json"))
    assert listed["version"] == "2.2.0"
    environment.rename(tmp_path / "moved")
    assert f"{environment} is gone" in line.run("doctor", "--project", kept).output
    line.output("remove", "acme-client", "--project", kept, "--yes")
    assert list_names() == []
