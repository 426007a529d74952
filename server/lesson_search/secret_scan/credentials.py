"""Find probable secrets in a text, so that they do not reach every agent.

Placeholders such as `${TOKEN}`, `user:password@` or `AKIA...EXAMPLE` are not secrets.
"""

import re
import unicodedata
from html import unescape

from hookwright_console.hidden_characters import remove_hidden
from lesson_search.secret_scan.rules import RULES
from lesson_search.secret_scan.service_tokens import SERVICE_TOKENS
from lesson_search.secret_scan.values import Rule

# Every token has a word of this length with a digit or many letters; most texts have none.
WORD = re.compile(r"[\w-]{14,400}")
TOKEN = re.compile(r"\d|[A-Za-z]{16}")


def find_secret(text: str) -> str | None:
    """Return the kind of secret in a text, e.g. "a GitHub token", or None.

    The result never contains the secret. Invisible characters do not hide one.
    """
    text = remove_hidden(unescape(text))
    text = unicodedata.normalize("NFKC", text)  # also full-width characters
    lowered = text.lower()
    tokens = SERVICE_TOKENS if any(map(TOKEN.search, WORD.findall(text))) else ()
    for rule in (*tokens, *RULES):
        for word in rule.words:
            if word in lowered:
                if fits(rule, text):
                    return rule.kind
                break
    return None


def fits(rule: Rule, text: str) -> bool:
    """Return whether a rule finds a secret in a text."""
    for found in rule.pattern.finditer(text):
        if rule.check(next(group for group in found.groups() if group is not None)):
            return True
    return False
