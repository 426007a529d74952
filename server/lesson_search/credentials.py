"""Notice what seems to be a secret in a text, so that it is not told to every agent.

What stands for a secret in an explanation, such as `${TOKEN}`, `user:password@` or
`AKIA...EXAMPLE`, is none.
"""

from lesson_search.secret_rules import RULES, Rule
from lesson_search.unseen import remove_hidden


def find_secret(text: str) -> str | None:
    """Return what kind of secret a text seems to hold, e.g. "a GitHub token", or None.

    The secret itself is never part of it. Characters that are not seen do not hide one.
    """
    text = remove_hidden(text)
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
