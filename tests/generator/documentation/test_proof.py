"""The proof searches for words that occur on a page."""

from pathlib import Path

import pytest

from hookwright.documentation.proof import Question, find_answered, find_phrase
from hookwright_documentation.cutting import list_pages
from hookwright_documentation.sharing.archive import pack

from ...support.processor_limit import limit_processor
from ...support.shared_archives import list_files, make_page, take

SENTENCE = "Put a proxy in front of the application"


@pytest.mark.parametrize("part", ["a", "a'", "a ", "a, ", "a-1 ", "aA9+/", "a\n"])
def test_embedded_page_data_is_processed_quickly(part: str) -> None:
    with limit_processor():
        assert find_phrase(f"{SENTENCE}.\n\n{part * 400_000}\n")


def test_any_page_with_the_phrase_is_proof(tmp_path: Path) -> None:
    pages = [make_page(name, f"# {name}\n\n{SENTENCE} it is.\n") for name in ("a1", "b2", "c3")]
    other = make_page("d4", "# Other\n\nOther words.\n")
    database = take(pack(list_files((*pages, other))), tmp_path)
    assert len(list_pages(database.pages)) == 4
    question = Question(SENTENCE, pages[0].url)
    for answer, expected in ((pages[0].url, pages[0].url), (pages[2].url, pages[2].url)):
        assert find_answered(database, question, f"==== {answer}#x\nText") == expected
    for answer in (other.url, "nothing"):
        assert find_answered(database, question, answer) == ""


def test_short_sentence_is_sufficient() -> None:
    assert find_phrase("Use `make` to make one. A goroutine blocks.\n") == ""
    assert find_phrase("Channels are typed pipes.\n") == "Channels are typed pipes"


def test_preformatted_text_is_the_last_resort() -> None:
    manual = f"# Timeouts\n\n```\ntimeout client TIME\n  {SENTENCE}, for it may be silent.\n```\n"
    assert find_phrase(manual).startswith(SENTENCE)
    assert find_phrase(f"{manual}\nThese are all the words.\n") == "These are all the words"
