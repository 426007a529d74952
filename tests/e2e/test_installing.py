"""The real client installs a rendered project in each supported way and reports no errors."""

import shutil
from dataclasses import replace
from pathlib import Path

from ..support.project import KUBERNETES, render
from .clients.claude import Claude
from .model import Call

SKILL = "my-hooks:local-documentation"
SEARCH = Call("WebSearch", {"query": "gitlab ci cache"})


def test_rerendered_plugin_has_a_new_version(
    claude: Claude, my_hooks: Path, template: Path
) -> None:
    claude.install_plugin(my_hooks)
    shutil.rmtree(my_hooks)
    render(template, my_hooks, databases=[KUBERNETES])
    claude.run("plugin", "marketplace", "update", "my-hooks")
    claude.run("plugin", "update", "my-hooks@my-hooks")
    run = claude.converse([SEARCH], [Call("WebSearch", {"query": "k8s probes"})])
    assert run.errors == [[False], [True]]


def test_plugin_offers_its_skill(claude: Claude, my_hooks: Path) -> None:
    run = claude.load_plugin(my_hooks).converse([Call("Skill", {"skill": SKILL})])
    assert f"- {SKILL}: Searches documentation on this machine (gitlab, kubernetes)" in run.last
    assert "select:NAME" in run.main[0].text  # the text of the skill


def test_default_folder_guides(claude: Claude, my_hooks: Path) -> None:
    client = replace(claude, config=None).install_settings(my_hooks)
    run = client.converse([SEARCH], [SEARCH])
    assert run.errors == [[True], [False]]
    assert (client.home / ".claude" / "settings.json").exists()
