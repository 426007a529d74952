"""An interrupted build is resumed by the next build, and the old database is kept."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hookwright_console.errors import ReportedError
from hookwright_documentation.databases import (
    RECIPE,
    WORK,
    list_names,
    list_unfinished,
    open_database,
)
from hookwright_documentation.recipes.recipe import Recipe

from ..support.acme_database import StoppedHereError, find, list_generations, run, stop
from ..support.acme_documentation import PREFIX, TOPICS, write_site
from ..support.documentation_site import Answer, Site, page, serving
from ..support.hypothesis_profiles import mark_long

# The function at which a test interrupts a build, by step.
STEPS = {
    "crawl": "hookwright_documentation.build.crawl",
    "cut": "hookwright_documentation.build.write_page",
    "index": "hookwright_documentation.index.build_index",
    "manifest": "hookwright_documentation.build.write_manifest",
    "swap": "hookwright_documentation.build.swap",
}


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("refreshes", [True, *mark_long([False])])
def test_build_resumes_after_a_crash(
    recipe: Recipe,
    site: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    step: str,
    *,
    refreshes: bool,
) -> None:
    root = tmp_path / "docs"
    if refreshes:
        run(recipe, root)
        write_site(site, {**TOPICS, "logging": "Write messages to standard error, a line each."})

    with monkeypatch.context() as patch:
        patch.setattr(STEPS[step], stop)
        with pytest.raises(StoppedHereError):
            run(recipe, root)
    assert (list_names(root), list_unfinished(root)) == (
        (["acme"], []) if refreshes else ([], ["acme"])
    )
    if refreshes:
        assert find(root, "signed cookies") == f"{PREFIX}session.html"
        assert open_database("acme", root).manifest.pages == 4
    if step != "crawl":
        monkeypatch.setattr(STEPS["crawl"], stop)  # the crawl itself is already complete
    assert run(recipe, root).database.manifest.pages == 4 + refreshes
    assert len(list_generations(root)) == 1


@pytest.mark.long
@pytest.mark.parametrize("delay", [0.1, 0.4, 0.8, 1.2])
def test_killed_build_resumes(recipe: Recipe, tmp_path: Path, delay: float) -> None:
    root = tmp_path / "docs"
    code = (
        "import sys; from pathlib import Path; from hookwright_documentation.build import build;"
        "from hookwright_documentation.recipes.recipe import Recipe;"
        f"build({recipe!r}, None, print, Path(sys.argv[1]))"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(root)]) as process:
        try:
            process.wait(delay)
        except subprocess.TimeoutExpired:
            os.kill(process.pid, signal.SIGKILL)
    assert run(recipe, root).database.manifest.pages == 4
    assert find(root, "signed cookies") == f"{PREFIX}session.html"


@pytest.mark.parametrize(
    "text", ['{"recipe": 1}', *mark_long(["", "[]", '{"crawled": 3}', "\0" * 9])]
)
def test_damaged_steps_are_discarded(recipe: Recipe, tmp_path: Path, text: str) -> None:
    root = tmp_path / "docs"
    (root / "acme" / WORK).mkdir(parents=True)
    (root / "acme" / RECIPE).write_text("{}")
    (root / "acme" / WORK / "steps.json").write_text(text)
    assert run(recipe, root).database.manifest.pages == 4


@pytest.mark.parametrize("left", [".recipe.json-k1_x9abc", ".lock"])
def test_first_file_may_be_incomplete(recipe: Recipe, tmp_path: Path, left: str) -> None:
    root = tmp_path / "docs"
    (root / "acme").mkdir(parents=True)
    (root / "acme" / left).write_text("{")
    assert run(recipe, root).database.manifest.pages == 4


def test_build_resumes_once_the_site_is_reachable(tmp_path: Path) -> None:
    root, names = tmp_path / "docs", [f"/{number}" for number in range(8)]
    pages = {name: page(f"Page {name}") for name in names}
    away = {name: Answer(b"busy", status=404 if name == "/7" else 503) for name in names[2:]}
    site = Site({"/": page("Home", *names), **pages, **away})
    with serving(site):
        recipe = Recipe("acme", ("acme",), site.url)
        with pytest.raises(ReportedError) as refused:
            run(recipe, root)
        assert str(refused.value) == (
            f"5 of 8 pages not fetched, such as {site.url}2 (HTTP 503): "
            "run the same command again to continue"
        )
        assert (list_names(root), list_unfinished(root)) == ([], ["acme"])
        site.answers.update(pages)
        site.asked.clear()
        assert run(recipe, root).database.manifest.pages == 9
    assert "/1" not in site.asked
