"""Read the training texts: documentation, a dictionary, and the project's example searches.

The documentation comes from Debian packages, extracted with `dpkg -x`, and its licences allow use
and redistribution. The product contains only word counts from it.
"""

import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from lxml import html

HERE = Path(__file__).parent
PAGES = 900  # maximum pages per package
MAX_PAGE = 2_000_000  # maximum bytes per page
TITLES = 1_500  # maximum titles per package
MIN_TEXT, MAX_TEXT = 5, 160  # minimum and maximum characters of a title or sentence
NO_CONTENT = "//script|//style|//nav|//*[contains(@class,'sidebar') or contains(@class,'footer')]"
COMPUTING = re.compile(r"comput|software|program|internet|\bfiles?\b|\bdata\b|\bcode")
TOPICS = frozenset(
    ("05", "08", "13", "15", "19", "20")
)  # animals, body, food, places, weather, plants
SAMPLES = 25_000  # number of dictionary texts to use


@dataclass(frozen=True)
class Documentation:
    """The texts of the technologies' documentation.

    Args:
        counts: The number of occurrences of each word, by package.
        titles: Headings and first sentences.

    """

    counts: dict[str, Counter[str]]
    titles: list[str]


@dataclass(frozen=True)
class Search:
    """A search, the name in it, and whether the name means the technology."""

    name: str
    text: str
    technical: bool


def split_words(text: str) -> list[str]:
    """Return a text's words in lower case."""
    return re.findall(r"\w+", text.casefold())


def occurs(phrase: str, text: str) -> bool:
    """Return whether a phrase occurs in a case-folded text, by the hook's rules."""
    return phrase in text and bool(re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", text))


def read_documentation(folders: list[Path]) -> Documentation:
    """Return the texts of the pages in these folders, one per package."""
    picker = random.Random(2)  # noqa: S311 - the same pages each time
    counts, titles = {}, []
    for folder in sorted(folders):
        pages = [path for path in sorted(folder.rglob("*.htm*")) if is_page(path)]
        picker.shuffle(pages)
        counter: Counter[str] = Counter()
        found: set[str] = set()
        for path in pages[:PAGES]:
            text, heads = read_page(path.read_bytes())
            counter.update(split_words(text))
            found.update(heads)
        if counter:
            counts[folder.name] = counter
            titles += picker.sample(sorted(found), min(TITLES, len(found)))
    return Documentation(counts, titles)


def is_page(path: Path) -> bool:
    own = path.is_file() and not path.is_symlink() and path.suffix in {".html", ".htm"}
    return own and path.stat().st_size < MAX_PAGE and not re.search("search|genindex", path.name)


def read_page(content: bytes) -> tuple[str, list[str]]:
    """Return a page's text, its headings, and some first sentences."""
    try:
        tree: Any = html.document_fromstring(content)  # lxml's type hints lack text_content
    except (ValueError, html.etree.ParserError):
        return "", []
    for element in tree.xpath(NO_CONTENT):
        if element.getparent() is not None:
            element.drop_tree()
    heads = [element.text_content() for element in tree.xpath("//h1|//h2|//h3|//h4|//dt")]
    paragraphs = [element.text_content() for element in tree.xpath("//p")][:6]
    heads += [re.split(r"(?<=[.!?])\s", " ".join(text.split()))[0] for text in paragraphs]
    plain = (" ".join(text.replace("¶", "").split()) for text in heads)
    return tree.text_content(), [text for text in plain if MIN_TEXT < len(text) < MAX_TEXT]


def read_dictionary(folder: Path) -> tuple[list[str], list[str]]:
    """Return WordNet's glosses and examples, except those about computers, and its nouns.

    Args:
        folder: The folder that contains WordNet's data.noun.

    Returns:
        Returns the glosses and example sentences, and the nouns for animals, plants, food, places
        and the like.

    """
    texts, nouns = [], set()
    for line in list_synsets(folder):
        head, gloss = line.split("|", 1)
        fields = head.split()
        word = fields[4].casefold()
        if fields[2] == "n" and fields[1] in TOPICS and word.isalpha():
            nouns.add(word)
        if not COMPUTING.search(gloss):
            parts = (part.strip().strip('"') for part in gloss.split(";"))
            texts += [f"{word} {part}" for part in parts if MIN_TEXT < len(part) < MAX_TEXT]
    picker = random.Random(2)  # noqa: S311 - the same each time
    return picker.sample(texts, min(SAMPLES, len(texts))), sorted(nouns)


def list_synsets(folder: Path) -> Iterator[str]:
    for kind in ("noun", "verb", "adj", "adv"):
        for line in (folder / f"data.{kind}").read_text("utf-8").splitlines():
            if not line.startswith("  ") and "|" in line:
                yield line


def read_searches(*paths: Path) -> list[Search]:
    """Return the searches in files of the form {name: {technology: [...], other: [...]}}."""
    return [
        Search(name, text, sense == "technology")
        for path in paths
        for name, senses in read_yaml(path).items()
        for sense, texts in senses.items()
        for text in texts
    ]


def read_own_words() -> dict[str, dict[str, list[str]]]:
    """Return the words listed for and against the technology of each name."""
    return {name: dict(senses) for name, senses in read_yaml(HERE / "words.yml").items()}


def read_yaml(path: Path) -> Any:
    """Return the content of a YAML file."""
    return yaml.safe_load(path.read_text("utf-8"))
