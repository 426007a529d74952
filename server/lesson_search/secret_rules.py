r"""The forms of secrets, as their services document them, in one table.

A rule has the words without one of which no text fits its pattern, which are looked for first: most
texts have none. What a pattern's only group that matched holds is the secret, if it passes the
check. Each pattern begins with a word of its own and repeats nothing without a limit, so that it
takes no longer for a text that is made to keep it busy.
"""

import base64
import binascii
import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
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


def is_password(value: str) -> bool:
    """Tell whether a value has letters and other characters, and is no name or stand-in."""
    if STAND_IN.search(value) or REFERENCE.fullmatch(value) or value.casefold() in PLAIN:
        return False
    letters = any(character.isalpha() for character in value)
    return letters and not value.isalpha() and len(set(value)) >= FEWEST_KINDS


def is_assigned_password(value: str) -> bool:
    """Tell whether a value is random, or a password by its capitals, digits or signs."""
    capital = value.lower() != value and any(character.islower() for character in value)
    digit = any(character.isdigit() for character in value)
    sign = bool(SIGN.search(value))
    return is_random(value) or (capital + digit + sign > 1 and is_password(value))


def is_login(value: str) -> bool:
    """Tell whether USER:PASSWORD is meant, rather than what a reader has."""
    user, _, password = value.partition(":")
    if password.casefold() in PLAIN or password == user or STAND_IN.search(password):
        return False
    return len(set(password)) > 2  # noqa: PLR2004 - as in xxxx


def is_encoded_login(value: str) -> bool:
    """Tell whether a value is a login in Base64, as headers have it."""
    try:
        login = base64.b64decode(value + "=" * (-len(value) % 4), validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return False
    return ":" in login and login.isprintable() and is_login(login)


def is_varied(value: str) -> bool:
    """Tell whether the characters of a value vary, by Shannon's entropy."""
    counts = Counter(value).values()
    return -sum(n / len(value) * math.log2(n / len(value)) for n in counts) >= VARIED


# What makes a token or a key one that lets somebody in, where it stands before that word.
TOKENS = (
    *("access", "auth", "api", "bearer", "session", "refresh", "private", "deploy", "bot"),
    *("runner", "job", "ci", "github", "gitlab", "slack", "npm", "vault", "telegram", "discord"),
)
KEYS = (
    *("api", "access", "account", "private", "app", "application", "encryption", "signing"),
    "master",
)
PASSWORDS = r"(?:pass(?:word|wd|phrase)|pwd)"
SETTING = r"[\w-]{0,20}[\"'`]?[ \t]{0,20}(?:=>|:=|=|:)[ \t]{0,20}"
VALUE = (
    r"""(?:"([^"\s]{6,400})"|'([^'\s]{6,400})'|([^\s"'`,;()<>\[\]{}]{6,400})(?=[\s"'`,;)}\]]|$))"""
)
MADE_OF = {"%x": "[0-9a-f]", "%w": "[A-Za-z0-9]", "%s": r"[\w-]"}


def follow(words: Sequence[str], letter: str) -> str:
    """Return a pattern that fits behind a letter that one of some words stands before."""
    cased = ["".join(f"[{each}{each.upper()}]" for each in word) for word in words]
    ends = [rf"(?<={word}{sign}{letter})" for word in cased for sign in ("", "[ _-]")]
    return f"(?:{'|'.join(ends)})"


# One of few letters comes first, in either case: a search in any case takes ten times as long.
SECRETS = (
    r"[cCkKsStT](?:ecret|ECRET|redential|REDENTIAL"
    rf"|{follow(KEYS, '[kK]')}(?:ey|EY)|{follow(TOKENS, '[tT]')}(?:oken|OKEN))"
)


def token(kind: str, words: str, form: str) -> Rule:
    """Return the rule of a token that is known by how it begins.

    Args:
        kind: What it is called.
        words: As a rule has them, with spaces between them.
        form: Its pattern; %x is a digit of a hexadecimal number, %w a letter or digit, %s one of a
            name.

    """
    for sign, characters in MADE_OF.items():
        form = form.replace(sign, characters)
    return Rule(kind, tuple(words.split()), re.compile(rf"(?<![\w-]){form}"), is_key)


def login(kind: str, words: str, form: str, check: Callable[[str], bool]) -> Rule:
    """Return the rule of what stands after a word such as password, in any case of letters."""
    return Rule(kind, tuple(words.split()), re.compile(rf"(?im){form}"), check)


RULES = (
    token("an AWS access key", "akia asia", r"(?:AKIA|ASIA)([A-Z2-7]{16})(?!%w)"),
    token("a GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_(%w{36,255})"),
    token("a GitHub token", "github_pat_", r"github_pat_(\w{22,255})"),
    token("a GitLab token", "gl", r"gl(?:pat|dt|rt|ptt|cbt|oas|soat|ft|agent|imt)-(%s{20,255})"),
    token("a Slack token", "xox", r"xox[abceoprs]-(\d[A-Za-z0-9-]{10,255})"),
    token("a Slack token", "xapp-", r"xapp-(\d-[A-Za-z0-9-]{20,255})"),
    token("a Google API key", "aiza", r"AIza(%s{35})(?!%s)"),
    token("a Google token", "ya29.", r"ya29\.(%s{20,2000})"),
    token("a Google token", "gocspx-", r"GOCSPX-(%s{28})"),
    token("a Stripe key", "k_live_ whsec_", r"(?:[rs]k_live|whsec)_(%w{16,255})"),
    token("an npm token", "npm_", r"npm_(%w{36})(?!%w)"),
    token("a PyPI token", "pypi-age", r"pypi-(AgE%s{50,500})"),
    token("a RubyGems token", "rubygems_", r"rubygems_(%x{48})"),
    token("a JSON Web Token", "eyj", r"eyJ%s{8,4000}\.(eyJ%s{8,4000}\.%s{16,1000})"),
    token(
        "an OpenAI or Anthropic key",
        "sk-",
        r"sk-(?=%s{0,99}\d)(?=%s{0,99}%w{16})(%s{20,255})",
    ),
    token("a Hugging Face token", "hf_", r"hf_(%w{30,40})(?!%w)"),
    token("a Groq key", "gsk_", r"gsk_(%w{48,60})"),
    token("a Replicate token", "r8_", r"r8_(%w{37})"),
    token("a SendGrid key", "sg.", r"SG\.(%s{20,24}\.%s{39,50})"),
    token("a Twilio key", "sk", r"SK(%x{32})(?!%w)"),
    token("a Mailgun key", "key-", r"key-(%x{32})(?!%w)"),
    token("a Mailchimp key", "-us", r"(%x{32})-us\d{1,2}(?!%w)"),
    token("a DigitalOcean token", "_v1_", r"do[por]_v1_(%x{64})"),
    token("a Docker token", "dckr_", r"dckr_(?:pat|oat)_(%s{20,60})"),
    token("a Heroku key", "hrku-", r"HRKU-(%s{36,80})"),
    token("a Terraform token", ".atlasv1.", r"%w{14}\.atlasv1\.(%s{60,80})"),
    token("a Vault token", "hvs. hvb. hvr.", r"hv[sbr]\.(%s{24,300})"),
    token("a Telegram token", ":aa", r"\d{8,10}:(AA%s{33})(?!%s)"),
    token("a Discord token", ".", r"[MNO]%s{23,27}\.(%s{6}\.%s{27,40})(?!%s)"),
    token("a Shopify token", "shp", r"shp(?:at|ca|pa|ss)_([0-9a-fA-F]{32})"),
    token("a Linear key", "lin_", r"lin_(?:api|oauth)_(%w{32,64})"),
    token("a Notion token", "ntn_", r"ntn_(%w{40,50})"),
    token("a Notion token", "secret_", r"secret_(%w{43})(?!%w)"),
    token("a Sentry token", "sntry", r"sntry[su]_([\w=+/-]{40,500})"),
    token("a Sentry URL", "sentry.io", r"https://(%x{32})@[\w.]{1,60}sentry\.io"),
    token("a Grafana token", "glsa_ glc_", r"gl(?:sa_(%w{32}_%x{8})|c_(eyJ[\w+/=]{30,500}))"),
    token("a Databricks token", "dapi", r"dapi(%x{32})(?!%w)"),
    token("a New Relic key", "nrak-", r"NRAK-([A-Z0-9]{27})"),
    token("a Postman key", "pmak-", r"PMAK-(%x{24}-%x{34})"),
    token("an Atlassian token", "atatt3", r"ATATT3([\w=-]{60,400})"),
    token("a Figma token", "figd_", r"figd_(%s{40,60})"),
    token("a Supabase token", "sbp_", r"sbp_(%x{40})"),
    token("a Tailscale key", "tskey-", r"tskey-[a-z]{1,12}-(%w{8,30}-%w{20,50})"),
    token("an age key", "age-secret-key-1", r"AGE-SECRET-KEY-1([A-Z0-9]{58})"),
    token(
        "the URL of a webhook",
        "hooks.slack.com",
        r"https://hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9_/]{20,200})",
    ),
    token(
        "the URL of a webhook",
        "/api/webhooks/",
        r"https://[\w.]{0,20}discord(?:app)?\.com/api/webhooks/\d{15,22}/(%s{40,100})",
    ),
    token(
        "the URL of a webhook",
        "webhook.office.com",
        r"https://[\w.-]{1,60}webhook\.office\.com/webhookb2/(%s{36}@%s{36}/\w{1,40}/%x{32})",
    ),
    Rule(
        "a private key",
        ("private key",),
        re.compile(
            r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
            r"[\s\S]{0,300}?([A-Za-z0-9+/]{40})"
        ),
        bool,
    ),
    login("a private key", "-key-data", r"\w-key-data[\"']?:\s{0,9}[\"']?(LS0t[\w+/]{40})", bool),
    login("a signed URL", "sig=", r"[?&;]sig=([\w%+/-]{30,200})", is_key),
    login(
        "a password in a URL",
        "://",
        r"(?<![\w+.-])[a-z][\w+.-]{1,20}://([^\s:/@'\"`]{0,100}:[^\s/@'\"`]{3,200})@\w",
        is_login,
    ),
    login(
        "a login in a header",
        "authorization",
        r"authorization[\"']?\s{0,3}[:=,]\s{0,3}[\"']?"
        r"(?:bearer|token|apikey|bot)\s{1,3}([\w.~+/=-]{12,4000})",
        is_random,
    ),
    login(
        "a login in a header",
        "authorization",
        r"authorization[\"']?\s{0,3}[:=,]\s{0,3}[\"']?basic\s{1,3}([\w+/-]{8,400})(?:={0,2})",
        is_encoded_login,
    ),
    login(
        "a login in a header",
        "auth",
        r"(?:\"auth\"\s{0,5}:\s{0,5}\"|:_auth\s{0,3}=\s{0,3}\"?)([\w+/-]{8,400})",
        is_encoded_login,
    ),
    login(
        "the cookie of a session",
        "cookie",
        r"cookie[\"']?[ \t]{0,3}[:=][ \t]{0,3}[\"']?[^\n\"']{0,200}?"
        r"(?:sess|sid|token|auth|jwt)[\w.-]{0,40}=([^\s;,\"'`]{12,4000})",
        is_random,
    ),
    login(
        "a password or key in a command",
        "--",
        rf"(?<!\S)--[\w-]{{0,30}}(?:pass|pw|token|{PASSWORDS}|{SECRETS})"
        rf"(?:[ \t]{{1,3}}|=){VALUE}",
        is_password,
    ),
    login(
        "a password or key in a command",
        "-u --user",
        r"(?<!\S)(?:-u|--user)(?:[ \t]{1,3}|=)?[\"']?[^\s:\"'/]{1,100}:([^\s\"'`]{4,200})",
        is_password,
    ),
    login(
        "a password or key in a command",
        "mysql mariadb",
        r"\b(?:mysql|mariadb)\w{0,9}\b[^\n|;&]{0,150}?[ \t]-p[\"']?([^\s\"'`]{4,200})",
        is_password,
    ),
    login(
        "a password or key in a command",
        "sshpass docker podman redis-cli",
        r"\b(?:sshpass|(?:docker|podman) login|redis-cli)\b[^\n|;&]{0,150}?"
        r"[ \t]-[pa][ \t]?[\"']?([^\s\"'`]{4,200})",
        is_password,
    ),
    login(
        "a login in a file",
        "machine",
        r"\bmachine\s{1,9}\S{1,100}(?:\s{1,9}(?:login|account)\s{1,9}\S{1,100}){0,2}"
        r"\s{1,9}password\s{1,9}([^\s\"'`]{4,200})",
        is_password,
    ),
    login(
        "a login in a file",
        ":",
        r"(?<=[\w.*-]):(?:\d{4,5}|\*):(?:\*|[a-z_][\w.-]{0,62}):[\w.*-]{1,63}:([^\s\"'`]{4,200})",
        is_password,
    ),
    login(
        "a password or key",
        "pass pwd",
        rf"{PASSWORDS}{SETTING}{VALUE}",
        is_assigned_password,
    ),
    Rule(
        "a password or key",
        ("secret", "credential", "key", "token"),
        re.compile(rf"(?m){SECRETS}{SETTING}{VALUE}"),
        is_random,
    ),
)
