"""Distinguish secrets from placeholders such as `${TOKEN}`."""

import base64
import math
import re
import string
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

# A name, path or address from which the secret would be read.
REFERENCE = re.compile(
    r"[A-Za-z_]\w*(?:(?:\.|->|::)[A-Za-z_]\w*)+|[./~][\w./~-]*|[a-z][a-z0-9+.-]*:.*"
    r"|[A-Z]+[0-9]?(?:_[A-Z0-9]+)*|[a-z]+(?:[-_][a-z]+)*|[a-z]+=[^=].*"
)
PLACEHOLDER = re.compile(
    r"(?i)^[$<{%*[(]|[$]\{|\{\{|[*]{3}|\.\.\.|\u2026|xxx|example|placeholder|change.?me|redacted|"
    r"pass(?:word|wd)|secret|dummy|your[_-]"
)
PLAIN = frozenset(
    [
        *["admin", "demo", "dev", "foo", "guest", "hunter2", "local", "mysql", "pass", "postgres"],
        *["pwd", "root", "s3cret", "test", "token", "user"],
    ]
)
LETTER = re.compile(r"[^\W\d_]")
DIGIT = re.compile(r"\d")
SIGN = re.compile(r"[!#$%&*+?@^~]")
VARIED = 3.0  # bits per character, which takes at least eight different characters
SPREAD = 0.8  # share of the most bits possible for its length that a short setting needs
MIN_RANDOM = 8  # characters
MIN_MIXED = 16
MIN_LITERAL = 6
# A name such as tls-cert-prod-v2 or V1ServiceAccount, or an OpenPGP key's fingerprint.
NAME_OR_FINGERPRINT = re.compile(
    r"[a-z]{2,20}\d{0,2}(?:[-_.](?:[a-z]{2,20}\d{0,2}|v?\d{1,3})){1,9}"
    r"|(?:[A-Z]\d|[a-z]{2,20}\d{0,2})?(?:[A-Z][a-z]{2,20}\d{0,2}){2,9}"
    r"|(?:0x)?(?:[0-9A-F]{16}|[0-9A-F]{40})"
)
# Words that occur in sentences about passwords, such as algorithms and versions.
NAMED = re.compile(
    r"(?i)sha\d|md5|aes|argon|crypt|pbkdf|utf|base\d|oauth|-|\d\.\d|\d(?:bit|byte|char|day|hour)"
)
PART = re.compile(r"[A-Za-z0-9]{12,}")
END = ".,;:"  # punctuation at the end of a sentence
MIN_KINDS = 4  # minimum number of different characters in a password; xxxx has only one


@dataclass(frozen=True)
class Rule:
    """A rule for one kind of secret."""

    kind: str  # name of the kind, used in messages
    words: tuple[str, ...]  # lower-case words; a text that contains none of them has no such secret
    pattern: re.Pattern[str]  # the pattern, in which a group matches the secret
    check: Callable[[str], bool]  # whether a matched group is a secret rather than a placeholder


def is_key(value: str) -> bool:
    return not PLACEHOLDER.search(value) and is_varied(value)


def is_reference(value: str) -> bool:
    """Return whether a value is a placeholder, or a name, path or address of the secret."""
    return bool(PLACEHOLDER.search(value) or REFERENCE.fullmatch(value))


def is_random(value: str, spread: float = 1) -> bool:
    """Return whether a value has letters and digits, and is more varied than most words."""
    is_mixture = LETTER.search(value) and DIGIT.search(value) and len(value) >= MIN_RANDOM
    return bool(is_mixture) and not is_reference(value) and is_varied(value, spread)


def is_random_setting(value: str) -> bool:
    """Return whether a value is random, rather than a numbered name or a fingerprint."""
    return not NAME_OR_FINGERPRINT.fullmatch(value) and is_random(value, SPREAD)


def is_mixed(value: str) -> bool:
    """Return whether a value is as long as a token, and mixes letters and digits like one."""
    value = value.removeprefix("base64:")
    other = is_reference(value) or NAME_OR_FINGERPRINT.fullmatch(value)
    mixed = (not part.isalpha() and not part.isdigit() for part in PART.findall(value))
    return len(value) >= MIN_MIXED and not other and any(mixed) and is_varied(value)


def is_password(value: str) -> bool:
    """Return whether a value has letters and other characters and is no name or placeholder."""
    value = value.rstrip(END)
    is_word = not LETTER.search(value) or value.isalpha() or value.casefold() in PLAIN
    return not is_word and len(set(value)) >= MIN_KINDS and not is_reference(value)


def is_assigned_password(value: str) -> bool:
    """Return whether a value is random, or has capitals, digits or punctuation like a password."""
    return not PLACEHOLDER.search(decode(value)) and (is_random(value) or is_strong(value))


def is_literal_password(value: str) -> bool:
    """Return whether a literal is a password, even if it consists only of words and digits."""
    return is_assigned_password(value) or is_stated_password(value)


def is_stated_password(value: str) -> bool:
    """Return whether a value has a letter and a digit, and is not a name such as sha256."""
    value = value.rstrip(END)
    named = NAME_OR_FINGERPRINT.fullmatch(value) or NAMED.search(value) or "/" in value
    plain = value.casefold().rstrip(string.digits) in PLAIN
    is_name = named or plain or PLACEHOLDER.search(decode(value))
    is_mixture = len(value) >= MIN_LITERAL and DIGIT.search(value)
    return bool(is_mixture) and not is_name and is_password(value)


def is_password_in_prose(value: str) -> bool:
    """Return whether a word in a sentence is a password and not a name such as Argon2id."""
    value = value.rstrip(END)
    ends = SIGN.search(value) or value[-2:].isdigit()
    is_name = len(value) < MIN_RANDOM or NAMED.search(value)
    return bool(ends) and not is_name and is_strong(value)


def is_strong(value: str) -> bool:
    is_mixed_case = value.lower() != value and any(map(str.islower, value))
    kinds = is_mixed_case + bool(DIGIT.search(value)) + bool(SIGN.search(value))
    return kinds > 1 and is_password(value)


def is_login(value: str) -> bool:
    """Return whether USER:PASSWORD is a real login and not an example."""
    user, _, password = value.partition(":")
    is_example = password.casefold() in PLAIN or password == user or PLACEHOLDER.search(password)
    return not is_example and len(set(password)) > 2  # noqa: PLR2004 - unlike xxxx


def is_encoded_login(value: str) -> bool:
    """Return whether a value is a Base64-encoded login, as used in headers."""
    login = decode(value)
    return ":" in login and is_login(login)


def decode(value: str) -> str:
    try:
        text = base64.b64decode(value + "=" * (-len(value) % 4), validate=True).decode()
    except (ValueError, UnicodeDecodeError):
        return ""
    return text if text.isprintable() else ""


def is_varied(value: str, spread: float = 1) -> bool:
    counts, length = Counter(value).values(), len(value)
    bits = -sum(n / length * math.log2(n / length) for n in counts)
    return bits >= min(VARIED, spread * math.log2(length))
