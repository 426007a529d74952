"""Time the docsearch hook against an empty interpreter, a plain hook and a cchooks hook."""

import functools
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from .reporting import report
from .timing import Case, build_table, read_options, time_cases
from .workload import MATCH, MISS, ROOT, build_databases, build_event, render_project

BENCHMARKS = ROOT / "benchmarks"
MEANT = build_event("WebSearch", query="go http server graceful shutdown context timeout")


def main() -> int:
    """Run the benchmark and print its tables; return 1 if a limit is exceeded."""
    options = read_options(__doc__)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["CLAUDE_CONFIG_DIR"] = str(folder / "claude")
        isolated = [options.python, "-I", "-S"]
        hooks = list_hooks(folder, options.python)
        timed = [build_table("", hooks, time_cases(hooks, options.rounds))]
        for event in ("no match", "deny"):
            pair = list_pair(folder, isolated, event)
            title = f"{event}, with and without ambiguous names"
            timed.append(build_table(title, pair, time_cases(pair, options.rounds * 2)))
        copies = list_copies(folder)
        rounds = max(options.rounds // 20, 1)
        timed.append(build_table("Copier, on the example", copies, time_cases(copies, rounds)))
    tables = [table for table, _ in timed]
    report("docsearch", *tables, about=__doc__)
    return int(any(exceeded for _, exceeded in timed))


def list_hooks(folder: Path, python: str) -> list[Case]:
    """Render our hooks, configure the others, and return the cases to time."""
    databases = build_databases(10, 50)
    isolated = [python, "-I", "-S"]
    hook = [*isolated, str(render_project(folder / "small", "docsearch", databases=databases))]
    many = build_databases(100, 100)
    large = [*isolated, str(render_project(folder / "large", "docsearch", databases=many))]
    plain = str(BENCHMARKS / "config_parsing_hook.py")
    cchooks = [sys.executable, str(BENCHMARKS / "cchooks_hook.py")]
    config = folder / "claude" / "hooks" / "docsearch-config.json"
    config.parent.mkdir(parents=True)
    config.write_text(json.dumps({"databases": databases}))
    return [
        Case("floor: python3 -I -S -c pass", [*isolated, "-c", "pass"]),
        Case("no match", hook, MISS, 0, 1.25),
        Case("deny, state written", hook, MATCH, 2, 2.5),
        Case("retry let through", hook, MATCH, 0, 2.5),
        Case("10,000 keywords: no match", large, MISS, 0, 1.45),
        Case("10,000 keywords: deny", large, MATCH, 2, 2.9),
        Case("10,000 keywords: retry", large, MATCH, 0, 2.9),
        Case("plain hook: no match", [python, plain], MISS),
        Case("plain hook: deny", [python, plain], MATCH, 2),
        Case("plain hook: retry", [python, plain], MATCH),
        Case("plain hook, -I -S: no match", [*isolated, plain], MISS),
        Case("plain hook, -I -S: deny", [*isolated, plain], MATCH, 2),
        Case("plain hook, -I -S: retry", [*isolated, plain], MATCH),
        Case("cchooks: no match", cchooks, MISS),
        Case("cchooks: deny", cchooks, MATCH),
    ]


def list_pair(folder: Path, isolated: list[str], event: str) -> list[Case]:
    names = [["go"], ["rust"], ["python"]]
    cases: list[Case] = []
    for title, more in (("without", {"ambiguous": False}), ("with ambiguous names", {})):
        records = build_databases(10, 50)
        for record, name in zip(records, names, strict=False):
            record["keywords"] = [*name, "unambiguous"]
            record.update(more)
        project = folder / f"{event} {title}"
        hook = [*isolated, str(render_project(project, "docsearch", databases=records))]
        raw, code = (MEANT, 2) if event == "deny" else (MISS, 0)
        limit = (1.04 if event == "deny" else 1.02) if cases else None
        forget = functools.partial(shutil.rmtree, folder / "claude", ignore_errors=True)
        cases.append(Case(title, hook, raw, code, limit, prepare=forget))
    return cases


def list_copies(folder: Path) -> list[Case]:
    template, project = folder / "template", folder / "project"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(template)], check=True)
    subprocess.run(["git", "tag", "1.0.0"], check=True, cwd=template)
    large = folder / "large.json"
    large.write_text(json.dumps({"databases": build_databases(100, 100)}))
    copier = [sys.executable, "-m", "copier"]

    def build_copy(answers: Path) -> list[str]:
        options = ["--defaults", "--quiet", "--data-file", str(answers)]
        return [*copier, "copy", *options, str(template), str(project)]

    copy = build_copy(ROOT / "examples" / "devops.yml")

    def prepare_copy() -> None:
        shutil.rmtree(project, ignore_errors=True)

    def prepare_update() -> None:
        prepare_copy()
        subprocess.run(copy, check=True)
        identity = ["-c", "user.name=benchmark", "-c", "user.email=benchmark@example.invalid"]
        for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "Render"]):
            subprocess.run(["git", *identity, *command], check=True, cwd=project)

    update = [*copier, "update", "--defaults", "--quiet"]
    return [
        Case("copier copy", copy, prepare=prepare_copy),
        Case("copier copy, 10,000 keywords", build_copy(large), prepare=prepare_copy),
        Case("copier update", update, folder=project, prepare=prepare_update),
    ]


if __name__ == "__main__":
    sys.exit(main())
