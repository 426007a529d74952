"""Tools in processes of their own."""

from pathlib import Path

import anyio
import pytest

from hookwright_documentation.serving.search_processes import STOPPED, ProcessRunner, running
from hookwright_documentation.serving.tool_runner import ToolAnswer


@pytest.mark.usefixtures("flask")
def test_process_that_ends_is_replaced(root: Path) -> None:
    """A process answers calls one after the other; a call that it dies of fails alone."""
    assert root.exists()

    async def ask(runner: ProcessRunner) -> list[ToolAnswer]:
        answers = [await runner.run("list_databases", {})]
        (process,) = runner._processes  # noqa: SLF001 - there is no other way to kill it
        process.process.kill()
        process.process.wait()
        answers += [await runner.run("list_databases", {}) for _ in range(2)]
        return answers

    with running(1) as runner:
        assert runner
        before, failed, after = anyio.run(ask, runner)
    assert "flask: Flask" in before.text
    assert before.meta["hookwright/databases"][0]["keywords"] == ["flask"]
    assert failed == ToolAnswer(STOPPED, failed=True)
    assert after.meta == before.meta


@pytest.mark.usefixtures("root")
def test_processes_end_with_the_server() -> None:
    """No process outlives the block, asked or not."""
    with running(1) as runner:
        assert runner
        (process,) = runner._processes  # noqa: SLF001 - as above
    assert process.process.poll() is not None


def test_no_process_is_none() -> None:
    """Without processes nothing is started."""
    with running(0) as runner:
        assert runner is None
