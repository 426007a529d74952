"""Failed commands and subagents get lessons, and no secret is sent to the server."""

import json
import shutil
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from hooks.action_lessons.action_lessons_answer import keep_words

from ..support.client_installer import OTHERS
from ..support.fake_lesson_server import CONTEXT, NOTHING, StandIn, write_answer
from ..support.project import Answer, render, run_hook
from ..support.secret_forms import DRAWN, FORMS

CLAUDE = "claude"
ERROR = "working\nModuleNotFoundError: No module named 'orders'"
WORDS = "working \n ModuleNotFoundError No module named orders"
SESSION = {"session_id": "a", "tool_name": "Bash", "tool_input": {"command": "make"}}
# A failed command as reported by each client, and a successful one if the hook receives those.
FAILED: dict[str, dict[str, Any]] = {
    "claude": {"error": f"Exit code 3\n{ERROR}"},
    "qwen": {
        "error": f"Command: make\nDirectory: (root)\nOutput: {ERROR}\nExit Code: 3\nSignal: 0"
    },
    "opencode": {"error": ERROR},
    "gemini": {
        "tool_response": {
            "llmContent": f"<untrusted_context>\nOutput: {ERROR}\nExit Code: 3\n"
            "Process Group PGID: 26083\n</untrusted_context>"
        }
    },
    "copilot": {
        "tool_result": {
            "text_result_for_llm": f"{ERROR}\n<shellId: 0 completed with exit code 3>",
        }
    },
}
SUCCEEDED: dict[str, dict[str, Any]] = {
    "gemini": {"tool_response": {"llmContent": f"Output: {ERROR}\nProcess Group PGID: 26083\n"}},
    "copilot": {
        "tool_result": {
            "text_result_for_llm": f"{ERROR}\n<shellId: 0 completed with exit code 0>",
        }
    },
}
SUBAGENT = {
    "hook_event_name": "PreToolUse",
    "session_id": "a",
    "tool_name": "Agent",
    "tool_use_id": "b",
    "cwd": "/shop",
    "tool_input": {"prompt": "Cache the gems.", "subagent_type": "general-purpose"},
}


def copy_hook(project: Path, folder: Path, server: str, stand_in: StandIn) -> Path:
    """Copy a hook, and let it query a fake server."""
    for name in ("action_lessons_answer", "action_lessons"):
        code = (project / "hooks" / f"{name}.py").read_text("utf-8")
        script = folder / f"{name}.py"
        script.write_text(code.replace(f'"{server}"', f'"127.0.0.1:{stand_in.server_port}"'))
    return script


@pytest.fixture
def ask(dialects: Path, tmp_path: Path, stand_in: StandIn) -> Any:
    def run(client: str, event: object) -> Answer:
        folder = dialects if client == CLAUDE else dialects / "clients" / client
        script = copy_hook(folder, tmp_path, "127.0.0.1:7731", stand_in)
        return run_hook(script, event, Path("/nowhere"))

    return run


@pytest.mark.parametrize("client", FAILED)
def test_failed_command_gets_a_lesson(ask: Any, stand_in: StandIn, client: str) -> None:
    answer = ask(client, {"agent_id": "b", "cwd": "/shop", **SESSION, **FAILED[client]})
    output = json.loads(answer.stdout)
    assert answer.code == 0
    assert output.get("hookSpecificOutput", output)["additionalContext"] == CONTEXT
    [request] = stand_in.asked
    assert request.path == "/hooks/failed-command?top_k=3&budget=2000"
    sent = json.loads(request.body)
    assert (sent["session_id"], sent["agent_id"], sent["cwd"]) == ("a", "b", "/shop")
    assert sent["prompt"].removeprefix("Output ") == WORDS


def test_server_on_another_machine_gets_the_project_and_no_folder(
    template: Path, tmp_path: Path, stand_in: StandIn
) -> None:
    url = "http://lessons.example:7731"
    project = render(template, tmp_path / "my-hooks", lesson_server_url=url, action_lessons=True)
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text('[remote "origin"]\nurl = https://h.example/shop\n')
    script = copy_hook(project, tmp_path, "lessons.example:7731", stand_in)
    for event in (SUBAGENT, {**SESSION, **FAILED[CLAUDE]}):
        assert run_hook(script, {**event, "cwd": str(tmp_path)}, Path("/nowhere")).output
    for request in stand_in.asked:
        assert "cwd" not in json.loads(request.body)
        assert unquote(request.headers["hookwright-repository"]) == f"h.example/shop,{tmp_path}"


def test_hook_without_its_module_adds_nothing(dialects: Path, tmp_path: Path) -> None:
    script = Path(shutil.copy(dialects / "hooks" / "action_lessons.py", tmp_path))
    for content in (None, b"", b"def", b"\0", b"raise OSError", b"raise SystemExit(3)"):
        if content is not None:
            (tmp_path / "action_lessons_answer.py").write_bytes(content)
        assert run_hook(script, {**SESSION, **FAILED[CLAUDE]}, Path("/nowhere")).silent


@pytest.mark.parametrize("client", SUCCEEDED)
def test_successful_command_sends_no_query(ask: Any, stand_in: StandIn, client: str) -> None:
    assert ask(client, {**SESSION, **SUCCEEDED[client]}).silent
    assert stand_in.asked == []


def test_codex_has_no_hook_for_lack_of_exit_codes(dialects: Path) -> None:
    clients = {path.parts[-3] for path in dialects.glob("clients/*/hooks/action_lessons.py")}
    assert clients == {*OTHERS} - {"codex"}


@pytest.mark.parametrize("event", [b"", b"\xff[", b"[" * 10_000, b'{"error":', b'{"error": 5}'])
def test_invalid_event_sends_no_query(ask: Any, stand_in: StandIn, event: bytes) -> None:
    assert ask(CLAUDE, event).silent
    assert stand_in.asked == []


@pytest.mark.parametrize(
    "reply",
    [NOTHING, b"", b"[]", b'{"hookSpecificOutput":{"permissionDecision":"allow"}}', b"\xff"],
)
def test_unexpected_answers_are_not_printed(ask: Any, stand_in: StandIn, reply: bytes) -> None:
    stand_in.reply = lambda _: [write_answer(reply)]
    assert ask(CLAUDE, {**SESSION, **FAILED[CLAUDE]}).silent
    assert ask(CLAUDE, SUBAGENT).silent


def test_subagent_gets_lessons_below_its_task(ask: Any, stand_in: StandIn) -> None:
    output = ask(CLAUDE, SUBAGENT).output
    prompt = f"Cache the gems.\n\n{CONTEXT}"
    assert output == {
        "hookEventName": "PreToolUse",
        "updatedInput": {"prompt": prompt, "subagent_type": "general-purpose"},
    }
    [request] = stand_in.asked
    assert request.path.startswith("/hooks/user-prompt-submit?")
    sent = {"session_id": "a", "agent_id": "b", "cwd": "/shop", "prompt": "Cache the gems."}
    assert json.loads(request.body) == sent


def test_error_without_other_words_than_secrets_sends_no_query(ask: Any, stand_in: StandIn) -> None:
    empty = "Command: sh a.sh\nOutput: (empty)\nError: (none)\nExit Code: 3"
    for error in ("Exit code 1\n===\n8fK2-xQ91-vv3", empty):
        assert ask(CLAUDE, {**SESSION, "error": error}).silent
    assert stand_in.asked == []


def test_secret_of_letters_is_not_sent_when_marked() -> None:
    for line in [
        *(f"password{sign}hunter" for sign in (" = ", " : ", " => ", " is ", ":", "=", "|", "->")),
        'password = "hunter, and more hunter"',
        "db_password = hunter",
        "token:hunter",
        "PGPASSWORD:hunter",
        "api_key('hunter')",
        "{'password':'hunter'}",
        "Password1hunter",
        "contrase\u00f1a: hunter",
        "\uff50assword: hunter",
        "Tried hunter2024",
        "mnemonic: hunter zebra",
        "curl -u admin:hunter",
        "curl --user admin:hunter",
        "mysql -phunter",
        "mysql '-phunter'",
        "redis -a hunter",
        "sshpass -p hunter",
        "Enter passphrase: correct hunter battery",
        "Password for bob:\nhunter",
        "Password for bob: \n\nExit code 1\nhunter",
        "password: |\n  hunter",
        "the password\nhunter",
        "Password:" + "\nhunter" + "\nline" * 11,
        "wJalrXUtnFEMI/K7MDENG/hunter",
        "the private key: hunter",
        "duplicate key value: hunter",
        "-----BEGIN PRIVATE KEY-----\nhunter\n-----END PRIVATE KEY-----",
        "hunter\n-----END PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\nanything\nhunter",
        "code 12345-67890-hunter",
        "code ab1-cd2-hunter",
        *(
            f"{word} hunter"
            for word in ("pw:", "--pw", "GH_PAT:", "creds: bob", "Kennwort:", "OTP")
        ),
        "api key value hunter",
        "Enter password for bob\nhunter",
        "Password:\nother\nhunter",
        "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nhunter",
        "-----begin private key-----\nhunter",
        "\u2013p hunter",
        "AKIA" + "hunter".upper() * 2,
        "No module named hunter24",
        "-----BEGIN PRIVATE KEY-----" + "\nhunter" * 50,
        "No module named 8hunter",
        "word " * 49 + "hunter1x2y" * 30,
    ]:
        assert "hunter" not in keep_words(line).lower()


def test_only_the_start_of_a_long_line_is_read() -> None:
    marks = "a\u0301" + "\u0327\u0301" * 300_000  # would take minutes to normalise
    assert keep_words(f"make failed\n{marks}") == "make failed"


def test_no_part_of_a_secret_is_sent() -> None:
    size = 6  # characters per part
    for form, text in FORMS.items():
        words = keep_words(f"error: cannot deploy\n{text}")
        parts = {
            drawn[start : start + size]
            for drawn in DRAWN
            if drawn in text
            for start in range(len(drawn) - size + 1)
        }
        assert not [part for part in parts if part in words], form


@pytest.mark.parametrize(
    ("error", "kept"),
    [
        ("npm error code ERESOLVE", "npm error code ERESOLVE"),
        ("/home/me/shop/src/main.rs:9:20: error[E0382]", "main.rs:9:20 error E0382"),
        ("fatal: https://me:hunter@x.dev/a.git not found", "fatal not found"),
        ("tests/test_a.py:12: in x86_64, v20.15.0", "test_a.py:12 in x86_64 v20.15.0"),
        ("FATAL: password authentication failed", "FATAL password"),
        ("KeyError: 'DATABASE_URL'", "KeyError DATABASE_URL"),
        ("SyntaxError: Unexpected token 'export'", "SyntaxError Unexpected token export"),
        ("No module named 'psycopg2'", "No module named psycopg2"),
        ("duplicate key value violates", "duplicate key value violates"),
        ("Exit code 1\n\n  sed: invalid command code c  ", "sed invalid command code c"),
        ("\n".join(f"line {number}" for number in range(99, 0, -1)), "line 12"),
    ],
)
def test_error_words_are_kept(error: str, kept: str) -> None:
    assert keep_words(error).splitlines()[0].strip() == kept
