"""The hooks parse each client's events and answer in the format that the client's model sees."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ..support.dialects import (
    AFTER,
    FETCHING,
    FOLDERS,
    OTHERS,
    SEARCHING,
    SPOKEN,
    TOOLS,
    ask,
    call,
    fetch,
    finish,
    prompt,
    run,
    search,
)
from ..support.fake_lesson_server import CONTEXT, StandIn
from ..support.hypothesis_profiles import mark_long
from ..support.project import MESSAGE, URL, Answer

DENIED = "Query matches 'gitlab' - using RAG database instead"
MCP_TOOLS = {
    "copilot": "leann-search",
    "gemini": "mcp_leann_search",
    "opencode": "leann_search",
}
PAGES = {
    "copilot": "wiki-get_page",
    "gemini": "mcp_wiki_get_page",
    "qwen": "mcp__wiki__get_page",
    "opencode": "wiki_get_page",
}


def deny(client: str, reason: str, context: str = "") -> dict[str, Any]:
    if client in AFTER:
        return {"decision": "deny", "reason": "\n".join(filter(None, (reason, context)))}
    event = "tool.execute.before" if client == "opencode" else "PreToolUse"
    decision = {"permissionDecision": "deny", "permissionDecisionReason": reason}
    more = {"additionalContext": context} if context else {}
    return {"hookSpecificOutput": {"hookEventName": event, **decision, **more}}


def read(answer: Answer) -> Any:
    """Return the answer on stdout; all clients except Claude Code require exit code 0."""
    assert (answer.code, answer.stderr) == (0, "")
    return json.loads(answer.stdout)


@pytest.mark.parametrize("client", SEARCHING)
def test_search_is_denied_once(dialects: Path, tmp_path: Path, client: str) -> None:
    context = (
        f"Call this MCP tool with your query: {MCP_TOOLS[client]} for GitLab documentation from "
        "docs.gitlab.com at /Users/viktor/.leann/databases/gitlab\n"
        f" The identical {SPOKEN.get(client, TOOLS[client])[0]} again reaches the web."
    )
    event = search(client, "gitlab ci cache")
    assert read(ask(dialects, client, "docsearch", event, tmp_path)) == deny(
        client, DENIED, context
    )
    files = list((tmp_path / FOLDERS[client][1]).iterdir())
    assert [path.name.startswith("docsearch-state-") for path in files] == [True]
    assert ask(dialects, client, "docsearch", event, tmp_path).silent


@pytest.mark.parametrize("client", FETCHING)
def test_fetch_is_denied(dialects: Path, tmp_path: Path, client: str) -> None:
    answer = ask(dialects, client, "tool_routing", fetch(client, URL), tmp_path)
    assert read(answer) == deny(client, MESSAGE)


@pytest.mark.parametrize("client", OTHERS)
def test_command_is_denied(dialects: Path, tmp_path: Path, client: str) -> None:
    event = run(client, "git push --force")
    answer = ask(dialects, client, "tool_routing", event, tmp_path)
    assert read(answer) == deny(client, "Use --force-with-lease")


@pytest.mark.parametrize("client", FETCHING)
def test_repeated_fetch_goes_through(dialects: Path, tmp_path: Path, client: str) -> None:
    event = fetch(client, "https://wiki.example/1")
    again = (
        f"If that falls short, repeat the identical {SPOKEN.get(client, TOOLS[client])[1]} call."
    )
    answer = ask(dialects, client, "tool_routing", event, tmp_path)
    assert read(answer) == deny(client, f"Call {PAGES[client]}\n\n{again}")
    if client in AFTER:  # these clients remember nothing themselves
        assert ask(dialects, client, "tool_routing", finish(event, client), tmp_path).silent
    assert ask(dialects, client, "tool_routing", event, tmp_path).silent


@pytest.mark.parametrize("client", OTHERS)
def test_warning_reaches_the_model(dialects: Path, tmp_path: Path, client: str) -> None:
    call_event = run(client, "git clean -fd")
    event = {"opencode": "tool.execute.before", **AFTER}.get(client, "PreToolUse")
    if client in AFTER:
        assert ask(dialects, client, "tool_routing", call_event, tmp_path).silent
        call_event = finish(call_event, client)
    output = {"hookEventName": event, "additionalContext": "This deletes"}
    answer = ask(dialects, client, "tool_routing", call_event, tmp_path)
    assert read(answer) == {"hookSpecificOutput": output}


@pytest.mark.parametrize("client", AFTER)
def test_nothing_is_denied_after_a_call(dialects: Path, tmp_path: Path, client: str) -> None:
    for event in (fetch(client, URL), run(client, "git push --force")):
        over = finish(event, client)
        assert ask(dialects, client, "tool_routing", over, tmp_path).silent


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"Read {URL}.", MESSAGE),
        (f"Compare [it]({URL}) with https://example.com", f"{URL}: {MESSAGE}"),
        (
            f"{URL} and HTTPS://github.com/a/b/pull/7, then https://x.org",
            f"{URL}: {MESSAGE}\n\nHTTPS://github.com/a/b/pull/7: Run: gh pr view 7 --repo a/b",
        ),
    ],
)
def test_each_url_in_a_prompt_is_checked(
    dialects: Path, tmp_path: Path, text: str, reason: str
) -> None:
    event = call("gemini", "web_fetch", {"prompt": text})
    answer = ask(dialects, "gemini", "tool_routing", event, tmp_path)
    assert read(answer) == deny("gemini", reason)


def test_url_field_is_matched(dialects: Path, tmp_path: Path) -> None:
    event = call("gemini", "web_fetch", {"url": URL})
    answer = ask(dialects, "gemini", "tool_routing", event, tmp_path)
    assert read(answer) == deny("gemini", MESSAGE)


@pytest.mark.parametrize(
    ("client", "tool"),
    [
        *[(client, "mcp__a__fetch_url") for client in ("codex", "qwen")],
        *[(client, "mcp__web__get") for client in ("codex", "qwen")],
        *[("copilot", "a-fetch_url"), ("copilot", "web-get")],
        *[("gemini", "mcp_a_fetch_url"), ("gemini", "mcp_web_get")],
        *[("opencode", "a_fetch_url"), ("opencode", "web_get")],
    ],
)
def test_mcp_tool_is_routed(dialects: Path, tmp_path: Path, client: str, tool: str) -> None:
    event = call(client, tool, {"url": "https://intranet/"})
    answer = ask(dialects, client, "tool_routing", event, tmp_path)
    assert read(answer) == deny(client, "Use the proxy")
    matchers = re.findall(r'"(?:matcher|tools)": "(.*)"', read_settings(dialects, client))
    assert any(re.search(json.loads(f'"{matcher}"'), tool) for matcher in matchers)


def read_settings(project: Path, client: str) -> str:
    name = "hookwright.js" if client == "opencode" else "hooks.json"
    return (project / "clients" / client / name).read_text("utf-8")


@pytest.mark.parametrize("client", OTHERS)
def test_prompt_gets_lessons(
    dialects: Path, tmp_path: Path, stand_in: StandIn, client: str
) -> None:
    script = dialects / "clients" / client / "hooks" / "lesson_search.py"
    place = tmp_path / "clients" / client / "hooks" / "lesson_search.py"
    place.parent.mkdir(parents=True)
    address = stand_in.url.partition("://")[2]
    place.write_text(script.read_text("utf-8").replace("127.0.0.1:7731", address), "utf-8")
    answer = ask(tmp_path, client, "lesson_search", prompt(client, "how to cache gems"), tmp_path)
    output = {"hookEventName": "UserPromptSubmit", "additionalContext": CONTEXT}
    plain = client == "copilot"
    assert read(answer) == (
        {"additionalContext": CONTEXT} if plain else {"hookSpecificOutput": output}
    )
    silent = prompt(client, "", submitted_prompt="how to cache gems")
    assert ask(tmp_path, client, "lesson_search", silent, tmp_path).silent
    assert len(stand_in.asked) == 1


@pytest.mark.parametrize("client", OTHERS)
@pytest.mark.parametrize("hook", ["docsearch", "tool_routing", "lesson_search"])
@pytest.mark.parametrize("raw", [b"\xff{", *mark_long([b"", b"[]", b'{"hook_event_name": 5}'])])
def test_invalid_event_goes_through(
    dialects: Path, tmp_path: Path, client: str, hook: str, raw: bytes
) -> None:
    if (dialects / "clients" / client / "hooks" / f"{hook}.py").exists():
        assert ask(dialects, client, hook, raw, tmp_path).silent


@pytest.mark.parametrize("client", OTHERS)
def test_hooks_match_the_client_tools(dialects: Path, client: str) -> None:
    scripts = sorted(path.stem for path in dialects.glob(f"clients/{client}/hooks/*.py"))
    names = [name for name in scripts if not name.endswith("_answer")]
    searches = ["docsearch"] if client in SEARCHING else []
    after = ["action_lessons"] if client != "codex" else []
    assert names == [*after, *searches, "lesson_search", "prompt_hint", "tool_routing"]
    settings = read_settings(dialects, client)
    assert sorted(set(re.findall(r"(\w+)[.]py\b", settings))) == names


@pytest.fixture(scope="session")
def load(dialects: Path) -> Callable[[str, str], dict[str, Any]]:
    loaded: dict[tuple[str, str], dict[str, Any]] = {}

    def load(client: str, hook: str) -> dict[str, Any]:
        if (client, hook) not in loaded:
            script = dialects / "clients" / client / "hooks" / f"{hook}.py"
            names: dict[str, Any] = {"__name__": hook}
            exec(compile(script.read_bytes(), script, "exec"), names)  # noqa: S102 - ours
            loaded[client, hook] = names
        return loaded[client, hook]

    return load


TEXTS = st.lists(
    st.sampled_from(
        [
            *"aA \n\t\"\\/.,)('",
            URL,
            URL.upper(),
            "HTTPS://",
            "github.com/",
            "a/b/pull/1",
            "docs.",
            "example",
            "http://wiki.example",
            "git ",
            "push",
            " --force",
            "clean",
            "\u017f",
            "\u212a",
        ]
    )
).map("".join)


@given(client=st.sampled_from(OTHERS), text=TEXTS, plain=st.booleans())
def test_prefilter_misses_no_match(
    load: Callable[[str, str], dict[str, Any]], client: str, text: str, *, plain: bool
) -> None:
    hook = load(client, "tool_routing")
    tools = [tool for tool in TOOLS[client][1:] if tool]
    for tool in tools:
        shell = tool == TOOLS[client][2]
        field = "command" if shell else "prompt" if client == "gemini" else "url"
        raw = json.dumps(call(client, tool, {field: text}), ensure_ascii=plain).encode()
        decided = hook["route_call"](hook["read_event"](raw), [], ())
        if any(decided or ()):
            assert hook["may_match"](raw)


@given(
    client=st.sampled_from(SEARCHING),
    words=st.lists(st.sampled_from(["gitlab", "GitLab", "xgl", "gl", '"', "\\", "\n", "é", " "])),
    plain=st.booleans(),
)
def test_query_is_read_verbatim(
    load: Callable[[str, str], dict[str, Any]], client: str, words: list[str], *, plain: bool
) -> None:
    hook, query = load(client, "docsearch"), "".join(words)
    raw = json.dumps(search(client, query), ensure_ascii=plain).encode()
    assert (hook["decide"](raw, []) is not None) == bool(hook["match_keywords"](query, []))
