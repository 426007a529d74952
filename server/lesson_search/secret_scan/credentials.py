"""Notice what seems to be a secret in a text, so that it is not told to every agent.

What stands for a secret in an explanation, such as `${TOKEN}`, `user:password@` or
`AKIA...EXAMPLE`, is none.
"""

import re
import unicodedata
from html import unescape

from hookwright_console.unseen import remove_hidden
from lesson_search.secret_scan.rules import RULES
from lesson_search.secret_scan.service_tokens import SERVICE_TOKENS
from lesson_search.secret_scan.values import Rule

# Tokens have a word as long as this with a digit or with as many letters; most texts have none.
WORD = re.compile(r"[\w-]{14,400}")
TOKEN = re.compile(r"\d|[A-Za-z]{16}")


def find_secret(text: str) -> str | None:
    """Return what kind of secret a text seems to hold, e.g. "a GitHub token", or None.

    The secret itself is never part of it. Characters that are not seen do not hide one.
    """
    text = remove_hidden(unescape(text))
    text = unicodedata.normalize("NFKC", text)  # also blanks and signs of another width
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
    """Tell whether a text has a secret of a rule."""
    for found in rule.pattern.finditer(text):
        if rule.check(next(group for group in found.groups() if group is not None)):
            return True
    return False
