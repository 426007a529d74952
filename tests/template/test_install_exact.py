"""Installing and uninstalling restores any settings byte for byte."""

import json
import os
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ..support.hypothesis_profiles import mark_long
from ..support.installer import Installer, run_here
from ..support.interrupted_install import survey

OWN = (
    'S="${CLAUDE_CONFIG_DIR:-$HOME/.claude}/hooks/PreToolUse/%s.py"; [ ! -f "$S" ] || exec python3'
)
COMMANDS = [
    "echo other",
    "python3 ~/.claude/hooks/PreToolUse/docsearch.py",
    OWN % "my_own",
    "P=python3; " + OWN % "docsearch_of_mine",
    "echo 'ß \u2028 \U0001f600' # \\ \"",
]
EVENTS = ["PreToolUse", "SessionStart", "PostToolUse", "Stop"]
TEXTS = ["a", "model", "é", "日本", "\U0001f600", "", "\u2028", 'q"\\', "\x7f"]
VALUES: list[Any] = [
    None,
    True,
    False,
    0,
    -1,
    1e3,
    0.1,
    10**30,
    [],
    {},
    [[], {}],
    {"a": [1, {"b": None}]},
]
MODES = [0o400, 0o404, 0o440, 0o600, 0o604, 0o640, 0o644, 0o660, 0o664, 0o666]


def vary_settings(dice: random.Random) -> dict[str, Any]:
    handlers = [
        {"type": "command", "command": dice.choice(COMMANDS), "timeout": dice.randint(1, 9)}
        for _ in range(dice.randint(0, 3))
    ]
    entries = [
        {**({"matcher": "WebSearch"} if dice.random() < 0.5 else {}), "hooks": handlers[:number]}
        for number in range(dice.randint(0, 4))
    ]
    hooks = {
        event: (entries * dice.randint(1, 2) if dice.random() < 0.8 else [])
        for event in dice.sample(EVENTS, dice.randint(0, 3))
    }
    keys = dice.sample(TEXTS, dice.randint(0, 4))
    pairs: list[tuple[str, Any]] = [(key, dice.choice(VALUES + TEXTS)) for key in keys]
    if dice.random() < 0.7:
        pairs.insert(dice.randint(0, len(pairs)), ("hooks", hooks))
    return dict(pairs)


def vary_file(dice: random.Random) -> bytes:
    text = json.dumps(
        vary_settings(dice),
        indent=dice.choice([None, 0, 1, 2, 4, "\t", "  \t"]),
        ensure_ascii=dice.random() < 0.4,
        separators=dice.choice([None, (",", ":"), (" , ", " :  ")]),
        sort_keys=dice.random() < 0.5,
    )
    text = (
        dice.choice(["", "", "\ufeff", "\n", " "]) + text + dice.choice(["", "\n", "\n\n", " \t"])
    )
    if dice.random() < 0.3:
        text = text.replace("\n", "\r\n")
    if dice.random() < 0.05:
        broken = ["", "[]", "{", text[:-3], r'{"a": "\ud83d"}', '{"a": 1, "a": 2}', '{"hooks": []}']
        text = dice.choice(broken)
    return text.encode("utf-8", "surrogatepass")


def write_settings(dice: random.Random, path: Path) -> None:
    if dice.random() < 0.03:
        return
    real = path
    if dice.random() < 0.08:
        real = path.with_name("dotfiles.json")
        path.symlink_to(dice.choice([str(real), "dotfiles.json"]))
    real.write_bytes(vary_file(dice))
    real.chmod(dice.choice(MODES))
    if os.geteuid() == 0 and dice.random() < 0.5:
        os.chown(real, dice.choice([0, 1234, 65534]), dice.choice([0, 2345]))


@pytest.mark.parametrize("number", [40, *mark_long([250])])
def test_settings_are_restored_exactly(install: Installer, tmp_path: Path, number: int) -> None:
    installed = 0
    for seed in range(number):
        case = replace(install, config=tmp_path / str(seed))
        case.config.mkdir()
        write_settings(random.Random(seed), case.settings)  # noqa: S311 - no secret
        before = survey(case.config)
        completed = run_here(case)
        assert completed.stderr.count("\n") == completed.returncode, f"seed {seed}"
        assert not completed.returncode or survey(case.config) == before, f"seed {seed}"
        installed += not completed.returncode
        assert run_here(case, "--uninstall").returncode <= completed.returncode, f"seed {seed}"
        assert survey(case.config) == before, f"seed {seed}"
    assert installed > number * 0.7


def test_settings_change_only_where_necessary(install: Installer, tmp_path: Path) -> None:
    for seed in range(20):
        case = replace(install, config=tmp_path / str(seed))
        case.config.mkdir()
        text = vary_file(random.Random(seed))  # noqa: S311 - no secret
        case.settings.write_bytes(text)
        if run_here(case).returncode:
            continue
        for line in text.splitlines():
            assert line.strip(b",[]{} \t") in case.settings.read_bytes(), f"seed {seed}"
        (case.config / "settings.json.before-hookwright").unlink()
        if json.loads(text.decode("utf-8-sig")):
            run_here(case, "--uninstall")
            assert case.settings.read_bytes() == text, f"seed {seed}"


def test_user_hook_resembling_ours_is_kept(install: Installer) -> None:
    entry = {"matcher": "Bash", "hooks": [{"type": "command", "command": OWN % "my_own"}]}
    install.settings.write_text(json.dumps({"hooks": {"PreToolUse": [entry]}}))
    assert run_here(install).returncode == 0
    assert json.loads(install.settings.read_text())["hooks"]["PreToolUse"][0] == entry
