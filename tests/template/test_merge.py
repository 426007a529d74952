"""Merging our entries into any settings, and removing them, changes nothing that is not ours."""

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

HANDLERS = st.fixed_dictionaries({"type": st.just("command"), "command": st.text(max_size=20)})
ENTRIES = st.fixed_dictionaries(
    {"hooks": st.lists(HANDLERS, max_size=3)}, optional={"matcher": st.text(max_size=9)}
)
EVENTS = st.sampled_from(["PreToolUse", "PostToolUse", "Stop", "SessionStart"])
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)
HOOKS = st.dictionaries(EVENTS, st.lists(ENTRIES | JSON, max_size=3))
SETTINGS = st.builds(
    lambda rest, hooks: {**rest, **hooks},
    st.dictionaries(st.text(max_size=8).filter(lambda key: key != "hooks"), JSON, max_size=4),
    st.fixed_dictionaries({}, optional={"hooks": HOOKS}),
)


@pytest.fixture(scope="module")
def installer(project: Path) -> ModuleType:
    """Return install.py as a module."""
    spec = importlib.util.spec_from_file_location("install", project / "install.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def without_empty(before: dict[str, Any]) -> dict[str, Any]:
    """Return the settings without the lists and the object that removing entries may empty."""
    hooks = dict(before.get("hooks", {}))
    for event in ("PreToolUse", "SessionStart"):
        if hooks.get(event) == []:
            del hooks[event]
    rest = {key: value for key, value in before.items() if key != "hooks"}
    return {**rest, "hooks": hooks} if hooks else rest


@settings(
    max_examples=500,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(before=SETTINGS)
def test_merge_and_removal(installer: ModuleType, before: dict[str, Any], tmp_path: Path) -> None:
    """Our entry is merged once, written as JSON that reads back, and removed without a trace."""
    snippet = json.loads((installer.PROJECT / "settings.json").read_text())
    path = tmp_path / "settings.json"
    merged = installer.merge_entries(before, snippet)
    assert sorted(map(str, installer.list_ours(merged))) == sorted(
        map(str, installer.list_ours(snippet))
    )
    assert installer.merge_entries(merged, snippet) == merged
    assert json.loads(installer.format_like(path, merged)) == merged
    assert without_empty(installer.remove_entries(merged)) == without_empty(before)


def test_no_home(installer: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is no home, that is said in one line."""

    def fail() -> None:
        raise RuntimeError

    monkeypatch.setattr(Path, "home", fail)
    with pytest.raises(installer.RefusedError, match="set HOME or CLAUDE_CONFIG_DIR"):
        installer.find_config_folder()
