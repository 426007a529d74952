"""Find lesson candidates in sessions, by rules.

Each rule matches words or events that suggest a lesson worth keeping: requests to remember
something, corrections right after an action, repeated denials, and commands that fail twice and
pass after a change.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from lesson_search.capture.sessions import SHOWN, Event, Session

Rule = Literal["said", "corrected", "denied", "fixed"]

MIN_WORDS = 3
MAX_WORDS, MAX_CORRECTION = 60, 1_000  # maximum words and characters of a correction
MAX_FAILED = 50  # failed commands that are tracked in case they pass later
MAX_DENIALS = 200  # different ones that are compared
MAX_COMMAND = 2_000  # characters of a command or denial that are compared
WHOLE = ("whenever", "correction")  # a sentence that begins so is kept as a whole
DENIALS = 3  # required occurrences of the same denial
SAME_DENIAL = 0.3  # share of common words above which two denials are the same
LIST = 3  # this many lines that all start like rules indicate a pasted document

# Requests to remember something, at the start of any clause.
BEGIN = r"(?:\A|(?<=[,;:.!(\u2013-]\ )|(?<=\band\ )|(?<=\bund\ ))(?:\w+[!,:]?\ ){0,2}?"
ASKED = re.compile(
    rf"""{BEGIN}(?:
        remember(?:\ this|\ for\ \w+(?:\ time)?)?:|remember\ that\b|remember,|
        don'?t\ (?:ever\ )?forget(?:\ that|:|,)|
        (?:for|as)\ (?:a\ |the\ |your\ )?(?:future(?:\ reference)?|record|next\ times?|later)\b|
        (?:from\ (?:now|here|today)\ on(?:wards)?|going\ forward|in\ (?:the\ )?future|next\ time|
        henceforth|
        as\ a\ (?:general\ )?rule|in\ general|generally|by\ default|every\ time|each\ time|
        whenever\ (?:we|you|i))\b|
        (?:keep\ in\ mind|bear\ in\ mind|(?:please\ )?note\ that|make\ a\ note|write\ (?:that|this|
        it)\ down|
        heads[\ -]up|just\ so\ you\ know|for\ your\ information|important\ to\ know|
        you\ should\ know)\b|
        (?:lesson|note|note\ to\ self|fyi|psa|new\ rule|house\ rule|rule|policy|convention|
        correction|important)\b[ ]?:|
        (?:merke?|notiere?|schreibe?)\ dir\b|denke?\ (?:daran|dran)\b|vergiss\ (?:bitte\ )?nicht\b|
        (?:zum\ merken|gut\ zu\ wissen|zur\ info|kleiner\ hinweis|fürs\ (?:nächste\ mal|protokoll)|
        für\ (?:die\ zukunft|später|das\ nächste\ mal)|nächstes\ mal)\b|
        (?:ab\ (?:jetzt|sofort|heute)|von\ (?:jetzt|nun|heute)\ an|künftig|zukünftig|in\ zukunft|
        grundsätzlich|generell|
        jedes\ mal)\b|
        (?:wichtig|regel|hinweis|merke|konvention)\b[ ]?:
    )[ ,:\u2013-]*""",
    re.IGNORECASE | re.VERBOSE,
)
# A rule stated as its own sentence.
RULE = re.compile(
    rf"""{BEGIN}(?:
        (?:we|you\ (?:should|must)|i|please|make\ sure\ (?:to|you))\ (?:always|never|only\ ever)\b|
        always\ (?!a\b|an\b|the\b|been\b|was\b)|never\ (?:ever\ )?(?!mind\b|a\b|seen\b|heard\b)|
        don'?t\ ever\b|
        (?:wir\ \w+\ |bitte\ )?(?:immer|nie|niemals)\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)
# Phrases limited to this session, task or moment.
PASSING = re.compile(
    r"\b(?:for now|right now|just (?:this|for)|this (?:time|once|session|chat|pr|branch|task|one|"
    r"file|function|test|page|line|change|commit)|until|till|yet|today|tomorrow|tonight|"
    r"(?:first|second|third|other|last|previous) (?:one|option|approach|version)|option [a-d0-9]|"
    r"erstmal|vorerst|heute|morgen|diesmal|bis (?!zu\b)|"
    r"diese[rnms]? (?:datei|branch|aufgabe|funktion|test|zeile))\b|\?\s*$",
    re.IGNORECASE,
)
# Signs that a prompt after an action states a convention; their points add up.
SIGNS = [
    (points, re.compile(pattern, re.IGNORECASE | re.VERBOSE))
    for points, pattern in (
        (  # an objection at the start
            2,
            r"""\A(?:(?:ok(?:ay)?|oh|hey|hmm?|ugh|ach|aber|but|sorry|please|
            bitte)\b[,.!]*\ )*(?:no+|nope|nah|stop|wait|
            whoa|hold\ on|hang\ on|wrong|not|don'?t|do\ not|careful|actually|why\ (?:are|did|
            do)\ you|that'?s\ (?:not|wrong|
            the\ (?:old|wrong))|you\ (?:can'?t|cannot|should(?:n'?t|\ have)|must)|nein|nee|stopp|
            halt|falsch|nicht|kein\w*|
            moment|doch|so\ nicht|warum\ \w+\ du|das\ (?:geht|ist|macht|war)|lieber)\b""",
        ),
        (  # a mention of the team or this project
            2,
            r"""\b(?:we|we'?re|we'?ve|our|us|nobody|everyone|everybody|the\ team|ops)\b|
            \b(?:in|for|at|on)\ (?:this|our)\ (?:repo\w*|project|codebase|monorepo|team|company|
            cluster|box|machine|service)\b|
            \b(?:wir|uns|unser\w*|man)\b|\b(?:in|für|auf)\ (?:diese[mrn]|unsere[mrn]?)\ (?:repo|
            projekt|team|cluster|rechner)\b""",
        ),
        (  # a general rule
            1,
            r"""\b(?:always|alwyas|never|only|must(?:n'?t)?|have\ to|has\ to|supposed\ to|
            not\ allowed|forbidden|(?:can'?t|cannot)|
            don'?t|do\ not|deprecated|obsolete|legacy|generated|read-?only|convention|policy|
            everything|anything|any|all|
            immer|nie|niemals|nur|muss|müssen|darf|dürfen|sollen?|verboten|veraltet|generiert|
            alle[ns]?|jede[rsn]?|kein\w*)\b""",
        ),
        (  # a contrast between two options
            1,
            r"""\b(?:instead|rather\ than|not|belongs?|goes|lives?|moved|switched|replaced|
            got\ rid|dropped|use[sd]?|via|
            through|run[s]?|call(?:ed)?|named?|prefer|statt|anstatt|sondern|nicht|gehör\w+|liegt|
            liegen|läuft|laufen|heiß\w+|heiss\w+|nimm|
            nutz\w*|verwend\w*|benutz\w*|nehmen|über)\b""",
        ),
        (  # a reason
            1,
            r"""\b(?:because|since|otherwise|or\ else|so\ that|cause|cuz|bc|breaks?|fails?|
            weil|sonst|denn|damit|da)\b|\(""",
        ),
        (  # names of files, options, programs, functions
            1,
            r"""[\w-][./]\w|--\w|`[^`]{1,200}`|\w_\w|(?-i:[a-z][A-Z]|\b[A-Z]{2})|\w\(\)""",
        ),
    )
]
ENOUGH = 3  # minimum points
SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
STRINGS = re.compile(r"\"[^\"\n]{0,100}\"|“[^”\n]{0,100}”|„[^“\n]{0,100}“")
NUMBERED = re.compile(r"^[ \t]*(?:\d+[.)]|[-*•])\s", re.MULTILINE)
DENIAL = re.compile(r"hook (?:error|denied|blocked)|denied by|blocked by", re.IGNORECASE)
BROKEN = re.compile(
    r"no such file|not found|traceback|syntax error|permission denied|timed? ?out", re.IGNORECASE
)
NAME = re.compile(r"[a-z]\w+")
VARIES = re.compile(r"0x[0-9a-f]+|[0-9a-f]{7,40}\b|\d+|(?:/[\w.@+-]+){2,}|\s+", re.IGNORECASE)
PROGRESS = re.compile(
    r"exit code \d+|command (?:failed|exited)|^\W*$|\b\d+ (?:failed|errors?|passed)\b|^\s*at "
    r"|interrupted by user",
    re.IGNORECASE,
)
READS = re.compile(
    r"(?:ls|cat|head|tail|grep|rg|find|which|ps|df|du|pwd|echo|file|stat|wc|tree|env|printenv"
    r"|history|man|git (?:status|log|diff|show|branch|blame)|docker (?:ps|logs|images)"
    r"|conda env list)\b"
)


@dataclass(frozen=True)
class Candidate:
    """A possible lesson."""

    rule: Rule  # the rule that matched
    text: str  # the proposed lesson
    session: str  # ID of its session
    folder: str  # folder of the session, or ""
    time: str  # in ISO 8601, or ""
    excerpt: str  # the words or events that it is based on


def find_candidates(sessions: Iterable[Session]) -> Iterator[Candidate]:
    """Yield the lesson candidates in sessions, which must be ordered by time."""
    denials = Counter[frozenset[str]]()
    reported: dict[str, str] = {}
    for session in sessions:
        yield from find_stated(session)
        yield from find_denied(session, denials)
        yield from find_fixed(session, reported)


def find_stated(session: Session) -> Iterator[Candidate]:
    """Yield what the user asked to remember, and corrections right after an action."""
    action = None
    for event in session.events:
        if event.kind == "prompt" and len(NUMBERED.findall(event.text)) < LIST:
            yield from find_requests(session, event)
            if action:
                yield from find_correction(session, event, action)
        if event.kind != "result":
            action = event if event.kind == "call" else None


def find_requests(session: Session, event: Event) -> Iterator[Candidate]:
    for sentence in split_sentences(event.text):
        words = STRINGS.sub("", sentence)
        if PASSING.search(words):
            continue
        asked = ASKED.search(words)
        kept = sentence if asked or RULE.search(words) else ""
        if asked and words == sentence and not asked[0].lower().startswith(WHOLE):
            kept = words[asked.end() :]
        if len(kept.split()) >= MIN_WORDS:
            yield make(session, event, "said", kept, event.text)


def find_correction(session: Session, event: Event, action: Event) -> Iterator[Candidate]:
    text = " ".join(part for part in split_sentences(event.text) if not PASSING.search(part))
    words = STRINGS.sub("", text)
    is_short = MIN_WORDS <= len(words.split()) <= MAX_WORDS and len(words) <= MAX_CORRECTION
    if not is_short or ASKED.search(words) or RULE.search(words):
        return
    if sum(points for points, sign in SIGNS if sign.search(words)) >= ENOUGH:
        yield make(session, event, "corrected", text, f"{describe_call(action)}\n{event.text}")


def find_denied(session: Session, denials: Counter[frozenset[str]]) -> Iterator[Candidate]:
    """Yield denials on their third occurrence; `denials` counts the previous ones by words."""
    for event in session.events:
        if event.kind != "result" or not event.error or not DENIAL.search(event.text):
            continue
        if BROKEN.search(event.text):
            continue
        words = frozenset(NAME.findall(VARIES.sub(" ", event.text[:MAX_COMMAND]).lower()))
        same = (
            known for known in denials if len(known & words) >= SAME_DENIAL * len(known | words)
        )
        if (denial := next(same, words)) in denials or len(denials) < MAX_DENIALS:
            denials[denial] += 1
        if denials[denial] == DENIALS:
            text = f"{describe_call(event)} is denied: {event.text}"
            yield make(session, event, "denied", text, text)


def find_fixed(session: Session, reported: dict[str, str]) -> Iterator[Candidate]:
    """Yield the change that made a failing command pass: a variant, or commands run before it.

    `reported` contains the text of each error already yielded: another session with the same error
    is further evidence for that text.
    """
    found: set[str] = set()  # errors of this session
    failed: dict[str, tuple[Event, str]] = {}
    commands: list[str] = []  # commands since the last failure
    for event in session.events:
        command = event.input.get("command", "").strip()[:MAX_COMMAND]
        if event.kind == "result" and event.tool == "Edit":
            failed.clear()  # a later success may be due to the edit
        is_run = event.kind == "result" and event.tool == "Bash" and bool(command)
        if not is_run or DENIAL.search(event.text):
            continue
        error = read_error(event.text) if event.error else ""
        for name, (before, signature) in [*failed.items()]:
            old = before.input["command"].strip()[:MAX_COMMAND]
            if error == signature or not is_variant(old, command):
                continue
            del failed[name]
            helped = [command] if command != old else commands
            if helped and signature not in found:
                found.add(signature)
                what = ", ".join(f"`{each}`" for each in helped[-2:])
                why = " / ".join(list_lines(before.text)[-2:])
                text = f"`{old}` fails with: {why}\nWhat helped: {what}"
                text = reported.setdefault(signature, text)
                yield make(session, event, "fixed", text, f"{old}\n{before.text}\n{command}")
        if event.error and error:
            failed[command] = event, error
            if len(failed) > MAX_FAILED:
                del failed[next(iter(failed))]
            commands = []
        elif not event.error and not READS.match(command):
            commands.append(command)


def is_variant(old: str, new: str) -> bool:
    """Return whether a command is another one with variables, options or folders added."""
    first, second = old.split(), new.split()
    if len(first) == 1 or len(second) < len(first):
        return False
    rest = iter(second)
    return all(word in rest for word in first)


def split_sentences(text: str) -> list[str]:
    return [stripped for part in SENTENCE.split(text) if (stripped := part.strip(" \t-*•"))]


def describe_call(event: Event) -> str:
    """Describe a call: a command in full, any other call by its tool and subject."""
    about = next((event.input[name] for name in SHOWN if name in event.input), "")
    return about if "command" in event.input else f"{event.tool} {about}".strip()


def read_error(text: str) -> str:
    lines = list_lines(text)
    return VARIES.sub(" ", lines[-1]).strip().lower() if lines else ""


def list_lines(text: str) -> list[str]:
    """Return the output lines that may explain the error."""
    return [
        line for line in map(str.strip, text.splitlines()) if line and not PROGRESS.search(line)
    ]


def make(session: Session, event: Event, rule: Rule, text: str, excerpt: str) -> Candidate:
    text = text.strip()
    text = text[:1].upper() + text[1:]
    return Candidate(rule, text, session.id, session.folder, event.time, excerpt)
