"""A prompt that names a documented technology gets a one-line hint and is never lost."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hooks.prompt_hint.prompt_hint import read_prompt

from ..support import dialects
from ..support.hypothesis_profiles import examples
from ..support.project import GITLAB, INDEXED, Answer, prompt_event, render, run_hook

GO = {**INDEXED, "keywords": ["go"], "arguments": {"database": "go"}, "name": "go-docs"}
LEANN = {
    **GITLAB,
    "keywords": ["redis"],
    "arguments": {"index_name": "/home/me/.local/share/hookwright/docs/redis/documents.leann"},
    "mcp_tool_name": "mcp__leann__leann_search",
}
TEAM = {**GITLAB, "keywords": ["orion"], "path": "https://docs.example.com/mcp"}
ACME_HINT = (
    "Documentation of acme is on this machine: mcp__hookwright-docs__search_docs with "
    '{"database": "acme"} and a query searches it.'
)
GITLAB_HINT = "Documentation of gitlab is on this machine: mcp__leann__search searches it."
NAMING = "why does the acme server refuse my token?"
MOST_TOKENS = 40


@pytest.fixture(scope="session")
def hinting(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    disabled = {**GITLAB, "keywords": ["svelte"], "disabled": "2099-12-31T18:00:00Z"}
    words = {**INDEXED, "keywords": ["ray"], "with": ["cluster"], "unless": ["sun"]}
    return render(
        template,
        tmp_path_factory.mktemp("hinting") / "my-hooks",
        clients=["claude", *dialects.OTHERS],
        databases=[disabled, INDEXED, GITLAB, GO, words, LEANN, TEAM],
        prompt_hints=True,
    )


@pytest.fixture
def hook(hinting: Path) -> Path:
    return hinting / "hooks" / "prompt_hint.py"


def read_hint(answer: Answer) -> str:
    assert (answer.code, answer.stderr) == (0, "")
    return answer.output["additionalContext"] if answer.stdout else ""


def test_hint_appears_once_per_session(hook: Path, config: Path) -> None:
    event = prompt_event(NAMING)
    assert read_hint(run_hook(hook, event, config)) == ACME_HINT
    assert read_hint(run_hook(hook, event, config)) == ""
    both = prompt_event("move it from acme to gitlab")
    assert read_hint(run_hook(hook, both, config)) == GITLAB_HINT
    other = {**both, "session_id": "another"}
    assert read_hint(run_hook(hook, other, config)) == f"{ACME_HINT}\n{GITLAB_HINT}"
    names = [path.name for path in config.rglob("*") if path.is_file()]
    assert len(names) == 4
    assert all(name.startswith("prompt_hint-state-") for name in names)


def test_team_documentation_is_not_called_local(hook: Path, config: Path) -> None:
    prompt = prompt_event("read the token from orion")
    assert "of orion is at hand: mcp" in read_hint(run_hook(hook, prompt, config))


def test_hints_of_old_sessions_are_forgotten(hook: Path, config: Path) -> None:
    run_hook(hook, prompt_event(NAMING), config)
    (memory,) = (config / "hooks").iterdir()
    os.utime(memory, (0, 0))
    run_hook(hook, prompt_event(NAMING, session_id="another"), config)
    assert memory not in (config / "hooks").iterdir()


@pytest.mark.parametrize(
    ("prompt", "named"),
    [
        ("go ahead and fix the failing test", False),
        ("let's go with the second option for now", False),
        ("we go through all the files; use a pool", False),
        ("cannot use generic type in go build", True),
        ("is the ray cluster still running?", True),
        ("the ray tracer is slow on this scene", False),
        ("a ray of sun on the cluster of flowers", False),
        ("how do I drain svelte stores", False),
        ("acmeish things, and the gitlabber", False),
        ("nothing that has documentation", False),
        ("what is new in /src/acme/README.md", True),
        ("acme", False),
        ("/review-pr acme token", False),
        ("!cat acme.conf | head", False),
        ("# the token of acme is in the vault", False),
        ("# Acme\n\nWhy is the token refused?", True),
        ("<task-notification>acme is done</task-notification>", False),
        ("<div> of acme is not centered", True),
        ("", False),
    ],
)
def test_prompt_is_matched_by_its_meaning(
    hook: Path, config: Path, prompt: str, *, named: bool
) -> None:
    assert bool(read_hint(run_hook(hook, prompt_event(prompt), config))) is named


def test_hints_are_short(hinting: Path) -> None:
    tokenizers = pytest.importorskip("tokenizers")
    wordllama = pytest.importorskip("wordllama")
    (file,) = Path(wordllama.__file__).parent.rglob("*tokenizer_config.json")
    tokenizer = tokenizers.Tokenizer.from_file(str(file))
    for script in hinting.rglob("prompt_hint.py"):
        hints = re.search(r'^HINTS = """\n(.*?)\n"""', script.read_text(), re.MULTILINE | re.DOTALL)
        assert hints
        for line in hints[1].replace("\\", "").splitlines():
            assert len(tokenizer.encode(line, add_special_tokens=False)) <= MOST_TOKENS, line


@pytest.mark.parametrize("client", dialects.OTHERS)
def test_other_clients_get_the_hint_in_their_format(
    hinting: Path, tmp_path: Path, client: str
) -> None:
    answers = [
        dialects.ask(hinting, client, "prompt_hint", dialects.prompt(client, NAMING), tmp_path)
        for _ in range(2)
    ]
    assert [answer.code for answer in answers] == [0, 0]
    output = json.loads(answers[0].stdout)
    hint = output["additionalContext"] if client == "copilot" else answers[0].output
    text = hint if isinstance(hint, str) else hint["additionalContext"]
    assert text.startswith("Documentation of acme is on this machine: ")
    assert ("mcp__" in text) is (client in {"codex", "qwen"})
    assert answers[1].stdout == ""


def test_unrecordable_hint_is_not_shown(hook: Path, config: Path) -> None:
    (config / "hooks").write_text("in the way")
    assert run_hook(hook, prompt_event(NAMING), config) == Answer(0, "", "")


STRANGE = st.none() | st.integers() | st.text() | st.lists(st.text(), max_size=2)
RAW = st.binary(max_size=40) | st.fixed_dictionaries(
    {}, optional={"prompt": STRANGE | st.just(NAMING), "session_id": STRANGE, "cwd": STRANGE}
).map(lambda event: json.dumps(event).encode())


def test_no_input_erases_the_prompt(hook: Path, config: Path) -> None:
    @settings(max_examples=examples(100))
    @given(RAW)
    def check(raw: bytes) -> None:
        answer = run_hook(hook, raw, config)
        assert (answer.code, answer.stderr) == (0, "")

    check()
    for raw in (b"{" * 100_000, b'{"prompt": "' + b"acme " * 500_000 + b'"}', b"\xff" * 99):
        assert run_hook(hook, raw, config).code == 0


def run_shell(command: str, hook: Path, config: Path) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        ["/bin/sh", "-c", command, sys.executable, str(hook)],
        input=json.dumps(prompt_event(NAMING)).encode(),
        capture_output=True,
        check=False,
        env={**os.environ, "CLAUDE_CONFIG_DIR": str(config)},
    )


@pytest.mark.skipif(sys.platform == "win32", reason="it has no such shell")
@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("KEYWORDS = ", "KEYWORDS = None and ", 0),
        ("HINTS = ", 'HINTS = "" and ', 0),
        ("AMBIGUOUS = ", "AMBIGUOUS = 1 or ", 0),
        ("    prompt = read_prompt", "    raise SystemExit(2)\n    prompt = read_prompt", 0),
        ("import sys", "import sys, missing_module", 1),
        ("def find_hints(", "def find_hints(:", 1),
    ],
)
def test_broken_script_does_not_erase_the_prompt(
    hook: Path, config: Path, tmp_path: Path, old: str, new: str, *, code: int
) -> None:
    broken, text = tmp_path / "prompt_hint.py", hook.read_text()
    broken.write_text(text.replace(old, new, 1))
    assert old in text
    assert run_shell('exec "$0" -I -S "$1"', broken, config).returncode == code


@pytest.mark.skipif(sys.platform == "win32", reason="it has no such shell")
@pytest.mark.parametrize("streams", [">&-", "<&-", ">&- 2>&-", "<&- >&- 2>&-", ">/dev/full"])
def test_closed_streams_do_not_erase_the_prompt(hook: Path, config: Path, streams: str) -> None:
    done = run_shell(f'exec "$0" -I -S "$1" {streams}', hook, config)
    assert (done.returncode, done.stdout) == (0, b"")


@pytest.mark.skipif(sys.platform == "win32", reason="it has no such signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE])
def test_signals_do_not_erase_the_prompt(hook: Path, config: Path, number: signal.Signals) -> None:
    own: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    environment = {**os.environ, "CLAUDE_CONFIG_DIR": str(config)}
    command = [sys.executable, "-I", "-S", str(hook)]
    with subprocess.Popen(command, env=environment, **own) as process:
        process.send_signal(number)
        process.communicate()
    assert process.returncode != 2


EVENTS = st.fixed_dictionaries(
    {"prompt": st.text() | st.sampled_from(['"prompt"', '\\"prompt": "x"', NAMING])},
    optional={"cwd": st.text() | st.just("prompt"), "submitted_prompt": st.text()},
)


@given(
    event=EVENTS,
    ascii_only=st.booleans(),
    separators=st.sampled_from([(",", ":"), (" , ", " : ")]),
)
def test_prompt_is_read_as_by_a_json_parser(
    event: dict[str, str], separators: tuple[str, str], *, ascii_only: bool
) -> None:
    raw = json.dumps(event, ensure_ascii=ascii_only, separators=separators)
    assert read_prompt(raw) == event["prompt"]
