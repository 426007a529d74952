"""How a rule tells a secret from what stands for one in an explanation, such as `${TOKEN}`."""

import base64
import math
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

# A name, a path or an address from where the secret is to be taken.
REFERENCE = re.compile(
    r"[A-Za-z_]\w*(?:(?:\.|->|::)[A-Za-z_]\w*)+|[./~][\w./~-]*|[a-z][a-z0-9+.-]*:.*"
    r"|[A-Z]+[0-9]?(?:_[A-Z0-9]+)*|[a-z]+(?:[-_][a-z]+)*|[a-z]+=[^=].*"
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
SIGN = re.compile(r"[!#$%&*+?@^~]")
VARIED = 3.0  # bits a character: eight different ones or more
SHORTEST_RANDOM = 8  # characters
SHORTEST_MIXED = 16
# A name such as tls-cert-prod-v2 or V1ServiceAccount, and the fingerprint of an OpenPGP key.
NAME_OR_FINGERPRINT = re.compile(
    r"[a-z]{2,20}\d{0,2}(?:[-_.](?:[a-z]{2,20}\d{0,2}|v?\d{1,3})){1,9}"
    r"|(?:[A-Z]\d|[a-z]{2,20}\d{0,2})?(?:[A-Z][a-z]{2,20}\d{0,2}){2,9}"
    r"|(?:0x)?(?:[0-9A-F]{16}|[0-9A-F]{40})"
)
# What stands in a sentence about passwords: an algorithm, a version.
NAMED = re.compile(r"(?i)sha\d|md5|aes|argon|crypt|pbkdf|utf|base\d|-|\d\.\d")
PART = re.compile(r"[A-Za-z0-9]{12,}")
END = ".,;:"  # of a sentence
FEWEST_KINDS = 4  # of characters in a password; xxxx has one


@dataclass(frozen=True)
class Rule:
    """What one kind of secret looks like.

    Args:
        kind: What it is called, without giving it away.
        words: In lower case; a text that has none of them has no such secret.
        pattern: What it looks like; a group is the part that makes it secret.
        check: Tells that part from what stands for it in an explanation, such as `${TOKEN}`.

    """

    kind: str
    words: tuple[str, ...]
    pattern: re.Pattern[str]
    check: Callable[[str], bool]


def is_key(value: str) -> bool:
    """Tell whether a part of a token varies as random characters do."""
    return not STAND_IN.search(value) and is_varied(value)


def is_random(value: str) -> bool:
    """Tell whether a value has letters and digits, as varied as few words are."""
    if len(value) < SHORTEST_RANDOM or STAND_IN.search(value) or REFERENCE.fullmatch(value):
        return False
    letters = any(character.isalpha() for character in value)
    digits = any(character.isdigit() for character in value)
    return letters and digits and is_varied(value)


def is_random_setting(value: str) -> bool:
    """Tell whether a value is random, and neither a numbered name nor a key's fingerprint."""
    return not NAME_OR_FINGERPRINT.fullmatch(value) and is_random(value)


def is_mixed(value: str) -> bool:
    """Tell whether a value is as long as a token, and has a part of letters and digits as one."""
    value = value.removeprefix("base64:")
    other = (
        STAND_IN.search(value) or REFERENCE.fullmatch(value) or NAME_OR_FINGERPRINT.fullmatch(value)
    )
    if len(value) < SHORTEST_MIXED or other:
        return False
    mixed = (not part.isalpha() and not part.isdigit() for part in PART.findall(value))
    return any(mixed) and is_varied(value)


def is_password(value: str) -> bool:
    """Tell whether a value has letters and other characters, and is no name or stand-in."""
    value = value.rstrip(END)
    if STAND_IN.search(value) or REFERENCE.fullmatch(value) or value.casefold() in PLAIN:
        return False
    letters = any(character.isalpha() for character in value)
    return letters and not value.isalpha() and len(set(value)) >= FEWEST_KINDS


def is_assigned_password(value: str) -> bool:
    """Tell whether a value is random, or a password by its capitals, digits or signs."""
    if STAND_IN.search(decode(value)):
        return False
    return is_random(value) or is_strong(value)


def is_told_password(value: str) -> bool:
    """Tell whether a word of a sentence is a password, rather than a name such as Argon2id."""
    value = value.rstrip(END)
    if len(value) < SHORTEST_RANDOM or NAMED.search(value):
        return False
    return bool(SIGN.search(value) or value[-2:].isdigit()) and is_strong(value)


def is_strong(value: str) -> bool:
    """Tell whether a value is a password by its capitals, digits or signs."""
    capital = value.lower() != value and any(character.islower() for character in value)
    digit = any(character.isdigit() for character in value)
    sign = bool(SIGN.search(value))
    return capital + digit + sign > 1 and is_password(value)


def is_login(value: str) -> bool:
    """Tell whether USER:PASSWORD is meant, rather than what a reader has."""
    user, _, password = value.partition(":")
    if password.casefold() in PLAIN or password == user or STAND_IN.search(password):
        return False
    return len(set(password)) > 2  # noqa: PLR2004 - as in xxxx


def is_encoded_login(value: str) -> bool:
    """Tell whether a value is a login in Base64, as headers have it."""
    login = decode(value)
    return ":" in login and is_login(login)


def decode(value: str) -> str:
    """Return the text that a value is in Base64, or ""."""
    try:
        text = base64.b64decode(value + "=" * (-len(value) % 4), validate=True).decode()
    except (ValueError, UnicodeDecodeError):
        return ""
    return text if text.isprintable() else ""


def is_varied(value: str) -> bool:
    """Tell whether the characters of a value vary, by Shannon's entropy."""
    counts = Counter(value).values()
    return -sum(n / len(value) * math.log2(n / len(value)) for n in counts) >= VARIED
