"""Find candidates for lessons in sessions, by rules.

Each rule is for words or events after which a reader would keep what was learned: what the user
asks to be remembered, corrections right after an action, denials that come again and again, and
commands that fail twice and pass after a change.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from lesson_search.capture.transcripts import Event, Session

Rule = Literal["said", "corrected", "denied", "fixed"]

MAX_CANDIDATE = 500  # characters of a candidate
MAX_EXCERPT = 300
MIN_WORDS = 3
DENIALS = 3  # how often the same denial has to come
START = r"(?:(?:ok(?:ay)?|and|also|please|btw|note|so|oh|hey|und|bitte|ach|übrigens|also)\b[,:]? +)*"

SAID = re.compile(
    rf"""{START}(?:
        (?:please\ )?remember(?:\ this)?:|remember\ that\b|remember,|
        (?:for|as)\ (?:a\ )?(?:future\ reference|the\ record|next\ time)\b|
        from\ now\ on\b|going\ forward\b|in\ (?:the\ )?future\b|keep\ in\ mind\b|
        (?:lesson|note\ to\ self|fyi|rule|convention)\b[ ]?:|
        (?:we|you\ should|you\ must)?\ ?(?:always|never)\b|
        merk(?:e)?\ dir\b|denk(?:e)?\ (?:daran|dran)\b|zum\ merken\b|
        (?:ab\ jetzt|ab\ sofort|von\ (?:jetzt|nun)\ an|künftig|in\ zukunft|grundsätzlich)\b|
        (?:wir\ \w+\ )?(?:immer|nie|niemals)\b
    )[ ,:–-]*""",
    re.IGNORECASE | re.VERBOSE,
)
# A matter of this session, this task or this moment.
PASSING = re.compile(
    r"\b(?:for now|right now|just (?:this|for)|this (?:time|once|session|chat|pr|branch|task|one|file|"
    r"function|test|page|line|change|commit)|until i|yet|today|tomorrow|tonight|(?:first|second|third|"
    r"other|last|previous) (?:one|option|approach|version)|option [a-d0-9]|erstmal|vorerst|heute|morgen|diesmal|"
    r"dieser? (?:datei|branch|aufgabe|funktion|test|zeile))\b|\?\s*$",
    re.IGNORECASE,
)
OBJECTION = re.compile(
    rf"""{START}(?:no+|nope|nah|stop|wait|hold\ on|wrong|not\ (?:like\ )?(?:that|so|again)|don'?t|do\ not|hm+|ugh|actually|
        careful|instead|again|nein|nee|stopp|halt|falsch|nicht|moment|doch)\b[,.!:;– -]*""",
    re.IGNORECASE | re.VERBOSE,
)
DURABLE = re.compile(
    r"""\b(?:we|our\ \w+|nobody|everyone|here|you)\ (?:\w+\ )?(?:always|never|don'?t|do\ not|only|use[sd]?|run|keep|go|put|
            have|must|need|prefer|write|call|pin|deploy|store|name|are|is|switched|moved|can'?t|cannot)\b|
        \b(?:in|for|at)\ (?:this|our|the)\ (?:repo|repository|project|codebase|monorepo|team|company|cluster)\b|
        \b(?:instead\ of|rather\ than|not\ [\w./@:-]+\ but)\b|,\ not\ \S+|
        \b(?:use|run|call|take)\ (?!the\b|a\b|an\b|that\b|this\b|it\b|my\b)[`'"]?[\w./@:-]+|
        \b(?:always|never|immer|nie|niemals|grundsätzlich|bei\ uns|hier)\b|
        \b(?:wir|man)\ (?:\w+\ )?(?:nutzen|verwenden|nehmen|benutzen|machen|haben|brauchen|nie|immer|darf|muss|müssen)\b|
        \b(?:nimm|nutze?|verwende|benutze?)\ \S+|\b(?:statt|anstatt|sondern)\b|
        \b(?:in|für)\ (?:diesem|unserem|dem)\ (?:repo|projekt|team|cluster)\b""",
    re.IGNORECASE | re.VERBOSE,
)
SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
DENIAL = re.compile(r"hook (?:error|denied|blocked)|denied by|blocked by", re.IGNORECASE)
VARIES = re.compile(r"0x[0-9a-f]+|[0-9a-f]{7,40}\b|\d+|(?:/[\w.@+-]+){2,}|\s+", re.IGNORECASE)
PROGRESS = re.compile(r"exit code \d+|command (?:failed|exited)|^\W*$", re.IGNORECASE)
TEST_RUNNERS = re.compile(r"\b(?:pytest|jest|vitest|go test|cargo test|rspec|phpunit|tsc|mypy|ruff|eslint)\b")


@dataclass(frozen=True)
class Candidate:
    """What may become a lesson.

    Args:
        rule: The rule that found it.
        text: The proposed lesson.
        session: The session that it comes from.
        folder: The folder of that session, or "".
        time: When, in ISO 8601, or "".
        excerpt: The words or events that it comes from.

    """

    rule: Rule
    text: str
    session: str
    folder: str
    time: str
    excerpt: str


def find_candidates(sessions: Sequence[Session]) -> list[Candidate]:
    """Return the candidates of sessions, in the order of their rules and times."""
    found: list[Candidate] = []
    for session in sessions:
        found += find_said(session)
        found += find_corrected(session)
    return [*found, *find_denied(sessions), *find_fixed(sessions)]


def find_said(session: Session) -> Iterator[Candidate]:
    for event in session.events:
        if event.kind != "prompt":
            continue
        for sentence in split_sentences(event.text):
            start = SAID.match(sentence)
            if not start or PASSING.search(sentence):
                continue
            marker = start[0].lower()
            kept = sentence if re.search(r"always|never|immer|nie", marker) else sentence[start.end() :]
            if len(kept.split()) >= MIN_WORDS:
                yield make(session, event, "said", kept, sentence)


def find_corrected(session: Session) -> Iterator[Candidate]:
    action = None
    for event in session.events:
        if event.kind == "call":
            action = event
        if event.kind != "prompt":
            continue
        if action:
            yield from correct(session, event, action)
        action = None


def correct(session: Session, event: Event, action: Event) -> Iterator[Candidate]:
    sentences = split_sentences(event.text)
    if not sentences or not (start := OBJECTION.match(sentences[0])):
        return
    rest = sentences[0][start.end() :].strip()
    negative = re.match(r"(?:don|do not|nicht|not)", start[0].strip(), re.IGNORECASE)
    first = sentences[0] if negative else rest
    for sentence in (first, *sentences[1:3]):
        if SAID.match(sentence) or PASSING.search(sentence) or len(sentence.split()) < MIN_WORDS:
            continue
        if DURABLE.search(sentence):
            excerpt = f"{describe(action)}\n{event.text}"
            yield make(session, event, "corrected", sentence, excerpt)
            return


def find_denied(sessions: Sequence[Session]) -> Iterator[Candidate]:
    counts: Counter[str] = Counter()
    for session in sessions:
        for event in session.events:
            if event.kind == "result" and event.error and DENIAL.search(event.text):
                key = VARIES.sub(" ", event.text)
                counts[key] += 1
                if counts[key] == DENIALS:
                    text = f"{describe(event)} is denied: {event.text}"
                    yield make(session, event, "denied", text, text)


def find_fixed(sessions: Sequence[Session]) -> Iterator[Candidate]:
    seen: Counter[str] = Counter()
    told: set[str] = set()
    for session in sessions:
        failed: dict[str, tuple[Event, str]] = {}
        changes: list[Event] = []
        for event in session.events:
            command = str(event.input.get("command", "")).strip()
            if event.kind == "call" and event.tool in {"Edit", "Write", "MultiEdit"}:
                changes.append(event)
            if event.kind != "result" or event.tool != "Bash" or not command:
                continue
            program = name_program(command)
            if event.error and (signature := read_error(event.text)):
                seen[signature] += 1
                failed[program] = event, signature
                changes.clear()
            elif not event.error and program in failed:
                before, signature = failed.pop(program)
                old = str(before.input["command"]).strip()
                if seen[signature] < 2 or signature in told or TEST_RUNNERS.search(command) and old == command:
                    continue
                told.add(signature)
                error = last_lines(before.text)
                helped = [f"`{command}`"] if command != old else [f"`{c}`" for c in map(describe, changes)]
                if helped:
                    text = f"`{old}` fails with: {error}\nWhat helped: {', '.join(helped[-3:])}"
                    yield make(session, event, "fixed", text, f"{old}\n{before.text}\n{command}")
            elif not event.error:
                changes.append(event)


def split_sentences(text: str) -> list[str]:
    return [stripped for part in SENTENCE.split(text) if (stripped := part.strip(" \t-*•"))]


def describe(event: Event) -> str:
    given = event.input
    for name in ("command", "file_path", "url", "query"):
        if isinstance(value := given.get(name), str):
            return value if name == "command" else f"{event.tool} {value}"
    return event.tool


def name_program(command: str) -> str:
    """Return the program and subcommand of a command, without variables, folders and options."""
    last = re.split(r"&&|;|\|\|", command)[-1].split("|")[0]
    words = [word for word in last.split() if not re.match(r"\w+=|-|sudo$|time$|npx$|env$", word)]
    return " ".join(words[:2])


def read_error(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip() and not PROGRESS.search(line)]
    return VARIES.sub(" ", lines[-1]).strip().lower() if lines else ""


def last_lines(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip() and not PROGRESS.search(line)]
    return " / ".join(lines[-2:])[:MAX_EXCERPT]


def make(session: Session, event: Event, rule: Rule, text: str, excerpt: str) -> Candidate:
    text = text.strip()
    text = text[:1].upper() + text[1:]
    return Candidate(
        rule, text[:MAX_CANDIDATE], session.id, session.folder, event.time, excerpt[:MAX_EXCERPT]
    )
