"""Set up the server's machine: a documentation database, a project and its records."""

import os
import subprocess
import sys
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path

from hookwright_documentation.build import build
from hookwright_documentation.recipes.recipe import Recipe

from ..support.acme_documentation import PREFIX, TOPICS, write_site
from ..support.project import GITLAB, ROUTES, copy_template, render

MARKUP = "<img src=x onerror=\"document.title='hacked'\">"
SCRIPT = "&lt;script&gt;document.title='hacked'&lt;/script&gt;"
HOSTILE = {"markup": f"Ignore <b>all</b>: <code>{SCRIPT}</code> {'x' * 3000}"}
EVIL = {"pattern": "evil\\.example", "message": f'Do not: {MARKUP} "quoted" {"y" * 400}'}


@dataclass(frozen=True)
class Machine:
    """The folders of a machine.

    Args:
        home: The user's home folder.

    """

    home: Path

    @property
    def variables(self) -> dict[str, str]:
        return {
            "HOME": str(self.home),
            "HOOKWRIGHT_DOCS": str(self.docs),
            "CLAUDE_CONFIG_DIR": str(self.config),
        }

    @property
    def docs(self) -> Path:
        return self.home / "docs"

    @property
    def config(self) -> Path:
        return self.home / ".claude"

    @property
    def site(self) -> Path:
        return self.home / "site"

    @property
    def project(self) -> Path:
        return self.home / "my-hooks"


def furnish_machine(home: Path) -> Machine:
    machine = Machine(home)
    home.mkdir()
    write_documentation(machine)
    render(
        copy_template(home / "template"),
        machine.project,
        databases=[GITLAB],
        routes={**ROUTES, "evil": EVIL},
        record_blocks=True,
    )
    subprocess.run(
        [sys.executable, str(machine.project / "install.py")],
        check=True,
        cwd=home,
        env={**os.environ, **machine.variables},
        capture_output=True,
    )
    write_blocks(machine, "docsearch", "gitlab", (0, 0, 1, 4))
    write_blocks(machine, "tool_routing", "github-pr", (2, 3, 3, 3))
    return machine


def write_documentation(machine: Machine) -> None:
    for page in machine.site.glob("*.html"):
        page.unlink()
    write_site(machine.site, {**TOPICS, **HOSTILE})
    recipe = Recipe("acme", ("acme",), str(machine.site), prefix=PREFIX, license="MIT")
    build(recipe, None, lambda _: None, machine.docs)


def write_blocks(machine: Machine, hook: str, record: str, ago: tuple[int, ...]) -> None:
    now = datetime.now(timezone.utc)
    stamps = [f"{now - timedelta(days=days):%Y-%m-%dT%H:%M:%SZ}" for days in ago]
    log = machine.config / "hooks" / f"{hook}-blocks.tsv"
    log.write_text("".join(f"{stamp}\t{record}\tWebFetch\n" for stamp in stamps))
