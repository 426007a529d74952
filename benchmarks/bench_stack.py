"""Measure the CPU time of `hookwright setup --stack --dry-run`.

The project has 200 dependencies in manifests of all kinds, and lock files with 3,000 packages.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from hookwright_console.terminal import print_line
from hookwright_documentation.recipes.recipe import load_ready_recipes

LIMIT = 2.0  # seconds
LOCKED = 1_500  # packages per lock file
KNOWN = 60  # number of dependencies that have a recipe


def main() -> int:
    """Print the time; return 1 if it exceeds the limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="how often to run it")
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        project = home / "project"
        for path, text in write_manifests():
            (project / path).parent.mkdir(parents=True, exist_ok=True)
            (project / path).write_text(text)
        os.environ.update(
            HOME=name, CLAUDE_CONFIG_DIR=f"{name}/.claude", XDG_DATA_HOME=f"{name}/data"
        )
        found = json.loads(run(project, "--json"))
        times = [take_time(project) for _ in range(rounds)]
    middle = statistics.median(times)
    print_line(
        f"{len(found['proposals'])} recipes, {len(found['without_recipe'])} dependencies without: "
        f"{middle:.2f} s of CPU, at most {LIMIT:.0f}"
    )
    return int(middle > LIMIT)


def take_time(project: Path) -> float:
    """Return a run's CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(project)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def run(project: Path, *options: str) -> str:
    """Return a run's output."""
    command = [sys.executable, "-m", "hookwright", "setup", "--stack", str(project), "--dry-run"]
    completed = subprocess.run([*command, *options], capture_output=True, text=True, check=True)
    return completed.stdout


def write_manifests() -> Iterator[tuple[str, str]]:
    known = {
        ecosystem: [
            recipe.packages[ecosystem][0]
            for recipe in load_ready_recipes()
            if ecosystem in recipe.packages
        ]
        for ecosystem in ("pypi", "npm", "go", "crates", "gems", "images", "actions")
    }
    python = fill(known["pypi"], 60)
    yield "pyproject.toml", f"[project]\ndependencies = {json.dumps(python)}\n"
    block = '[[package]]\nname = "{}"\nversion = "1.2.3"\nsource = {{ registry = "https://x" }}\n'
    wheel = f'wheels = [{{ url = "https://x.example/x.whl", hash = "sha256:{"a" * 64}" }}]\n\n'
    yield "uv.lock", "".join(block.format(name) + wheel for name in fill(python, LOCKED))
    web = fill(known["npm"], 60)
    yield "package.json", json.dumps({"dependencies": dict.fromkeys(web, "^1.2")})
    entry = {"version": "1.2.3", "integrity": "sha512-" + "a" * 88, "engines": {"node": ">=18"}}
    packages = {f"node_modules/{name}": entry for name in fill(web, LOCKED)}
    yield "package-lock.json", json.dumps({"packages": packages}, indent=2)
    yield "tools/go.mod", "".join(f"require {name} v1.2.3\n" for name in fill(known["go"], 20))
    crates = "".join(f'{name} = "1.2"\n' for name in fill(known["crates"], 20))
    yield "core/Cargo.toml", f"[dependencies]\n{crates}"
    yield "site/Gemfile", "".join(f"gem '{name}'\n" for name in fill(known["gems"], 20))
    yield "Dockerfile", "".join(f"FROM {name}:1.2\n" for name in fill(known["images"], 10))
    steps = "".join(f"      - uses: {name}@v4\n" for name in fill(known["actions"], 10))
    yield ".github/workflows/ci.yml", f"jobs:\n  test:\n    steps:\n{steps}"


def fill(names: list[str], number: int) -> list[str]:
    """Return package names, up to a third of them with a recipe."""
    kept = names[: max(number // 3, 1)]
    return kept + [f"unknown-{index}" for index in range(number - len(kept))]


if __name__ == "__main__":
    sys.exit(main())
