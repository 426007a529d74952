"""A rendered project's own tests pass, and fail with the way out where it was edited by hand."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from project import GITLAB, KUBERNETES, ROUTES, render
from repository import edit

MARKER = "<<<<<<< before updating"
PULL = {"tool_name": "WebFetch", "tool_input": {"url": "https://github.com/a/b/pull/1"}}
FORK = {"tool_name": "WebFetch", "tool_input": {"url": "https://github.com/a/b"}}
TESTS = [
    {"desc": "a pull request", "input": PULL, "expect": "block", "contains": "gh pr view"},
    {"desc": "a repository", "input": FORK, "expect": "allow"},
]
TESTED = {**ROUTES, "github-pr": {**ROUTES["github-pr"], "tests": TESTS}}


def run_tests(project: Path) -> "subprocess.CompletedProcess[str]":
    """Run the project's tests as its user does."""
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def edited(project: Path, tmp_path: Path) -> Path:
    """Return a copy of the rendered project to edit."""
    return shutil.copytree(project, tmp_path / "edited")


@pytest.fixture(scope="session")
def tested(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a rendered project with both hooks, whose routes have tests, for reading only."""
    destination = tmp_path_factory.mktemp("tested") / "my-hooks"
    return render(template, destination, databases=[GITLAB], routes=TESTED)


@pytest.fixture
def edited_both(tested: Path, tmp_path: Path) -> Path:
    """Return a copy of that project to edit."""
    return shutil.copytree(tested, tmp_path / "edited")


def assert_fails(project: Path, *complaints: str) -> None:
    """Assert that the project's tests fail, with a line that has all of this."""
    done = run_tests(project)
    assert done.returncode == 1, done.stdout
    assert "Traceback" not in done.stdout
    lines = done.stdout.splitlines()
    assert [line for line in lines if all(part in line for part in complaints)], done.stdout


@pytest.mark.parametrize(
    "rendered", ["project", "routed", "both", "tested", "lessons", "lessons_http"]
)
def test_generated_tests_pass(request: pytest.FixtureRequest, rendered: str) -> None:
    """The tests of a project that was just rendered pass."""
    done = run_tests(request.getfixturevalue(rendered))
    assert done.returncode == 0, done.stdout


def test_generated_tests_pass_where_databases_share_a_domain(
    template: Path, tmp_path: Path
) -> None:
    """A search of one database is no repetition of that of another with the same domain."""
    shared = [{**GITLAB, "domains": ["docs.io", "docs.io"]}, {**KUBERNETES, "domains": ["docs.io"]}]
    done = run_tests(render(template, tmp_path / "my-hooks", databases=shared))
    assert done.returncode == 0, done.stdout


def test_generated_tests_pass_whatever_vetoes(template: Path, tmp_path: Path) -> None:
    """Words of `unless` may be those that the generated tests put beside a keyword."""
    words = ["(", ",", "0", "gitlab 1", "zzyzx", "(gitlab)"]
    vetoed = [{**record, "unless": words} for record in (GITLAB, GITLAB)]
    done = run_tests(render(template, tmp_path / "my-hooks", databases=vetoed))
    assert done.returncode == 0, done.stdout


def test_generated_tests_run_those_of_each_hook(tested: Path) -> None:
    """Where routes have a test of what they block, no generated test is passed over."""
    last = run_tests(tested).stdout.splitlines()[-1]
    assert " passed" in last
    assert "skipped" not in last


@pytest.mark.parametrize(
    ("file", "old", "new", "complaint"),
    [
        (".copier-answers.yml", '"kubectl"', '"kubectl", "helm"', "copier recopy"),
        (".copier-answers.yml", '"retry_window": 300', '"retry_window": 60', "copier recopy"),
        (".copier-answers.yml", '"project_name": "my-hooks"', '"project_name": "x"', "plugin.json"),
        (".copier-answers.yml", '"leann_mcp"', '"other"', "mcp.json"),
        (".copier-answers.yml", '"databases": [', "databases: [", "git log .copier-answers.yml"),
        (".copier-answers.yml", '"databases": [', '"data": [', "copier recopy"),
        ("hooks/docsearch.py", "\nkubectl\n", "\nkubectl\nhelm\n", "copier recopy"),
        ("hooks/docsearch.py", "Kubernetes official", "Unofficial", "copier recopy"),
        ("hooks/docsearch.py", "RETRY_WINDOW = 300", "RETRY_WINDOW = 30", "copier recopy"),
        ("hooks/docsearch.py", 'DATABASES = r"""\n', 'DATABASES = r"""\n{', "copier recopy"),
        ("hooks/docsearch.py", "KEYWORDS = ", "WORDS = ", "copier recopy"),
        ("hooks/docsearch.py", "RETRY_WINDOW = 300\n", f"{MARKER}\n", "git add hooks/docsearch.py"),
        ("README.md", "## Test", MARKER, "git add README.md"),
        ("settings.json", "{", f"{MARKER}\n{{", "git add settings.json"),
        ("settings.json", "WebSearch", "WebFetch", "settings.json does not run the hooks"),
        ("hooks/hooks.json", '[ ! -f \\"$S\\" ] || ', "", "does not look for its script"),
    ],
)
def test_edits_by_hand_are_found(
    edited: Path, file: str, old: str, new: str, complaint: str
) -> None:
    """An edit by hand of answers, tables or settings, or half a merge, fails with a way out."""
    text = (edited / file).read_text()
    assert old in text
    (edited / file).write_text(text.replace(old, new))
    done = run_tests(edited)
    assert done.returncode == 1
    assert complaint in done.stdout
    assert "Traceback" not in done.stdout


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        (".copier-answers.yml", '"top_k": 3', '"top_k": 5'),
        (".copier-answers.yml", ":7731", ":7732"),
        (".copier-answers.yml", '"context_budget"', '"budget"'),
        ("hooks/lesson_search.py", ":7731", ":7732"),
        ("hooks/lesson_search.py", "TIME_LIMIT = 2", "TIME_LIMIT = 3"),
        ("hooks/lesson_search.py", "TOP_K = 3", "K = 3"),
        ("hooks/lesson_search.py", "SERVER = ", "HOST = "),
        ("settings.json", "UserPromptSubmit/", ""),
    ],
)
def test_edits_by_hand_of_lessons_are_found(
    lessons: Path, tmp_path: Path, file: str, old: str, new: str
) -> None:
    """An edit by hand of what the lesson search is rendered from or to fails with a way out."""
    project = shutil.copytree(lessons, tmp_path / "edited")
    edit(project / file, old, new)
    assert_fails(project, "copier recopy")


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        (".copier-answers.yml", '"top_k": 3', '"top_k": 5'),
        (".copier-answers.yml", '"http"', '"command"'),
        ("settings.json", "budget=2000", "budget=200"),
        ("hooks/hooks.json", '"timeout": 2', '"timeout": 3'),
    ],
)
def test_edits_by_hand_of_the_request_are_found(
    lessons_http: Path, tmp_path: Path, file: str, old: str, new: str
) -> None:
    """An edit by hand of what the client asks the lesson search server fails with a way out."""
    project = shutil.copytree(lessons_http, tmp_path / "edited")
    edit(project / file, old, new)
    assert_fails(project, "does not ask the server of the answers", "copier recopy")


@pytest.mark.parametrize("file", ["hooks/docsearch.py", ".copier-answers.yml", "mcp.json"])
def test_lost_files_are_found(edited: Path, file: str) -> None:
    """A file that is gone fails with its name and a way out."""
    (edited / file).unlink()
    done = run_tests(edited)
    assert done.returncode == 1
    assert "copier recopy" in done.stdout
    assert file in done.stdout


@pytest.mark.parametrize(
    ("file", "old", "new", "complaint"),
    [
        (".copier-answers.yml", '"Run: gh', '"Do run: gh', "copier recopy"),
        (".copier-answers.yml", '"linear": {', '"linea": {', "copier recopy"),
        (".copier-answers.yml", '"fatigue_limit": 0', '"fatigue_limit": 3', "copier recopy"),
        (".copier-answers.yml", '"record_blocks": false', '"record_blocks": true', "copier recopy"),
        ("hooks/tool_routing.py", '"Run: gh', '"Do run: gh', "copier recopy"),
        ("hooks/tool_routing.py", '"name": "linear"', '"name": "linea"', "copier recopy"),
        ("hooks/tool_routing.py", '"tool": "WebFetch"', '"tool": "Bash"', "copier recopy"),
        ("hooks/tool_routing.py", "\nlinear.app/\n", "\n", "copier recopy"),
        ("hooks/tool_routing.py", "\nROUTES", "\nFATIGUE_LIMIT = 3\nROUTES", "copier recopy"),
        ("hooks/tool_routing.py", 'ROUTES = r"""\n[', 'ROUTES = r"""\n', "copier recopy"),
        ("hooks/tool_routing.py", "\nLITERALS = ", "\nTEXTS = ", "copier recopy"),
        ("hooks/tool_routing.py", "# fmt: on\n", f"{MARKER}\n", "git add hooks/tool_routing.py"),
        ("settings.json", '"WebFetch"', '"Bash"', "settings.json does not run the hooks"),
        ("hooks/hooks.json", '"WebFetch"', '"WebFetch|Bash"', "hooks.json does not run the hooks"),
    ],
)
def test_edits_by_hand_of_routes_are_found(
    edited_both: Path, file: str, old: str, new: str, complaint: str
) -> None:
    """An edit by hand of routes or of their tables fails in a line with a way out."""
    text = (edited_both / file).read_text()
    assert old in text
    (edited_both / file).write_text(text.replace(old, new))
    assert_fails(edited_both, complaint)


def test_runaway_pattern_is_found(template: Path, tmp_path: Path) -> None:
    """A pattern that backtracks without end fails in a line that names it and says what to do."""
    routes = {"r": {"pattern": "^https://x/(a+)+$", "message": "m"}}
    project = render(template, tmp_path / "p", routes=routes)
    assert_fails(project, "routes.r: pattern '^https://x/(a+)+$'", "let no two repeats match")


def test_test_of_a_route_that_fails(template: Path, tmp_path: Path) -> None:
    """A route that does not do what its tests say fails in a line with what it did instead."""
    tests = [{"desc": "no pull request", "input": FORK, "expect": "block"}]
    routes = {"github-pr": {**ROUTES["github-pr"], "tests": tests}}
    project = render(template, tmp_path / "p", routes=routes)
    assert_fails(project, "routes.github-pr: no pull request: allow, not block")


def test_text_that_a_route_does_not_tell(template: Path, tmp_path: Path) -> None:
    """A route that does not tell what its tests say fails in a line with what was to be told."""
    tests = [{**TESTS[0], "contains": "glab mr view"}]
    routes = {"github-pr": {**ROUTES["github-pr"], "tests": tests}}
    project = render(template, tmp_path / "p", routes=routes)
    assert_fails(project, "routes.github-pr: a pull request: 'glab mr view' is not told")
