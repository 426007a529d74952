"""Read and change the user's settings, and extract the only finding of a check."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hookwright.doctor.finding import Finding


def settings() -> Path:
    return Path.home() / ".claude" / "settings.json"


def change(path: Path, **changes: Any) -> None:
    path.parent.mkdir(exist_ok=True)
    before = json.loads(path.read_text()) if path.exists() else {}
    path.write_text(json.dumps({**before, **changes}))


def the(findings: Iterator[Finding]) -> tuple[str, str]:
    (finding,) = findings
    return finding.status, finding.line


def furnish_config(settings: str) -> Path:
    config = Path.home() / ".claude"
    config.mkdir()
    (config / "settings.json").write_text(settings)
    return config
