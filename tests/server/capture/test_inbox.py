"""The inbox is private, contains no secrets, and never shows a decided candidate again."""

import json
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from hookwright_console.errors import RefusedError, ReportedError
from lesson_search.capture.inbox import FILE, KEPT, Inbox, open_inbox
from lesson_search.capture.rules import Candidate

from ...support.secret_forms import DRAWN, FORMS

LONG = 8  # minimum length in characters; shorter secrets occur inside other words
NOW = 1_790_000_000.0
SEEN = Candidate("said", "Use pnpm, not npm, in this project.", "s1", "/work", "10:00", "words")


def test_candidates_are_merged_across_sessions() -> None:
    inbox = Inbox()
    other = replace(SEEN, text="In this project use pnpm, not npm.", session="s2")
    last = replace(SEEN, text="Deploy with make release only.", session="s3")
    assert inbox.add([last, SEEN, other, SEEN], NOW) == 2
    assert [item.sessions for item in inbox.items] == [2, 1]
    assert inbox.add([SEEN], NOW) == 0


def test_decided_candidates_do_not_return() -> None:
    inbox = Inbox()
    inbox.add([SEEN], NOW)
    inbox.decide(inbox.items[0])
    assert inbox.add([SEEN], NOW) == 0
    near = replace(SEEN, text="Use pnpm, not npm, for all installs there.")
    assert inbox.add([near], NOW) == 1
    inbox.decide(inbox.items[0], never=True)
    assert inbox.add([near, replace(near, text="Use pnpm, not npm, for installs.")], NOW) == 0


def test_candidates_expire() -> None:
    inbox = Inbox()
    inbox.add([SEEN], NOW)
    inbox.add([], NOW + KEPT - 1)
    assert inbox.items
    inbox.add([], NOW + KEPT)
    assert not inbox.items


def test_secrets_are_removed(tmp_path: Path) -> None:
    secrets = [drawn for drawn in DRAWN if len(drawn) >= LONG]
    for name, text in FORMS.items():
        with open_inbox(tmp_path / name) as inbox:
            inbox.add([replace(SEEN, text=f"Log in: {text}", excerpt=text, folder=text)], NOW)
        written = json.dumps(json.loads((tmp_path / name / FILE).read_text()), ensure_ascii=False)
        assert [name for secret in secrets if secret in written] == []


def test_home_folder_and_hidden_characters_are_removed(tmp_path: Path) -> None:
    folder = str(Path.home() / "work")
    with open_inbox(tmp_path) as inbox:
        inbox.add([replace(SEEN, text=f"See\u200b {folder}\x1b[31m", folder=folder)], NOW)
        assert inbox.items[0].text == "See ~/work[31m"
        assert inbox.items[0].folder == "~/work"
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", '{"items": [1]}', '{"items": null}', '{"items": [], "decided": 1}', "[" * 9999],
)
def test_damaged_file_is_kept(tmp_path: Path, content: str) -> None:
    (tmp_path / FILE).write_text(content)
    with pytest.raises(ReportedError, match="is damaged: move it away"), open_inbox(tmp_path):
        pass
    assert (tmp_path / FILE).read_text() == content


def test_ids_are_found_by_prefix() -> None:
    inbox = Inbox()
    inbox.add([SEEN], NOW)
    assert inbox.find(inbox.items[0].id[:3]) is inbox.items[0]
    for wrong in ("", "x"):
        with pytest.raises(RefusedError, match="see lesson-search inbox"):
            inbox.find(wrong)
