"""A rendered project's own tests pass, and report manual edits with a fix."""

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from ..support.generated_tests import WHOLE, run_lean
from ..support.git_repository import edit
from ..support.hypothesis_profiles import mark_long
from ..support.project import GITLAB, KUBERNETES, ROUTES, render

ANSWERS, PLUGIN, SETTINGS = ".copier-answers.yml", "hooks/hooks.json", "settings.json"
DOCSEARCH, TOOL_ROUTING = "hooks/docsearch.py", "hooks/tool_routing.py"
MARKER = "<<<<<<< before updating"
PULL = {"tool_name": "WebFetch", "tool_input": {"url": "https://github.com/a/b/pull/1"}}
FORK = {"tool_name": "WebFetch", "tool_input": {"url": "https://github.com/a/b"}}
TESTS = [
    {"desc": "a pull request", "input": PULL, "expect": "block", "contains": "gh pr view"},
    {"desc": "a repository", "input": FORK, "expect": "allow"},
]

# The tests that detect an edit, for edits that also make other tests fail.
DATABASES = "test_docsearch.py::test_answers_and_tables_agree"
LESSONS = "test_lesson_search.py::test_answers_and_constants_agree"
ROUTING = "test_tool_routing.py::test_answers_and_tables_agree"
ROUTE_TESTS = "test_tool_routing.py::test_routes_do_what_their_tests_say"
WHOLENESS = "test_project.py"
TESTED = {**ROUTES, "github-pr": {**ROUTES["github-pr"], "tests": TESTS}}


@dataclass(frozen=True)
class Edit:
    """A manual edit of a project.

    Attributes:
        name: The generated tests that detect the edit.
        file: The edited file.
        old: The text to replace, at every occurrence.
        new: The replacement.
        complaint: Part of a line in the failure message.

    """

    name: str
    file: str
    old: str
    new: str
    complaint: str = "copier recopy"

    def __str__(self) -> str:
        return f"{self.file}-{self.old}-{self.new}"


@pytest.fixture
def edited(project: Path, tmp_path: Path) -> Path:
    return shutil.copytree(project, tmp_path / "edited")


@pytest.fixture(scope="session")
def tested(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    destination = tmp_path_factory.mktemp("tested") / "my-hooks"
    return render(template, destination, databases=[GITLAB], routes=TESTED)


@pytest.fixture
def edited_both(tested: Path, tmp_path: Path) -> Path:
    return shutil.copytree(tested, tmp_path / "edited")


def assert_fails(project: Path, name: str, *complaints: str) -> str:
    done = run_lean(project, name)
    assert done.returncode == 1, done.stdout
    assert "Traceback" not in done.stdout
    lines = done.stdout.splitlines()
    assert [line for line in lines if all(part in line for part in complaints)], done.stdout
    return done.stdout


def assert_found(project: Path, made: Edit) -> None:
    path = project / made.file
    text = path.read_text("utf-8")
    assert made.old in text
    path.write_text(text.replace(made.old, made.new), "utf-8")
    assert_fails(project, made.name, made.complaint)


def assert_passes(project: Path) -> str:
    done = run_lean(project)
    assert done.returncode == 0, done.stdout
    return done.stdout.splitlines()[-1]


@pytest.mark.parametrize(
    "rendered", ["both", *mark_long(["lessons", "lessons_http", "project", "routed"])]
)
def test_generated_tests_pass(request: pytest.FixtureRequest, rendered: str) -> None:
    assert " passed" in assert_passes(request.getfixturevalue(rendered))


@pytest.mark.long
def test_generated_tests_cover_each_hook(tested: Path) -> None:
    counted = assert_passes(tested)
    assert " passed" in counted
    assert "skipped" not in counted


@pytest.mark.long
def test_generated_tests_pass_with_a_shared_domain(template: Path, tmp_path: Path) -> None:
    shared = [{**GITLAB, "domains": ["docs.io", "docs.io"]}, {**KUBERNETES, "domains": ["docs.io"]}]
    assert_passes(render(template, tmp_path / "my-hooks", databases=shared))


@pytest.mark.long
def test_generated_tests_pass_with_any_veto(template: Path, tmp_path: Path) -> None:
    words = ["(", ",", "0", "gitlab 1", "zzyzx", "(gitlab)"]
    vetoed = [{**record, "unless": words} for record in (GITLAB, GITLAB)]
    assert_passes(render(template, tmp_path / "my-hooks", databases=vetoed))


@pytest.mark.parametrize("file", [DOCSEARCH, *mark_long([ANSWERS])])
def test_unfinished_merge_fails_one_test(edited: Path, file: str) -> None:
    path = edited / file
    first, *rest = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join([first, f"{MARKER}\n", *rest]), "utf-8")
    printed = assert_fails(edited, WHOLE, f"{file}:2: the merge is not finished")
    assert "1 failed" in printed.splitlines()[-1]
    assert "error" not in printed.splitlines()[-1]


@pytest.mark.long
@pytest.mark.parametrize(
    "made",
    [
        Edit(DATABASES, ANSWERS, '"kubectl"', '"kubectl", "helm"'),
        Edit(DATABASES, ANSWERS, '"retry_window": 300', '"retry_window": 60'),
        Edit(WHOLENESS, ANSWERS, '"project_name": "my-', '"project_name": "your-', "plugin.json"),
        Edit(WHOLENESS, ANSWERS, '"leann_mcp"', '"other"', "mcp.json"),
        Edit(WHOLE, ANSWERS, '"databases": [', "databases: [", f"git log {ANSWERS}"),
        Edit(DATABASES, ANSWERS, '"databases": [', '"data": ['),
        Edit(DATABASES, DOCSEARCH, "\nkubectl\n", "\nkubectl\nhelm\n"),
        Edit(DATABASES, DOCSEARCH, "Kubernetes official", "Unofficial"),
        Edit(DATABASES, DOCSEARCH, "RETRY_WINDOW = 300", "RETRY_WINDOW = 30"),
        Edit(DATABASES, DOCSEARCH, 'DATABASES = r"""\n', 'DATABASES = r"""\n{'),
        Edit(WHOLE, DOCSEARCH, "KEYWORDS = ", "WORDS = "),
        Edit(WHOLE, DOCSEARCH, "RETRY_WINDOW = 300\n", f"{MARKER}\n", f"git add {DOCSEARCH}"),
        Edit(WHOLENESS, "README.md", "## Test", MARKER, "git add README.md"),
        Edit(WHOLENESS, SETTINGS, "{", f"{MARKER}\n{{", f"git add {SETTINGS}"),
        Edit(WHOLENESS, SETTINGS, "WebSearch", "WebFetch", f"{SETTINGS} does not run the hooks"),
        Edit(WHOLENESS, PLUGIN, '[ ! -f \\"$S\\" ] || ', "", "does not look for its script"),
    ],
    ids=str,
)
def test_manual_edits_are_detected(edited: Path, made: Edit) -> None:
    assert_found(edited, made)


@pytest.mark.long
@pytest.mark.parametrize(
    "made",
    [
        Edit(LESSONS, ANSWERS, '"top_k": 3', '"top_k": 5'),
        Edit(LESSONS, ANSWERS, ":7731", ":7732"),
        Edit(LESSONS, ANSWERS, '"context_budget"', '"budget"'),
        Edit(LESSONS, "hooks/lesson_search.py", ":7731", ":7732"),
        Edit(LESSONS, "hooks/lesson_search.py", "TIME_LIMIT = 2", "TIME_LIMIT = 3"),
        Edit(LESSONS, "hooks/lesson_search.py", "TOP_K = 3", "TOP_K = 4"),
        Edit(WHOLE, "hooks/lesson_search.py", "SERVER = ", "HOST = "),
        Edit(WHOLENESS, SETTINGS, "UserPromptSubmit/", ""),
    ],
    ids=str,
)
def test_manual_edits_to_lessons_are_detected(lessons: Path, tmp_path: Path, made: Edit) -> None:
    assert_found(shutil.copytree(lessons, tmp_path / "edited"), made)


@pytest.mark.long
@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        (ANSWERS, '"top_k": 3', '"top_k": 5'),
        (ANSWERS, '"http"', '"command"'),
        (SETTINGS, "budget=2000", "budget=200"),
        (PLUGIN, '"timeout": 2', '"timeout": 3'),
    ],
)
def test_manual_edits_to_the_request_are_detected(
    lessons_http: Path, tmp_path: Path, file: str, old: str, new: str
) -> None:
    project = shutil.copytree(lessons_http, tmp_path / "edited")
    edit(project / file, old, new)
    assert_fails(project, WHOLE, "does not ask the server of the answers", "copier recopy")


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "file"), [(WHOLE, DOCSEARCH), (WHOLE, ANSWERS), (WHOLENESS, "mcp.json")]
)
def test_missing_files_are_detected(edited: Path, name: str, file: str) -> None:
    (edited / file).unlink()
    assert_fails(edited, name, file, "copier recopy")


@pytest.mark.long
@pytest.mark.parametrize(
    "made",
    [
        Edit(ROUTING, ANSWERS, '"Run: gh', '"Do run: gh'),
        Edit(ROUTING, ANSWERS, '"linear": {', '"linea": {'),
        Edit(ROUTING, ANSWERS, '"fatigue_limit": 0', '"fatigue_limit": 3'),
        Edit(ROUTING, ANSWERS, '"record_blocks": false', '"record_blocks": true'),
        Edit(DATABASES, ANSWERS, '"record_blocks": false', '"record_blocks": true'),
        Edit(ROUTING, TOOL_ROUTING, '"Run: gh', '"Do run: gh'),
        Edit(ROUTING, TOOL_ROUTING, '"name": "linear"', '"name": "linea"'),
        Edit(ROUTING, TOOL_ROUTING, '"tool": "WebFetch"', '"tool": "Bash"'),
        Edit(ROUTING, TOOL_ROUTING, "\nlinear.app/\n", "\n"),
        Edit(ROUTING, TOOL_ROUTING, "\nROUTES", "\nFATIGUE_LIMIT = 3\nROUTES"),
        Edit(ROUTING, TOOL_ROUTING, 'ROUTES = r"""\n[', 'ROUTES = r"""\n'),
        Edit(WHOLE, TOOL_ROUTING, "\nLITERALS = ", "\nTEXTS = "),
        Edit(WHOLE, TOOL_ROUTING, "# fmt: on\n", f"{MARKER}\n", f"git add {TOOL_ROUTING}"),
        Edit(WHOLENESS, SETTINGS, '"WebFetch"', '"Bash"', f"{SETTINGS} does not run the hooks"),
        Edit(
            WHOLENESS, PLUGIN, '"WebFetch"', '"WebFetch|Bash"', f"{PLUGIN} does not run the hooks"
        ),
    ],
    ids=str,
)
def test_manual_edits_to_routes_are_detected(edited_both: Path, made: Edit) -> None:
    assert_found(edited_both, made)


@pytest.mark.long
def test_runaway_pattern_is_detected(template: Path, tmp_path: Path) -> None:
    routes = {"r": {"pattern": "^https://x/(a+)+$", "message": "m"}}
    project = render(template, tmp_path / "p", routes=routes)
    edit(project / "tests" / "test_tool_routing.py", "\nSECONDS = 5 ", "\nSECONDS = 0.5 ")
    messages = ("routes.r: pattern '^https://x/(a+)+$'", "let no two repeats match")
    assert_fails(project, "test_tool_routing.py::test_no_pattern_runs_away", *messages)


@pytest.mark.long
def test_routes_may_match_an_empty_command_and_any_tool(template: Path, tmp_path: Path) -> None:
    other = {"pattern": r"^(?!git\b)", "action": "warn", "message": "only git", "tool": "Bash"}
    routes = {**ROUTES, "other": other}
    routes["any"] = {"pattern": "^/tmp/|^$", "message": "m", "tool": ".*", "field": "file_path"}
    project = render(template, tmp_path / "p", routes=routes)
    answer = run_lean(project, "test_tool_routing.py")
    assert answer.returncode == 0, answer.stdout


@pytest.mark.long
def test_example_captured_by_an_earlier_route_fails(template: Path, tmp_path: Path) -> None:
    routes = {"all": {"pattern": "github", "message": "gh pr view"}, **TESTED}
    project = render(template, tmp_path / "p", routes=routes)
    messages = ("github-pr: a pull request: reaches routes.all", "move github-pr --before all")
    assert_fails(project, ROUTE_TESTS, *messages)


def test_failing_route_tests_are_reported(template: Path, tmp_path: Path) -> None:
    tests = [
        {"desc": "no pull request", "input": FORK, "expect": "block"},
        {**TESTS[0], "contains": "glab mr view"},
    ]
    routes = {"github-pr": {**ROUTES["github-pr"], "tests": tests}}
    project = render(template, tmp_path / "p", routes=routes)
    output = assert_fails(project, ROUTE_TESTS, "no pull request: allow, not block")
    assert "routes.github-pr: a pull request: 'glab mr view' is not told" in output


@pytest.mark.long
def test_every_client_is_tested(dialects: Path) -> None:
    done = run_lean(dialects, "test_clients.py")
    assert done.returncode == 0, done.stdout
    assert "skipped" not in done.stdout
