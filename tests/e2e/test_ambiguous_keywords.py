"""A keyword that is also an ordinary word denies only the right searches in the real client."""

import shutil
from pathlib import Path

from ..support.project import GITLAB, render
from .clients.claude import Claude
from .model import Call

GO = {**GITLAB, "keywords": ["go", "golang"], "description": "the Go documentation"}
MEANT = ("how do goroutines leak in go", "go context deadline exceeded grpc")
NOT_MEANT = ("where to go in paris", "go fund me campaign ideas", "let it go lyrics")
UNAMBIGUOUS = "golang release date"


def test_only_searches_for_the_technology_are_denied(
    claude: Claude, my_hooks: Path, template: Path
) -> None:
    """Searches about the technology are sent to its database; other searches reach the web."""
    shutil.rmtree(my_hooks)
    render(template, my_hooks, databases=[GO])
    queries = (*MEANT, UNAMBIGUOUS, *NOT_MEANT)
    run = claude.load_plugin(my_hooks).converse(
        [Call("WebSearch", {"query": query}) for query in queries]
    )
    (decision,) = run.main
    assert decision.errors == [True, True, True, False, False, False]
    assert decision.notes.count("for the Go documentation") == 3
    assert len(run.web) == 3
