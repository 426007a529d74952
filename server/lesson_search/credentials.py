"""Notice what seems to be a secret in a text, so that it is not told to every agent.

The forms are those that the services document for their keys and tokens. What stands for a secret
in an explanation, such as `${TOKEN}`, `user:password@` or `AKIA...EXAMPLE`, is none.
"""

import math
import re
from collections import Counter

# Each begins where a word does, and its group is the part that makes it secret.
FORMS = {
    "an AWS access key": r"(?:AKIA|ASIA)([A-Z2-7]{16})(?![A-Za-z0-9])",
    "a GitHub token": r"(?:gh[pousr]_([A-Za-z0-9]{36,255})|github_pat_(\w{22,255}))",
    "a GitLab token": r"gl(?:pat|dt|rt|ptt|cbt|oas)-([\w-]{20,255})",
    "a Slack token": r"xox[abeoprs]-(\d[A-Za-z0-9-]{10,255})",
    "a Google API key": r"AIza([\w-]{35})(?![\w-])",
    "a Stripe key": r"[rs]k_live_([A-Za-z0-9]{16,255})",
    "an npm token": r"npm_([A-Za-z0-9]{36})(?![A-Za-z0-9])",
    "a PyPI token": r"pypi-(AgE[\w-]{50,255})",
    "a JSON Web Token": r"eyJ[\w-]{8,4000}\.(eyJ[\w-]{8,4000}\.[\w-]{16,1000})",
    "an OpenAI or Anthropic key": (
        r"sk-(?=[\w-]{0,99}\d)(?=[\w-]{0,99}[A-Za-z0-9]{16})([\w-]{20,255})"
    ),
}
TOKENS = {kind: re.compile(r"(?<![\w-])" + form) for kind, form in FORMS.items()}
PRIVATE_KEY = re.compile(
    r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----[\s\S]{0,300}?[A-Za-z0-9+/]{40}"
)
URL = re.compile(
    r"(?<![\w+.-])[A-Za-z][\w+.-]{1,20}://(?P<user>[^\s:/@'\"`]{0,100}):(?P<password>[^\s/@'\"`]{3,200})@\w"
)
ASSIGNMENT = re.compile(
    r"""(?ix)
    (?:pass(?:word|wd|phrase)|pwd|secret|credential|(?:api|access|account|private)[_-]?key
      |(?:access|auth|api|bearer)[_-]?token)
    [\w-]{0,20} ["'`]? [ \t]* (?:=>|:=|=|:) [ \t]*
    (?: "(?P<double>[^"\s]{8,200})" | '(?P<single>[^'\s]{8,200})'
      | (?P<bare>[^\s"'`,;()<>\[\]{}]{8,200}) (?=[\s"'`,;]|$) )
    """
)
# A name, a path or an address from where the secret is to be taken.
REFERENCE = re.compile(
    r"[A-Za-z_]\w*(?:(?:\.|->|::)\w+)+|[./~][\w./~-]*|[a-z][a-z0-9+.-]*:.*|[A-Z][A-Z0-9_]*"
    r"|[a-z]+(?:[-_][a-z]+)*"
)
STAND_IN = re.compile(
    r"(?i)^[$<{%*[(]|[$]\{|\{\{|[*]{3}|\.\.\.|\u2026|xxx|example|placeholder|change.?me|redacted|"
    r"pass(?:word|wd)|secret|dummy|your[_-]"
)
PLAIN = frozenset(
    [
        *["admin", "demo", "dev", "foo", "guest", "hunter2", "local", "mysql", "pass", "postgres"],
        *["pwd", "root", "s3cret", "test", "token", "user"],
    ]
)
VARIED = 3.0  # bits a character: eight different ones or more


def find_secret(text: str) -> str | None:
    """Return what kind of secret a text seems to hold, e.g. "a GitHub token", or None.

    The secret itself is never part of it.
    """
    for kind, token in TOKENS.items():
        for found in token.finditer(text):
            value = next(filter(None, found.groups()))
            if not STAND_IN.search(value) and is_varied(value):
                return kind
    if PRIVATE_KEY.search(text):
        return "a private key"
    if any(is_login(found["user"], found["password"]) for found in URL.finditer(text)):
        return "a password in a URL"
    if any(map(is_assigned_secret, ASSIGNMENT.finditer(text))):
        return "a password or key"
    return None


def is_login(user: str, password: str) -> bool:
    """Tell whether the two in a URL are meant, rather than stand for what a reader has."""
    if password.casefold() in PLAIN or password == user:
        return False
    return not STAND_IN.search(password) and len(set(password)) > 2  # noqa: PLR2004 - as in xxxx


def is_assigned_secret(found: re.Match[str]) -> bool:
    """Tell whether what is assigned to a password or key is one, not where it comes from."""
    value: str = found["double"] or found["single"] or found["bare"]
    if STAND_IN.search(value) or REFERENCE.fullmatch(value):
        return False
    return is_random(value)


def is_random(value: str) -> bool:
    """Tell whether a value has letters and digits, as varied as few words are."""
    letters = any(character.isalpha() for character in value)
    digits = any(character.isdigit() for character in value)
    return letters and digits and is_varied(value)


def is_varied(value: str) -> bool:
    """Tell whether the characters of a value vary, by Shannon's entropy."""
    counts = Counter(value).values()
    return -sum(n / len(value) * math.log2(n / len(value)) for n in counts) >= VARIED
