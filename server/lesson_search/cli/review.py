"""Review lessons that are nearly identical, unhelpful or outdated."""

import sys
from pathlib import Path

import typer

from hookwright_console.editor import edit_text
from hookwright_console.terminal import count, dump, excerpt, print_line, print_table
from hookwright_console.text import escape_hidden
from lesson_search.cli.client import Client
from lesson_search.cli.options import JsonOption, connect, print_message
from lesson_search.cli.records import change_record
from lesson_search.projects import find_project
from lesson_search.records import COLLECTIONS, Lesson, to_row
from lesson_search.service.edits import ChangedRecordError, UnknownRecordError
from lesson_search.service.review import Finding, find_outdated

LESSONS = COLLECTIONS[Lesson]
NARROWEST = 30  # minimum characters of text per line
KINDS = {"duplicate": "near duplicate", "recurring": "does not help", "outdated": "outdated"}


def review(context: typer.Context, *, as_json: JsonOption = False) -> None:
    """List lessons that need a decision, and keep, edit, merge or delete them.

    They are nearly identical, were given often although their error recurred, or name files or
    flags missing from their project: the project in this folder, or one on the server's machine.
    Lessons that you keep are not listed again until they change. Without a terminal, the lessons
    are only listed.
    """
    with connect(context) as client:
        found = find_all(client)
    if as_json:
        findings = ({**vars(each), "lessons": list(map(to_row, each.lessons))} for each in found)
        print(dump(list(findings), indent=2))
    elif not found:
        print_message("nothing needs a decision")
    elif sys.stdin.isatty() and sys.stdout.isatty():
        decide(context, found)
    else:
        rows = [
            (
                KINDS[finding.kind],
                escape_hidden(", ".join(lesson.id for lesson in finding.lessons)),
                escape_hidden(finding.why),
            )
            for finding in found
        ]
        print_table(("what", "lessons", "why"), rows, ("lessons", "why"), {"why": NARROWEST})
        print_message(f"{count(len(found), 'decision')}: run lesson-search review in a terminal")


def find_all(client: Client) -> list[Finding]:
    """Return the server's findings, and the outdated lessons of the project in this folder."""
    found = {finding.id: finding for finding in client.list_findings()}
    kept = client.list_kept()
    names = find_project(Path.cwd())
    roots = dict.fromkeys(names, "".join(names[-1:]))
    lessons = [
        lesson
        for name in roots
        for lesson in client.list_records(LESSONS, None, name)
        if isinstance(lesson, Lesson)
    ]
    outdated = find_outdated(lessons, roots)
    found |= {finding.id: finding for finding in outdated if finding.id not in kept}
    return [*found.values()]


def decide(context: typer.Context, found: list[Finding]) -> None:
    gone: set[str] = set()
    edited: set[str] = set()
    decided = 0
    for number, finding in enumerate(found, 1):
        first, last = finding.lessons[0], finding.lessons[-1]
        if {first.id, last.id} & (gone | edited):  # the next review checks an edited lesson again
            decided += bool({first.id, last.id} & gone)
            continue
        key = ask_key(finding, f"{number}/{len(found)}")
        if key == "q":
            break
        is_edited = False
        try:
            with connect(context) as client:
                if key == "k":
                    client.keep(finding.id)
                if key in "em":
                    is_edited = edit(client, finding, merged=key == "m")
                if key == "d" or (key == "m" and is_edited):
                    client.remove(LESSONS, last.id, finding.versions[-1])
                    print_line(f"deleted {escape_hidden(last.id)}: {excerpt(last.text)}")
                    gone.add(last.id)
        except (ChangedRecordError, UnknownRecordError) as error:
            print_message(str(error))
            continue
        if is_edited:
            edited.add(first.id)
        elif key in "em":
            print_line("no change" + ": edit the two texts into one" * (key == "m"))
        decided += key in "kd" or is_edited
    rest = "" if decided == len(found) else ": run lesson-search review for the rest"
    print_line(f"{decided} of {len(found)} decided{rest}")


def ask_key(finding: Finding, number: str) -> str:
    print()
    print_line(f"{number} {KINDS[finding.kind]}: {escape_hidden(finding.why)}")
    for lesson in finding.lessons:
        project = f" ({lesson.project})" if lesson.project else ""
        print_line(escape_hidden(f"{lesson.id}{project}: {lesson.text}"))
    is_pair = len(finding.lessons) > 1
    merge, second = ("[m]erge into the first, ", " the second") if is_pair else ("", "")
    print(f"[k]eep, [e]dit, {merge}[d]elete{second}, [s]kip, [q]uit: ", end="", flush=True)
    try:
        while (key := typer.getchar().lower()) not in {*"keds\rq", *("m" * is_pair)}:
            pass
    except (EOFError, KeyboardInterrupt):
        print()  # end the question's line before the next message
        raise
    print(key.strip())
    return key


def edit(client: Client, finding: Finding, *, merged: bool) -> bool:
    """Edit the first lesson of a finding, or the texts of both; return whether anything changed.

    Raises ChangedRecordError or UnknownRecordError if the lesson has changed meanwhile.
    """
    lesson, version = finding.lessons[0], finding.versions[0]
    texts = [each.text for each in finding.lessons] if merged else [lesson.text]

    def take(text: str) -> None:
        change_record(client, lesson, version, force=False, text=text.strip("\n"))

    return edit_text("\n\n".join(texts) + "\n", ".md", take, print_message)
