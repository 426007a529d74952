"""Placeholder values are plain text: a shell never executes, reads or interprets them."""

import json
import re
import shlex
import shutil
import subprocess
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hooks.tool_routing import tool_routing
from runtime.invisible import INVISIBLE

from ..support.hypothesis_profiles import mark_long
from ..support.project import render
from ..support.rendered_project import read_hook

ANYTHING = r"^https://h\.example/(?P<value>[\s\S]*)$"
PRINTABLE = st.text(st.characters(exclude_categories=["C", "Z"]) | st.just(" "))

# Commands as in messages, with a placeholder in every possible position.
SHAPES = [
    # a separate word, and other positions outside quotes
    ": {value}",
    "gh pr view {value} --repo octo/hello",
    "gh x \\\n  {value}",
    "gh x --query={value}",
    "gh x a{value}b {value}",
    "gh x {value}; gh y",
    "gh api /x/{value}/y?z={value}",
    "gh x # {value}",
    "{value} gh x",
    "X={value} gh x",
    "cd {value} && gh x",
    "if gh x {value}; then gh y; fi",
    "for i in {value}; do gh x; done",
    "gh x $(gh y {value})",
    "curl -d {value} https://h.example/",
    "curl -d name={value} https://h.example/",
    # inside quotes, some of which end on another line
    'gh x "{value}"',
    "gh x '{value}' '{value}'",
    "gh x 'a'{value}",
    "gh x $'{value}'",
    'gh x "it\'s {value}"',
    "gh x 'a \"b {value}'",
    """gh x '{"x": "{value}"}' "{value}\"""",
    "gh api graphql -f query='\n  query { repository(owner: \"{value}\") { id } }'",
    "gh x --jq '\n.[\"{value}\"]'",
    "Don't fetch {value}:\ngh x {value}",
    "Use `gh x {value}`",
    'gh x "$(gh y {value})"',
    "bash <<EOF\ngh x {value}\nEOF",
    "cat <<'EOF' | sh\n: {value}\nEOF",
    # evaluated again by a shell
    "bash -c 'gh x {value}'",
    'sh -lc "gh x {value}"',
    "sh -ec {value}",
    "ssh host gh x {value}",
    "ssh host \\\n  gh x {value}",
    "eval gh x {value}",
    "echo {value} |\n  sh",
    "watch gh x {value}",
    "[[ {value} -eq 1 ]]",
    "test {value} -eq 1 || let {value}",
    # where even plain characters are interpreted as a program
    "perl -pe 's/VERSION/{value}/' f",
    "sed -n '{value}p' f",
    ". {value}",
    "adb shell dumpsys package {value}",
    'repo={value}\necho "${value}"',
]
# Attempts to inject code through a URL; an executed one creates a file called RUN.
PAYLOADS = [
    "$(touch RUN)",
    "`touch RUN`",
    ";touch RUN;",
    "';touch RUN;'",
    '";touch RUN;"',
    "'\";touch RUN;\"'",
    "\"';touch RUN;'\"",
    "';{touch,RUN}|sh;'",
    "';{touch,RUN};'",
    "\ntouch RUN\n",
    "x\rtouch RUN\r",
    "\u2028touch RUN\u2029",
    "|touch RUN|",
    "||touch RUN||",
    "&touch RUN&",
    "&&touch RUN&&",
    ">RUN",
    "x>RUN",
    ">|RUN",
    "<(touch RUN)",
    "=(touch RUN)",
    "(touch RUN)",
    "x(touch RUN)",
    "PATH=.;touch RUN",
    "system+q:touch:,q:RUN:/e",
    "1e./setu",
    "./setup",
    "q@/etc/passwd",
    "q=@/etc/passwd",
    "LD_PRELOAD=/tmp/evil.so",
    "a[$(touch RUN)]",
    "a[`touch RUN`]",
    "x=a[$(touch RUN)]",
    "${x:=$(touch RUN)}",
    "$((a[$(touch RUN)]))",
    "${(e):-$(touch RUN)}",
    "\\$(touch RUN)",
    "\\\\$(touch RUN)",
    "\\';touch RUN;'",
    "\\`touch RUN\\`",
    "'$(touch RUN)'",
    '"$(touch RUN)"',
    "\nEOF\ntouch RUN\n",
    "EOF;touch RUN;",
    "\\\n;touch RUN",
    "*;touch RUN",
    "!touch;touch RUN",
    "#\ntouch RUN",
    ");touch RUN;(",
    "}';touch RUN;'{",
    "--run",
    "-oProxyCommand=touch RUN",
    "@/etc/passwd",
    "=touch RUN",
    "\u200b--run",
    "\ufe0f-oProxyCommand=;touch RUN",
]
# Stand-ins for the tools: like the real ones, ssh and watch run their arguments.
TOOLS = {
    "gh": "for a; do case $a in --run*|-o*) touch RUN;; esac; done",
    "curl": "for a; do case $a in @*|*=@*|*@/*|--run*|-o*) touch RUN;; esac; done",
    "ssh": 'for a; do case $a in --run*|-o*) touch RUN;; esac; done; shift; exec sh -c "$*"',
    "adb": 'shift; exec sh -c "$*"',
    "watch": 'for a; do case $a in --run*) touch RUN;; esac; done; exec sh -c "$*"',
}
SHELLS = ["bash", "dash", "zsh", "fish"]


@pytest.fixture(scope="module")
def routes(template: Path, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    return render_rows(template, tmp_path_factory.mktemp("shapes"), SHAPES)


def render_rows(
    template: Path, folder: Path, messages: list[str], pattern: str = ANYTHING
) -> list[dict[str, Any]]:
    routes = {str(n): {"pattern": pattern, "message": text} for n, text in enumerate(messages)}
    hook = read_hook(render(template, folder / "project", routes=routes), "tool_routing")
    rows: list[dict[str, Any]] = json.loads(hook["ROUTES"])
    return rows


def fill(row: dict[str, Any], value: str, before: str = "https://h.example/") -> str:
    match = re.search(row["pattern"], before + value)
    assert match
    return tool_routing.fill_placeholders(row, match)


def find_run(shell: str, commands: list[str], folder: Path) -> list[int]:
    """Paste commands into a shell, each in a new folder; return those that executed a text."""
    tools = folder / "tools"
    tools.mkdir()
    for name, script in TOOLS.items():
        (tools / name).write_text(f"#!/bin/sh\n{script}\n")
        (tools / name).chmod(0o755)
    for name in ("touch", "sh", "bash", "cat", "true", "sed", "perl"):
        if path := shutil.which(name):
            (tools / name).symlink_to(path)
    lines = []
    for number, command in enumerate(commands):
        (folder / str(number)).mkdir()
        (folder / str(number) / "pasted").write_text(f"{command}\n", encoding="utf-8")
        (folder / str(number) / "f").write_text("VERSION\n")
        (folder / str(number) / "setup").write_text("#!/bin/sh\ntouch RUN\n")
        (folder / str(number) / "setup").chmod(0o755)
        paste = (
            f"cd {folder}/{number}; source ./pasted"
            if shell == "fish"
            else (f"(cd {folder}/{number}; . ./pasted)")
        )
        lines.append(paste)
    (folder / "all").write_text("\n".join(lines))
    subprocess.run(
        [shutil.which(shell) or shell, str(folder / "all")],
        capture_output=True,
        check=False,
        stdin=subprocess.DEVNULL,
        env={"PATH": str(tools), "HOME": str(folder), "LC_ALL": "C.UTF-8"},
    )
    return [number for number in range(len(commands)) if (folder / str(number) / "RUN").exists()]


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("every", [41, *mark_long([3])])
def test_no_part_of_a_value_is_executed(
    shell: str, every: int, routes: list[dict[str, Any]], tmp_path: Path
) -> None:
    """The last command is deliberately unsafe, to prove that an execution would be detected."""
    if not shutil.which(shell):
        pytest.skip(f"there is no {shell}")
    cases = list(product(range(len(SHAPES)), PAYLOADS))[::every]
    commands = [fill(routes[shape], payload) for shape, payload in cases]
    run = find_run(shell, [*commands, "gh x;touch RUN;"], tmp_path)
    assert [cases[number] for number in run if number < len(cases)] == []
    assert run == [len(cases)]


# Messages, and how their only value is inserted: as a separate word, or unchanged.
WORDS = [
    ("gh x {value}", True),
    ("Look at {value} first:\ngh x {value}", True),
    ("gh x {value}\nIt doesn't need a login.", True),
    ("gh x {value} --q={value}", False),
    ("It doesn't need a login:\ngh x {value}", False),
    ("Use `gh x`, or gh y {value}", False),
    ("gh x {value}, or gh y", False),
    ("ssh host gh x {value}", False),
    ("/usr/bin/ssh host \\\ngh x {value}", False),
    ("gh x {value} | bash", False),
    ("sh -lc {value}", False),
    ("gh sshx {value} --ssh-key k --count", True),
    ("cat <<EOF\n{value}\nEOF", False),
]


@pytest.fixture(scope="module")
def word_routes(template: Path, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    return render_rows(template, tmp_path_factory.mktemp("words"), [text for text, _ in WORDS])


def test_separate_word_is_quoted(word_routes: list[dict[str, Any]]) -> None:
    for number, whole in [(n, whole) for n, (_, whole) in enumerate(WORDS)]:
        row = word_routes[number]
        assert row.get("words", "") == "value" * whole
        assert (r"a\ b\;c" in fill(row, "a b;c")) == whole
        assert ("VALUE" in fill(row, "a b;c")) != whole


# Commands that execute even a plain word, and some that only look like it.
PROGRAMS = [
    "python3 -c {value}",
    "echo {value} | python3",
    "echo {value} | /usr/bin/env python3 -",
    "echo {value} | sh",
    "echo {value} | /bin/sh",
    "echo {value} |& sudo -u me bash -s",
    "echo {value} | xargs sh -c",
    "echo {value} | xargs -n1 bash -c",
    "echo {value} | xargs -I@ /bin/sh -c @",
    "echo {value} | parallel",
    "bash <<< {value}",
    "sh <(echo {value})",
    "sh -c {value}",
    "sudo {value}",
    "timeout 5 {value}",
    "env A=1 {value}",
    "gh x && {value} y",
    "gh x; {value} y",
    "gh x $({value} y)",
]
TEXTS = [
    "gh x {value} | grep sh",
    "gh x {value} | xargs gh y",
    "gh x {value} | jq -r .bash",
    "bash -c 'gh x {value}'",
    "Each time {value} is named, push it to <https://h.example>.",
    "The command {value} is outdated; sudo is not needed.",
    "sudo gh x {value}",
]


def test_plain_word_that_would_be_executed_is_not_filled_in(template: Path, tmp_path: Path) -> None:
    for message, row in zip(
        PROGRAMS + TEXTS, render_rows(template, tmp_path, PROGRAMS + TEXTS), strict=True
    ):
        filled = fill(row, "reboot")
        assert (message, "VALUE" in filled) == (message, message in PROGRAMS)
        assert (message, "reboot" in filled) == (message, message in TEXTS)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("octo/hello.js@2", "octo/hello.js@2"),
        ("a_(b)", "a_%28b%29"),
        ("b\xe9t\xe9 it's", "b%C3%A9t%C3%A9%20it%27s"),
        ("1\ufe0f\u200b2", "12"),
        ("", ""),
        ("%2e./x", None),
        ("a/../b", None),
        ("a..b/..c", "a..b/..c"),
        ("a;b", None),
        ("a$b", None),
        ("a&b", None),
        ("x\\y", None),
        ("-x", None),
        ("=x", None),
        ("~x", None),
        ("+x", None),
        ("@x", None),
    ],
)
def test_value_inside_a_word_is_filled_in_if_safe(
    value: str, written: str | None, routes: list[dict[str, Any]]
) -> None:
    row = routes[SHAPES.index("gh x --query={value}")]
    if written is None:
        assert fill(row, value) == (
            "gh x --query=VALUE\n\n"
            "Fill in VALUE yourself: the call's value is not safe in a shell command."
        )
    else:
        assert fill(row, value) == f"gh x --query={written}"


@pytest.mark.parametrize("value", ["-x", "=x", "~x", "+x", "@x", "..", "a/%2E%2e/b", "\u200b-x"])
def test_word_with_a_special_meaning_is_not_filled_in(
    value: str, routes: list[dict[str, Any]]
) -> None:
    assert "VALUE" in fill(routes[0], value)


@pytest.mark.parametrize(
    ("pattern", "filled"),
    [
        (r"https://h/(?P<value>@[\w.-]+)", True),
        (r"https://h/(?P<value>(?:@\w+/)?\w+)", True),
        (r"https://h/(?P<value>[@\w]+)", False),
        (r"https://h/(?P<value>\S+)(?P<other>@?)", False),
    ],
)
def test_package_scope_is_filled_in(
    pattern: str, *, filled: bool, template: Path, tmp_path: Path
) -> None:
    [row] = render_rows(template, tmp_path, ["npm view {value}"], pattern)
    assert fill(row, "@acme/w", "https://h/").startswith(
        f"npm view {'@acme' if filled else 'VALUE'}"
    )


def test_command_value_is_not_url_encoded(routes: list[dict[str, Any]]) -> None:
    row = {**routes[SHAPES.index("gh x --query={value}")], "pattern": "^get (?P<value>.*)"}
    assert fill(row, "b\xe9t\xe9", "get ").startswith("gh x --query=VALUE\n")


@pytest.mark.parametrize(("length", "filled"), [(2_000, True), (2_001, False), (5_000_000, False)])
def test_long_value_is_not_filled_in(
    length: int,
    filled: bool,  # noqa: FBT001 - a parameter
    routes: list[dict[str, Any]],
) -> None:
    value = "7" * length
    message = fill(routes[SHAPES.index("gh x --query={value}")], value)
    told = "gh x --query=VALUE\n\nFill in VALUE yourself: the call's value is not safe in a shell"
    assert message.startswith(f"gh x --query={value}" if filled else told)
    assert len(message) < 3_000


def test_unfilled_names_are_listed_once(template: Path, tmp_path: Path) -> None:
    pattern = r"https://h/(?P<owner>[^/]+)/(?P<repo>[^/]+)"
    [row] = render_rows(template, tmp_path, ["gh x {owner}/{repo} {owner}/"], pattern)
    assert fill(row, "a;b/c;d", "https://h/") == (
        "gh x OWNER/REPO OWNER/\n\nFill in OWNER and REPO yourself: the call's value is not "
        "safe in a shell command."
    )


@given(PRINTABLE)
def test_value_is_a_single_shell_word(value: str) -> None:
    row = {"message": "gh x {value}", "pattern": ANYTHING, "words": "value"}
    [*_, word] = shlex.split(fill(row, value).partition("\n")[0] + " ''")[2:-1] or [""]
    assert word in {re.sub(INVISIBLE, "", value), "VALUE"}


@given(PRINTABLE)
def test_value_is_a_json_string(value: str) -> None:
    row = {"message": '{"url": "{value}"}', "pattern": ANYTHING}
    url = json.loads(fill(row, value).partition("\n")[0])["url"]
    assert unquote(url) in {unquote(re.sub(INVISIBLE, "", value)), "VALUE"}
