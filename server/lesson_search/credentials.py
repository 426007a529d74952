"""Notice what seems to be a secret in a text, so that it is not told to every agent.

What stands for a secret in an explanation, such as `${TOKEN}`, `user:password@` or
`AKIA...EXAMPLE`, is none.
"""

import re

from lesson_search.secret_rules import RULES, Rule

# What is not seen in a text: characters of the Unicode property Default_Ignorable_Code_Point, and
# others that only say how to format what is around them.
HIDDEN = re.compile(
    "[\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0"
    "\ufff0-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


def find_secret(text: str) -> str | None:
    """Return what kind of secret a text seems to hold, e.g. "a GitHub token", or None.

    The secret itself is never part of it. Characters that are not seen do not hide one.
    """
    text = drop_hidden(text)
    lowered = text.lower()
    for rule in RULES:
        if any(word in lowered for word in rule.words) and fits(rule, text):
            return rule.kind
    return None


def fits(rule: Rule, text: str) -> bool:
    """Tell whether a text has a secret of a rule."""
    for found in rule.pattern.finditer(text):
        if rule.check(next(group for group in found.groups() if group is not None)):
            return True
    return False


def drop_hidden(text: str) -> str:
    """Return a text without the characters that are not seen."""
    return text if text.isascii() else HIDDEN.sub("", text)
