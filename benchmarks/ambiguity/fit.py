"""Fit generator/ambiguous.json.

    python -m benchmarks.ambiguity.fit WORDNET PACKAGE...

WORDNET is the folder that contains data.noun; each PACKAGE is a documentation folder. See
README.md.
"""

import json
import sys
from pathlib import Path

from .names import OWN_POINTS, Name, fit_name
from .pieces import count_pieces_of, fit_pieces
from .texts import (
    HERE,
    Documentation,
    Search,
    read_dictionary,
    read_documentation,
    read_own_words,
    read_searches,
)
from .weights import Sample, build_vocabulary, count_shares, fit_weights

UNIT = 0.6  # log-odds per point
CERTAIN = 1_000  # more points than any combination of other words can outweigh
# Phrases in which an ordinary word is used as a name, and phrases in which it is not; "^" marks the
# start of a search.
CLEAR = 20  # points for a match; points against a word that matches no phrase
NAMING = (
    *("^ {}", "in {}", "with {}", "using {}", "install {}", "what is {}"),
    *("python {}", "node {}", "gnu {}"),
    *("{} library", "{} package", "{} module", "{} framework"),
    *("{} docs", "{} documentation", "{} cli", "{} js"),
)
OTHERWISE = ("{} a", "{} an", "{} the", "{} it", "to {}")
SIZE = 5_000  # maximum total bytes of the word pieces that all names share
TITLE, GLOSS, NOUN, HINT = 0.02, 0.02, 0.03, 0.3  # weight of each kind of text; a search weighs 1
ROOT = HERE.parents[1]
TARGET = ROOT / "generator" / "ambiguous.json"
FITTED = (HERE / "searches.yml", ROOT / "tests" / "examples" / "ambiguous_queries.yml")


def main(wordnet: Path, packages: list[Path]) -> None:
    documentation = read_documentation(packages)
    searches, own = read_searches(*FITTED), read_own_words()
    samples = list_samples(documentation, wordnet, searches, own)
    vocabulary = build_vocabulary(documentation, samples)
    weights = fit_weights(samples, vocabulary)
    named = [sample for sample in samples if sample.name]
    table = fit_pieces(weights, vocabulary, searches, named, unit=UNIT, most=SIZE)
    names = {
        name: fit_name(
            name, [search for search in searches if search.name == name], own[name], table, UNIT
        )
        for name in sorted(own)
    }
    TARGET.write_text(write_table(table, names), "utf-8")
    print(f"{len(table):,} pieces of words, {len(names)} names: {TARGET}")


def list_samples(
    documentation: Documentation,
    wordnet: Path,
    searches: list[Search],
    own: dict[str, dict[str, list[str]]],
) -> list[Sample]:
    """Return all texts for fitting the weights."""
    glosses, nouns = read_dictionary(wordnet)
    shares = count_shares(documentation)
    plain = [noun for noun in nouns if shares[noun] < 1e-6]  # noqa: PLR2004 - hardly in documentation
    return [
        *(Sample(search.name, search.text, search.technical, 1.0) for search in searches),
        *(
            Sample(name, f"{name} {word}", side == "for", HINT)
            for name, sides in own.items()
            for side, words in sides.items()
            for word in words
        ),
        *(Sample("", text, technical=True, weight=TITLE) for text in documentation.titles),
        *(Sample("", text, technical=False, weight=GLOSS) for text in glosses),
        *(Sample("", noun, technical=False, weight=NOUN) for noun in plain),
    ]


def write_table(table: dict[str, int], names: dict[str, Name]) -> str:
    """Return the table as JSON, with one line per name and one per group of pieces."""
    rows = {
        name: [known.prior - count_pieces_of(name, table), *map(sorted, known.words)]
        for name, known in names.items()
    }
    groups = [
        [points, *sorted(piece for piece, value in table.items() if value == points)]
        for points in (-3, -2, -1, 1, 2, 3)
    ]
    listed = ",\n".join(f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items())
    grouped = ",\n".join(f"  {json.dumps(group, ensure_ascii=False)}" for group in groups)
    return (
        f'{{\n "own_points": {OWN_POINTS},\n "certain": {CERTAIN},\n "unknown": [0, [], []],\n'
        f' "ordinary": [{CLEAR}, {json.dumps(NAMING)},\n  {json.dumps(OTHERWISE)}],\n'
        f' "names": {{\n{listed}\n }},\n "pieces": [\n{grouped}\n ]\n}}\n'
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(folder) for folder in sys.argv[2:]])
