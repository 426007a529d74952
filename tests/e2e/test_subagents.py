"""In the real client, a subagent's web searches share its parent's session."""

from .clients.claude import DELEGATE, Claude
from .model import Call

SEARCH = Call("WebSearch", {"query": "gitlab ci cache"})


def test_subagent_is_guided_and_has_its_own_retry(installed_each_way: Claude) -> None:
    run = installed_each_way.converse([DELEGATE], [SEARCH], subagent_script=[[SEARCH]])
    assert run.subagent_errors == [[[True]]]
    assert "select:mcp__leann__search" in run.subagents[0][0].notes
    assert run.errors == [[False], [True]]
    assert run.web == ()


def test_main_agent_cannot_use_a_subagents_retry(installed: Claude) -> None:
    run = installed.converse([SEARCH], [DELEGATE], [SEARCH], subagent_script=[[SEARCH], [SEARCH]])
    assert run.subagent_errors == [[[True], [False]]]
    assert run.errors == [[True], [False], [False]]
    assert len(run.web) == 2


def test_concurrent_subagents_cannot_use_each_others_retry(installed: Claude) -> None:
    run = installed.converse([DELEGATE, DELEGATE], subagent_script=[[SEARCH], [SEARCH]])
    assert run.subagent_errors == [[[True], [False]]] * 2
    assert len(run.web) == 2
