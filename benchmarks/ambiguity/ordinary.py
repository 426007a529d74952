"""List ordinary English words that may also name a technology.

`python -m benchmarks.ambiguity.ordinary WORDNET` writes the words that occur at least twice in
WordNet's tagged texts, and the technologies of technologies.txt that are named after a word.
"""

import re
import sys
from collections import Counter
from pathlib import Path

HERE = Path(__file__).parent
TARGET = HERE.parents[1] / "generator" / "hookwright" / "discovery" / "ordinary_words.txt"
LEAST = 2
NAMED = ("1:15", "1:18")  # noun senses for places and people
MADE = "Ordinary words of English, made by benchmarks/ambiguity/ordinary.py from WordNet 3.0:"


def main(wordnet: Path) -> None:
    """Write the list."""
    spelled = {
        word
        for kind in ("noun", "verb", "adj", "adv")
        for line in (wordnet / f"data.{kind}").read_text("utf-8").splitlines()
        for word in re.findall(r"(?<= )[A-Za-z]+(?= [0-9a-f] )", line.partition(" | ")[0])
    }
    names = {word.lower() for word in spelled if not word.islower()}
    counts: Counter[str] = Counter()
    for line in (wordnet / "cntlist.rev").read_text("utf-8").splitlines():
        key, _, number = line.split()
        word, _, sense = key.partition("%")
        if word not in names or not sense.startswith(NAMED):
            counts[word] += int(number)
    words = {word for word in spelled if word.islower() and counts[word] >= LEAST}
    words.update((HERE / "technologies.txt").read_text("utf-8").split())
    notice = [MADE, "", *(HERE / "WORDNET-LICENSE").read_text("utf-8").splitlines()]
    lines = [*(f"# {line}".rstrip() for line in notice), *sorted(words)]
    TARGET.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
