"""Find probable secrets in a text before it is shown to agents.

Placeholders such as `${TOKEN}`, `user:password@` or `AKIA...EXAMPLE` are not secrets.
"""

import re
import unicodedata
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
SPACE = re.compile(r"\s")
KEYS = "a private key"
PRIVATE_KEYS = tuple(rule for rule in (*RULES, *SERVICE_TOKENS) if rule.kind == KEYS)


def find_secret(text: str) -> str | None:
    """Return the kind of secret found in a text, such as "a GitHub token", or None.

    The result never contains the secret itself. Secrets are found despite invisible characters.
    """
    text = remove_hidden(unescape(text))
    text = unicodedata.normalize("NFKC", text)  # also converts full-width characters
    lowered = text.lower()
    may_hold_token = any(map(TOKEN.search, WORD.findall(text)))
    for rules, words in RULES_AND_WORDS if may_hold_token else RULES_AND_WORDS[1:]:
        found = {word for word in words if word in lowered}
        for rule in rules:
            if found.isdisjoint(rule.words) or not may_follow(rule, text, lowered):
                continue
            if fits(rule, text):
                return rule.kind
    return None


def redact_secrets(text: str) -> str:
    """Replace each probable secret in a text by its kind, as in "[a GitHub token]".

    Adjacent non-space text is also replaced, as is all text after the start of a private key.
    Invisible characters are removed and the other characters normalised (NFKC), because they could
    hide a secret.
    """
    text = unicodedata.normalize("NFKC", remove_hidden(unescape(text)))
    for rule in (*SERVICE_TOKENS, *RULES):
        lowered = text.lower()
        if not any(word in lowered for word in rule.words):
            continue
        parts, replaced = [], 0  # `replaced` is the length of the text that the parts already cover
        for found in rule.pattern.finditer(text):
            number = next(n for n, group in enumerate(found.groups(), 1) if group is not None)
            start, end = found.span(number)
            if end <= replaced or not rule.check(found[number]):
                continue
            if start >= replaced:
                while start > replaced and not text[start - 1].isspace():
                    start -= 1
                parts += [text[replaced:start], f"[{rule.kind}]"]
            replaced = len(text) if rule.kind == KEYS else find_space(text, end)
        text = "".join([*parts, text[replaced:]])
    return text


def find_space(text: str, start: int) -> int:
    found = SPACE.search(text, start)
    return found.start() if found else len(text)


def may_follow(rule: Rule, text: str, lowered: str) -> bool:
    # A few letters become longer in lower case, which shifts all later positions.
    if rule.following is None or len(lowered) != len(text):
        return True
    for word in rule.words:
        place = lowered.find(word)
        while place >= 0:
            end = place + len(word)
            if rule.following.match(text, end):
                return True
            place = lowered.find(word, end)
    return False


def fits(rule: Rule, text: str) -> bool:
    for found in rule.pattern.finditer(text):
        if rule.check(next(group for group in found.groups() if group is not None)):
            return True
    return False


def find_token(text: str) -> str | None:
    """Return the kind of service token or private key found in a text, or None.

    Passwords and similar secrets are not detected, because they occur in examples: this function
    scans documentation. The result never contains the secret itself.
    """
    lines = "\n".join(list_long_lines(text))
    lowered = lines.lower()
    for rule in SERVICE_TOKENS:
        if any(word in lowered for word in rule.words) and fits(rule, lines):
            return rule.kind
    if "private" not in text.lower():
        return None
    return next((rule.kind for rule in PRIVATE_KEYS if fits(rule, text)), None)


def list_long_lines(text: str) -> list[str]:
    lines = []
    end = 0
    for found in WORD.finditer(text):
        if found.start() >= end and TOKEN.search(found[0]):
            end = (text.find("\n", found.end()) + 1) or len(text)
            lines.append(text[text.rfind("\n", 0, found.start()) + 1 : end])
    return lines
