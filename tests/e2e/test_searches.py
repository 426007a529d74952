"""Web searches are denied in the real client with the hooks installed."""

import os
from dataclasses import replace
from pathlib import Path

from ..support.project import run_hook, search_event
from .clients.claude import Claude
from .model import Call

GITLAB = Call("WebSearch", {"query": "gitlab ci cache"})
KUBECTL = Call("WebSearch", {"query": "kubectl drain", "allowed_domains": ["kubernetes.io"]})
BOTH = Call("WebSearch", {"query": "k8s runner of gitlab"})
NEITHER = Call("WebSearch", {"query": "weather in Berlin"})


def test_denial_reaches_the_model_once(
    installed_each_way: Claude, hook: Path, config: Path
) -> None:
    denial = run_hook(hook, search_event("gitlab ci cache"), config).output
    reason, context = denial["permissionDecisionReason"], denial["additionalContext"]
    run = installed_each_way.converse([GITLAB], [NEITHER])
    denied, later = run.main
    assert run.errors == [[True], [False]]
    assert reason in denied.results[0].text
    assert context in denied.notes
    everything = denied.text + later.text
    assert (everything.count(reason), everything.count(context)) == (1, 1)
    assert "mcp__leann__search for GitLab documentation" in denied.notes
    assert "select:mcp__leann__search" in denied.notes
    assert "weather in Berlin" in run.web[0]
    assert "leann" not in later.notes


def test_identical_retry_reaches_the_web(installed_each_way: Claude) -> None:
    """Another search is not a retry, nor is the same search in another session."""
    for _ in range(2):
        run = installed_each_way.converse([GITLAB], [BOTH], [GITLAB], [GITLAB])
        assert run.errors == [[True], [True], [False], [True]]
        assert len(run.web) == 1
        assert "gitlab ci cache" in run.web[0]


def test_parallel_searches_are_denied_individually(installed: Claude) -> None:
    calls = [GITLAB, KUBECTL, BOTH]
    run = installed.converse(calls, calls)
    denied, retried = run.main
    assert denied.errors == [True, True, True]
    assert ["'gitlab'" in result.text for result in denied.results] == [True, False, True]
    assert denied.notes.count("select:mcp__leann__search") == 3
    assert retried.errors == [False, False, False]
    assert len(run.web) == 3


def test_deleted_script_blocks_nothing(installed_each_way: Claude) -> None:
    assert installed_each_way.converse([GITLAB]).web == ()
    for script in list(installed_each_way.home.rglob("docsearch*.py")):
        script.unlink()
    run = installed_each_way.converse([GITLAB])
    assert run.errors == [[False]]
    assert len(run.web) == 1


def test_session_start_removes_expired_denials(installed_each_way: Claude) -> None:
    for _ in range(2):
        installed_each_way.converse([GITLAB])
    folder = (installed_each_way.config or installed_each_way.home / ".claude") / "hooks"
    expired, recent = sorted(folder.glob("docsearch-state-*"))
    os.utime(expired, (0, 0))
    installed_each_way.converse()
    assert list(folder.glob("docsearch-state-*")) == [recent]


def test_search_is_denied_after_compaction(installed: Claude) -> None:
    assert installed.converse([GITLAB]).errors == [[True]]
    resumed = replace(installed, options=(*installed.options, "--continue"))
    resumed.converse(prompt="/compact")
    later = Call("WebSearch", {"query": "gitlab runner registration"})
    run = resumed.converse([], [later], prompt="Go on.")
    assert "being continued from a previous conversation" in run.last
    assert GITLAB.input["query"] not in run.last  # the denial is no longer in the agent's context
    assert run.errors[-1] == [True]
    assert "mcp__leann__search" in run.main[-1].notes
    assert run.web == ()
