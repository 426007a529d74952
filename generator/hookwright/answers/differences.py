"""Compare a project's answers before and after a change, record by record."""

import difflib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hookwright.answers.schema import name_database
from hookwright.answers.yaml_files import write_yaml

KINDS = {"databases": "database", "routes": "route", "mcp_servers": "MCP server"}
AROUND = 2  # unchanged lines shown around a change
CUT = "    …"  # marks omitted lines

Named = list[tuple[str, Any]]  # records with their names, in order


@dataclass(frozen=True)
class Difference:
    """A record or other answer that a change adds, modifies or removes."""

    question: str  # such as "routes"
    record: str  # the record's name, or "" for any other answer and for the order of records
    before: Any  # None if the record is new
    after: Any  # None if the record is removed
    former: str = ""  # a renamed record's former name; otherwise ""

    def export(self) -> dict[str, Any]:
        row: dict[str, Any] = {"question": self.question}
        if self.record:
            row["record"] = self.record
        if self.former:
            row["former_name"] = self.former
        return row | {"before": self.before, "after": self.after}


def compare_answers(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Difference]:
    """Return the differences between two sets of answers, in question order."""
    found: list[Difference] = []
    for question in dict.fromkeys((*before, *after)):
        old, new = before.get(question), after.get(question)
        if old == new and name_records(question, old) == name_records(question, new):
            continue
        if question in KINDS:
            found += compare_records(
                question, name_records(question, old), name_records(question, new)
            )
        else:
            found.append(Difference(question, "", old, new))
    return found


def name_records(question: str, answer: Any) -> Named:
    """Return an answer's records with their names, or none for other questions."""
    if question not in KINDS or not answer:
        return []
    if isinstance(answer, Mapping):
        return list(answer.items())
    return [(name_database(record), record) for record in answer]


def compare_records(question: str, before: Named, after: Named) -> Iterator[Difference]:
    """Yield a question's changed records, then their order if it differs.

    Records are matched by name; a record with a new name in the same position counts as renamed.
    """
    old, new = number_names(before), number_names(after)
    old_keys = list(old)
    renamed = {
        key: old_keys[place]
        for place, key in enumerate(new)
        if key not in old and place < len(old_keys) and old_keys[place] not in new
    }
    for key in new:
        was = renamed.get(key, key)
        if was not in old:
            yield Difference(question, key[0], None, new[key])
        elif was != key or old[was] != new[key]:
            yield Difference(question, key[0], old[was], new[key], was[0] if was != key else "")
    former_keys = set(renamed.values())
    for key in old:
        if key not in new and key not in former_keys:
            yield Difference(question, key[0], old[key], None)
    kept = [renamed.get(key, key) for key in new if renamed.get(key, key) in old]
    still_there = set(kept)
    if kept != [key for key in old if key in still_there]:
        yield Difference(question, "", [key[0] for key in old], [key[0] for key in new])


def number_names(records: Named) -> dict[tuple[str, int], Any]:
    numbered: dict[tuple[str, int], Any] = {}
    namesakes: Counter[str] = Counter()
    for name, record in records:
        numbered[name, namesakes[name]] = record
        namesakes[name] += 1
    return numbered


def write_difference(difference: Difference) -> list[str]:
    """Return a difference as lines: its subject, then its fields as a patch."""
    what, before, after = difference.question, difference.before, difference.after
    if not difference.record:
        title = [f"order of {what}"] if what in KINDS else []
        pair = [None if side is None else {what: side} for side in (before, after)]
        return [*title, *write_patch(*pair)]
    title = [f"{KINDS[what]} {difference.record}"]
    if difference.former:
        title[0] += f", until now {difference.former}"
    if before is None or after is None:
        title[0] += ", new" if before is None else ", removed"
        return [*title, *write_patch(before, after)]
    lines = title
    for field in dict.fromkeys((*before, *after)):
        old, new = ({field: side[field]} if field in side else None for side in (before, after))
        lines += write_patch(old, new) if old != new else ()
    return lines


def write_patch(before: object, after: object) -> Iterator[str]:
    old, new = (
        [] if side is None else write_yaml(side, wraps=False).splitlines()
        for side in (before, after)
    )
    shown = 0
    for part in difflib.SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(AROUND):
        start = part[0][1]
        if start and not shown:  # the field's name
            yield f"  {old[0]}"
            shown = 1
        if start > shown:
            yield CUT
        for does, first, last, first_new, last_new in part:
            if does == "equal":
                yield from (f"  {line}" for line in old[first:last])
            else:
                yield from (f"- {line}" for line in old[first:last])
                yield from (f"+ {line}" for line in new[first_new:last_new])
        shown = part[-1][2]
    if shown < len(old):
        yield CUT
