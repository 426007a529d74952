"""`make demo` shows a panel for each hook, with the agent's actual output."""

import pytest

from examples import demo
from examples.record_lessons import ask_server
from examples.recorded_lessons import read_recorded


def test_demo_shows_a_panel_for_each_hook(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert demo.run() == 0
    output = capsys.readouterr().out
    lines = output.splitlines()
    assert max(map(len, lines)) <= 80
    hooks = [line.split()[1] for line in lines if line.startswith("╭")]
    assert hooks == ["docsearch", "docsearch", "tool_routing", "lesson_search"]
    assert output.count("denied; the agent is told:") == 3
    for text in (
        "Query matches 'acme'",
        "app.key",
        "page is in 'acme'",
        "`max_age`",
        "glab mr view 12",
        "## Relevant Lessons",
        "stand-in",
    ):
        assert text in output


def test_ctrl_c_ends_the_demo_with_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(demo, "render_example", interrupt)
    assert demo.run() == 130
    assert capsys.readouterr().err == "demo: stopped\n"


def test_recorded_answer_matches_the_server() -> None:
    recorded = read_recorded()
    if ask_server(recorded["prompt"], recorded["lessons"]) != recorded["answer"]:
        pytest.fail("the recorded lessons are out of step: run `make examples`", pytrace=False)
