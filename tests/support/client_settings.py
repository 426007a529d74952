"""Read and change the user's settings, and take the one finding of a check."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hookwright.doctor.finding import Finding


def settings() -> Path:
    """Return the path of the user's settings."""
    return Path.home() / ".claude" / "settings.json"


def change(path: Path, **changes: Any) -> None:
    """Change some of the settings in a file, which need not be there."""
    path.parent.mkdir(exist_ok=True)
    before = json.loads(path.read_text()) if path.exists() else {}
    path.write_text(json.dumps({**before, **changes}))


def the(findings: Iterator[Finding]) -> tuple[str, str]:
    """Return the status and the line of the one finding."""
    (finding,) = findings
    return finding.status, finding.line


def furnish_config(settings: str) -> Path:
    """Return Claude Code's folder in the home of the tests, with settings in it."""
    config = Path.home() / ".claude"
    config.mkdir()
    (config / "settings.json").write_text(settings)
    return config
