"""Find probable secrets in a text before it is shown to agents.

Placeholders such as `${TOKEN}`, `user:password@` or `AKIA...EXAMPLE` are not secrets.
"""

import re
import unicodedata
from collections.abc import Iterator
from html import unescape

from hookwright_console.text import remove_hidden
from hookwright_secret_scan.rules import RULES
from hookwright_secret_scan.service_tokens import SERVICE_TOKENS
from hookwright_secret_scan.values import Rule

# Every token contains a word of this length with a digit or many letters, whereas most texts
# contain no such word.
WORD = re.compile(r"[\w-]{14,400}")
TOKEN = re.compile(r"\d|[A-Za-z]{16}")

RULES_AND_WORDS = tuple(
    (rules, tuple({word for rule in rules for word in rule.words}))
    for rules in (SERVICE_TOKENS, RULES)
)
# Composing combining characters takes quadratic time, so long runs are composed part by part.
NOT_ASCII = re.compile(r"[\x00-\x7f]?[^\x00-\x7f]{1,1000}")
SPACE = re.compile(r"\s")
KEYS = "a private key"
PRIVATE_KEYS = tuple(rule for rule in (*RULES, *SERVICE_TOKENS) if rule.kind == KEYS)


def find_secret(text: str) -> str | None:
    """Return the kind of secret found in a text, such as "a GitHub token", or None.

    The result never contains the secret itself. Secrets are found despite invisible characters.
    """
    text = normalize_text(text)
    return next((rule.kind for rule in choose_rules(text) if fits(rule, text)), None)


def redact_secrets(text: str) -> str:
    """Replace each probable secret in a text by its kind, as in "[a GitHub token]".

    Adjacent non-space text is also replaced, as is all text after the start of a private key.
    Invisible characters are removed and the other characters normalised (NFKC), because they could
    hide a secret.
    """
    text = normalize_text(text)
    for rule in choose_rules(text):
        parts, replaced = [], 0  # `replaced` is the length of the text that the parts already cover
        for start, end in find_spans(rule, text):
            if end <= replaced:
                continue
            if start >= replaced:
                while start > replaced and not text[start - 1].isspace():
                    start -= 1  # noqa: PLW2901
                parts += [text[replaced:start], f"[{rule.kind}]"]
            space = SPACE.search(text, end)
            replaced = space.start() if space and rule.kind != KEYS else len(text)
        text = "".join([*parts, text[replaced:]])
    return text


def normalize_text(text: str) -> str:
    """Return a text without what could hide a secret, such as full-width characters."""
    text = remove_hidden(unescape(text))
    if text.isascii():
        return text
    return NOT_ASCII.sub(lambda found: unicodedata.normalize("NFKC", found[0]), text)


def choose_rules(text: str) -> Iterator[Rule]:
    """Yield the rules that may apply to a text; the others cannot match."""
    lowered = text.lower()
    for rules, words in RULES_AND_WORDS if may_hold_token(text) else RULES_AND_WORDS[1:]:
        found = {word for word in words if word in lowered}
        yield from (rule for rule in rules if not found.isdisjoint(rule.words))


def fits(rule: Rule, text: str) -> bool:
    return any(True for _ in find_spans(rule, text))


def find_spans(rule: Rule, text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each secret in a text."""
    for found in rule.pattern.finditer(text):
        number = found.lastindex or 0  # of the only group that matched
        if rule.check(found[number]):
            yield found.span(number)


def find_token(text: str) -> str | None:
    """Return the kind of service token or private key found in a text, or None.

    Passwords and similar secrets are not detected, because they occur in examples: this function
    scans documentation. The result never contains the secret itself.
    """
    lines = "\n".join(filter(may_hold_token, text.split("\n")))
    lowered = lines.lower()
    for rule in SERVICE_TOKENS:
        if any(word in lowered for word in rule.words) and fits(rule, lines):
            return rule.kind
    if "private" not in text.lower():
        return None
    return next((rule.kind for rule in PRIVATE_KEYS if fits(rule, text)), None)


def may_hold_token(text: str) -> bool:
    return any(map(TOKEN.search, WORD.findall(text)))
