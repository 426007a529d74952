"""Find searches that an ambiguous keyword decides, and changes to a database that correct them."""

import re
import tempfile
from bisect import insort
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hookwright.answers.disabling import is_disabled
from hookwright.discovery.ambiguous_keywords import FIELD, is_ordinary
from hookwright.hooks.registry import DOCSEARCH
from hookwright.project.reader import Project
from hookwright.project.rendered_hooks import render_hook
from hookwright.simulate.batch import Call, Evidence, KeywordMatch, Outcome, Veto, decide
from hookwright.simulate.run import WAITING, Handler
from hookwright_console.errors import RefusedError
from hookwright_console.text import name_some, shorten
from hookwright_retrieval.terms import STOP_WORDS

TOOL = "WebSearch"
MAX_WORD = 40  # characters per word
NAMED = 2  # searches in a description
TOKEN = re.compile(r"[^\W_]+[+#]*")
NEIGHBOURS = r"(?:(?P<before>[\w+#-]*\w[+#]*) )?(?<!\w)%s(?!\w)(?: (?P<after>\w[\w+#-]*))?"


@dataclass(frozen=True)
class AmbiguousSearch:
    """A search whose result depends on an ambiguous keyword."""

    text: str  # the query
    number: int  # the number of the keyword's database
    keyword: str
    evidence: Evidence
    denied: bool

    @property
    def distance(self) -> int:
        """The number of points between the search and the opposite decision."""
        return abs(self.evidence.sum)


@dataclass
class ClosestSearches:
    """The searches closest to the opposite decision, without duplicates."""

    most: int  # maximum number of searches
    searches: list[AmbiguousSearch] = field(default_factory=list)  # closest first

    def add(self, search: AmbiguousSearch) -> None:
        kept = self.searches
        if len(kept) >= self.most and (not kept or search.distance >= kept[-1].distance):
            return
        if all(other.text != search.text for other in kept):
            insort(kept, search, key=lambda search: search.distance)
            del kept[self.most :]


def read_ambiguous(call: Call, outcomes: Iterable[Outcome]) -> AmbiguousSearch | None:
    """Return a call as an ambiguous search, or None if something else decides the call.

    If the call matches several databases, the one with the most points is used.
    """
    found: list[AmbiguousSearch] = []
    for outcome in outcomes:
        denied = outcome.does == "deny"
        for match in outcome.matched if denied else outcome.vetoed:
            if match.evidence:
                found.append(
                    AmbiguousSearch(call.text, match.number, match.keyword, match.evidence, denied)
                )
            elif denied:  # denied by a keyword that always counts
                return None
    return max(found, key=lambda search: search.evidence.sum, default=None)


def read_of_database(
    call: Call, outcomes: Iterable[Outcome], number: int
) -> AmbiguousSearch | None:
    """Return a call as a search decided by a database's ambiguous keyword, or None."""
    for outcome in outcomes:
        found: list[KeywordMatch | Veto] = [*outcome.matched, *outcome.vetoed]
        for match in found:
            if match.number == number and match.evidence:
                denied = isinstance(match, KeywordMatch)
                return AmbiguousSearch(call.text, number, match.keyword, match.evidence, denied)
    return None


@dataclass(frozen=True)
class MarkedSearches:
    """Searches with an ambiguous keyword, and the wrong decisions among them."""

    searches: Mapping[str, AmbiguousSearch]  # by text
    false: Collection[str]  # denied by mistake
    missed: Collection[str]  # allowed by mistake

    @property
    def wanted(self) -> list[AmbiguousSearch]:
        """Searches that mean the technology, unless marked otherwise."""
        return [
            search
            for text, search in self.searches.items()
            if text in self.missed or (search.denied and text not in self.false)
        ]

    @property
    def unwanted(self) -> list[AmbiguousSearch]:
        """Searches that mean something else, unless marked otherwise."""
        wanted = {search.text for search in self.wanted}
        return [search for text, search in self.searches.items() if text not in wanted]


@dataclass(frozen=True)
class Remedy:
    """A change to a database."""

    field: str  # unless, keywords or ambiguous
    word: str = ""  # word added to the field; "" for ambiguous, which becomes false

    def apply(self, database: Mapping[str, Any]) -> dict[str, Any]:
        if not self.word:
            return {**database, self.field: False}
        return {**database, self.field: [*database.get(self.field, ()), self.word]}

    def describe(self) -> str:
        return f"{self.field}: [{self.word}]" if self.word else f"{self.field}: false"


@dataclass(frozen=True)
class Effect:
    """A change's effect: the texts it denies, and those it allows."""

    denied: tuple[str, ...]
    let_through: tuple[str, ...]

    def describe(self) -> str:
        changed = {"denied": self.denied, "let through": self.let_through}
        parts = [
            f"{len(texts):,} more {does}: {name_some([shorten(text) for text in texts], NAMED)}"
            for does, texts in changed.items()
            if texts
        ]
        return "; ".join(parts)


def list_remedies(marks: MarkedSearches) -> list[Remedy]:
    """Return changes that may correct searches; their effect depends on the hook."""
    found = [Remedy("unless", word) for word in find_words(marks)]
    found += [Remedy("keywords", phrase) for phrase in find_phrases(marks)]
    return found if marks.unwanted else [*found, Remedy(FIELD)]


def find_words(marks: MarkedSearches) -> list[str]:
    """Return the fewest words that separate false searches from wanted ones.

    Ordinary words rank before names such as places, and names before words common to all searches.
    Among the words in most false searches, the strongest word against the technology wins, by its
    points and by the number of unwanted searches that contain it.
    """
    taken = {word for mark in marks.wanted for word in split(mark.text)}
    rest = {text: split(text) - taken - split(marks.searches[text].keyword) for text in marks.false}
    unwanted = Counter(word for mark in marks.unwanted for word in split(mark.text))
    points = {
        word: points
        for text in marks.false
        for word, points in marks.searches[text].evidence.words.items()
    }
    found = []
    while words := {word for some in rest.values() for word in some}:
        shared = {word: sum(word in some for some in rest.values()) for word in words}
        against = {word: unwanted[word] - points.get(word, 0) for word in words}
        kinds = {word: (word in STOP_WORDS, not is_ordinary(word)) for word in words}
        best = min(
            words, key=lambda word: (kinds[word], -shared[word], -against[word], -len(word), word)
        )
        found.append(best)
        rest = {text: some for text, some in rest.items() if best not in some}
    return found


def find_phrases(marks: MarkedSearches) -> list[str]:
    """Return phrases of the keyword and an adjacent word that occur only in missed searches."""
    others = "\n".join(mark.text.casefold() for mark in marks.unwanted)
    rest = dict.fromkeys(marks.missed)
    found = []
    for text in marks.missed:
        if text not in rest:
            continue
        search = marks.searches[text]
        points = search.evidence.words
        usable = [
            (word, phrase)
            for word, phrase in list_phrases(search)
            if points.get(word, 0) >= 0 and not has_words(phrase, others)
        ]
        if usable:
            _, phrase = max(usable, key=lambda word: points.get(word[0], 0))
            found.append(phrase)
            rest = {text: None for text in rest if not has_words(phrase, text.casefold())}
    return found


def list_phrases(search: AmbiguousSearch) -> list[tuple[str, str]]:
    name = search.keyword.casefold()
    found = []
    for match in re.finditer(NEIGHBOURS % re.escape(name), search.text.casefold()):
        before, after = match["before"], match["after"]
        found += [(after, f"{name} {after}")] if after else []
        found += [(before, f"{before} {name}")] if before else []
    return [(word, phrase) for word, phrase in found if len(word) <= MAX_WORD]


def has_words(phrase: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", text) is not None


def split(text: str) -> set[str]:
    """Return a text's words, split as in the hook."""
    return {word for word in TOKEN.findall(text.casefold()) if len(word) <= MAX_WORD}


def try_remedies(
    project: Project, place: int, remedies: Sequence[Remedy], texts: Sequence[str]
) -> dict[Remedy, Effect]:
    """Return the effect of each change to a database on searches, omitting ineffective changes.

    One hook contains a copy of the database for each change, and an unchanged copy. `place` is the
    database's index in the answers.
    """
    record = project.databases[place]
    plain = {name: value for name, value in record.items() if name not in {"name", "disabled"}}
    variants = [plain, *(remedy.apply(plain) for remedy in remedies)]
    others = [
        database
        for number, database in enumerate(project.databases)
        if number != place and not is_disabled(database)
    ]
    script = render_hook(DOCSEARCH.name, {**project.answers, "databases": [*variants, *others]})
    if script is None:
        raise RefusedError(
            f"cannot try changes of {project.folder}: the template refuses them; run hookwright "
            "update, then try again"
        )
    denied: list[set[str]] = [set() for _ in variants]
    with tempfile.TemporaryDirectory(prefix="hookwright-") as folder:
        path = Path(folder, "hook.py")
        path.write_bytes(script)
        hook = Handler(DOCSEARCH.name, TOOL, path, "", {}, WAITING)
        calls = (Call(TOOL, {"query": text}) for text in texts)
        for call, (outcome,) in decide([hook], calls):
            numbers = {match.number for match in outcome.matched}
            elsewhere = any(number >= len(variants) for number in numbers)
            for number, some in enumerate(denied):
                if elsewhere or number in numbers:
                    some.add(call.text)
    before, *after = denied
    effects = {
        remedy: Effect(tuple(sorted(some - before)), tuple(sorted(before - some)))
        for remedy, some in zip(remedies, after, strict=True)
    }
    return {
        remedy: effect for remedy, effect in effects.items() if effect.denied or effect.let_through
    }
