"""Which scopes a project is installed in is found out, whatever else is there."""

import json
import os
from pathlib import Path

from hookwright.project.installer import find_scopes
from hookwright.project.reader import open_project


def test_pipe_is_not_waited_for(project: Path) -> None:
    """A pipe by the name of a hook is passed over, and so is a folder by that of settings."""
    config = Path.home() / ".claude"
    hooks = config / "hooks" / "PreToolUse"
    hooks.mkdir(parents=True)
    (hooks / "docsearch.py").write_bytes((project / "hooks" / "docsearch.py").read_bytes())
    os.mkfifo(hooks / "mine.py")
    (config / "settings.json").write_text(json.dumps({"x": "/hooks/PreToolUse/docsearch.py"}))
    assert find_scopes(open_project(project)) == ["user"]
    (config / "settings.json").unlink()
    (config / "settings.json").mkdir()
    assert find_scopes(open_project(project)) == []
