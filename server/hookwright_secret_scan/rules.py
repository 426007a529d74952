r"""The rules for secrets other than service tokens.

For speed, a text is first searched for a rule's words: the pattern can match only if the text
contains one. The one group that matched is the secret if it passes the rule's check. Each pattern
begins with a fixed word and uses only bounded repetition, so that hostile texts cannot slow it
down.
"""

import re
from collections.abc import Callable, Sequence

from hookwright_secret_scan.values import (
    Rule,
    is_assigned_password,
    is_encoded_login,
    is_key,
    is_literal_password,
    is_login,
    is_mixed,
    is_password,
    is_password_in_prose,
    is_random,
    is_random_setting,
    is_stated_password,
)

# Words before "token" and "key" that indicate a credential.
TOKENS = (
    *("access", "auth", "api", "bearer", "session", "refresh", "private", "deploy", "bot"),
    *("runner", "job", "ci", "github", "gitlab", "slack", "npm", "vault", "telegram", "discord"),
)
KEYS = (
    *("api", "access", "account", "private", "app", "application", "encryption", "signing"),
    *("master", "shared"),
)
PASSWORDS = r"(?:pass(?:word|wd|phrase|wort)|pwd|contrase\u00f1a|mot de passe)"
# Punctuation after a name, which may be bold, quoted, or inside a JSON string.
SIGNS = r"(?:\\?[\"']|[`*]{1,3})?[ \t]{0,20}(?:=>|:=|=|:|%3D)[ \t*]{0,20}(?:b(?=[\"']))?"
SETTING = r"(?![\w-]{0,16}(?:[nN]ame|NAME))[\w-]{0,20}" + SIGNS
VALUE = (
    r"""(?:"([^"\s]{6,400})"|'([^'\s]{6,400})'|`([^`\s]{6,400})`|\\"([^"\\\s]{6,400})\\\""""
    r"""|([^\s"'`,;()<>\[\]{}]{6,400})(?=[\s"'`,;)}\]]|$))"""
)
OPTION = r"[ \t]?[\"']?([^\s\"'`-][^\s\"'`]{3,199})"  # the value of a command-line option
# Words before "key" which show that it is not a credential.
OTHER_KEYS = (
    *("cache", "public", "publishable", "primary", "foreign", "partition", "sort", "routing"),
    *("idempotency", "host", "socket", "surrogate", "dedup", "group", "object", "kms"),
)


def follow(words: Sequence[str], letter: str) -> str:
    cased = ["".join(f"[{each}{each.upper()}]" for each in word) for word in words]
    ends = [rf"(?<={word}{sign}{letter})" for word in cased for sign in ("", "[ _-]")]
    return f"(?:{'|'.join(ends)})"


# Case is ignored only for the first letters, because a case-insensitive search takes ten times as
# long.
SECRETS = (
    r"[cCkKsStT](?:ecret|ECRET|redential|REDENTIAL"
    rf"|{follow(KEYS, '[kK]')}(?:ey|EY)|{follow(TOKENS, '[tT]')}(?:oken|OKEN))"
)
# Other names, spelled like environment variables or headers, or standing alone.
OTHERS = (
    r"[kKPStT](?:(?<=\w_T)OKEN|(?<=\w_P)AT|(?:(?<=\w_t)|(?<=\w-T)|(?<=[tT])(?<![\w-].))oken"
    r"|(?<=\w_K)EY|(?:(?<=\w-K)|(?<=[?&]k))ey|(?<=\w_S)ESSION)"
)
NO_OTHERS = "".join(
    rf"(?<!{cased}[_-]KEY)(?<!{cased}[_-]Key)"
    for word in OTHER_KEYS
    for cased in ["".join(f"[{each}{each.upper()}]" for each in word)]
)


# The start of a cookie; the search for its value ends where another one starts.
COOKIE = r"(?:cookie[\"']?[ \t]{0,3}[:=]|(?<!\S)(?:-b|--cookie))"
ARGUMENTS = r"\b[^\n|;&]{0,150}?[ \t]"  # between a program and its option
WORD = r"[\"']?([^\s\"'`]{4,200})"
AUTHORIZATION = r"authorization[\"']?\s{0,3}[:=,]\s{0,3}"

PRIVATE_KEY = "a private key"
HEADER = "a login in a header"
COMMAND = "a password or key in a command"
FILE = "a login in a file"
ASSIGNED = "a password or key"

# The patterns by kind and check, and then by their words.
PATTERNS: dict[tuple[str, Callable[[str], bool]], dict[str, str]] = {
    (PRIVATE_KEY, bool): {"-key-data": r"\w-key-data[\"']?:\s{0,9}[\"']?(LS0t[\w+/]{40})"},
    (PRIVATE_KEY, is_key): {
        "private": r"private[ _-]?key[\"'`]?[ \t:=]{1,5}(?:is )?[\"'`]?(0x[0-9a-f]{64})",
    },
    ("a signed URL", is_key): {
        "sig= signature=": r"[?&;](?:sig|x-amz-signature)=([\w%+/-]{30,200})",
    },
    ("a password in a URL", is_login): {
        "://": r"(?<![\w+.-])[a-z][\w+.-]{1,20}://([^\s:/@'\"`]{0,100}:[^\s/@'\"`]{3,200})@\w",
    },
    ("a token in a URL", is_mixed): {"://": r"https?://([\w-]{20,200})@\w"},
    (HEADER, is_random): {
        "authorization": AUTHORIZATION
        + r"[\"'`]?(?:bearer|token|apikey|bot|splunk|geniekey)\s{1,3}([\w.~+/=-]{12,4000})",
    },
    (HEADER, is_mixed): {
        "authorization": AUTHORIZATION + r"[\"'`]?([\w.~+/=-]{20,4000})",
        "bearer geniekey ssws": r"(?<![\w-])(?:bearer|geniekey|ssws)\s{1,3}([\w.~+/=-]{20,4000})",
    },
    (HEADER, is_encoded_login): {
        "authorization": AUTHORIZATION + r"[\"']?basic\s{1,3}([\w+/-]{8,400})(?:={0,2})",
        "auth": r"(?:\"auth\"\s{0,5}:\s{0,5}\"|:_auth\s{0,3}=\s{0,3}\"?)([\w+/-]{8,400})",
    },
    ("the cookie of a session", is_random): {
        "cookie -b": rf"{COOKIE}[ \t]{{0,3}}[\"']?(?:(?!{COOKIE})[^\n\"']){{0,200}}?"
        r"(?:sess|sid|token|auth|jwt)[\w.-]{0,40}=([^\s;,\"'`]{8,4000})",
    },
    (COMMAND, is_password): {
        "--": rf"(?<!\S)--[\w-]{{0,30}}(?:pass|pw|token|{PASSWORDS}|{SECRETS})"
        rf"(?:[ \t]{{1,3}}|=){VALUE}",
        "-u --user": r"(?<!\S)(?:-u|--user)(?:[ \t]{1,3}|=)?"
        r"[\"']?[^\s:\"'/]{1,100}:([^\s\"'`]{4,200})",
        "mysql mariadb 7z": rf"\b(?:mysql|mariadb|7z)\w{{0,9}}{ARGUMENTS}-p{WORD}",
        "sshpass login redis-cli": r"\b(?:sshpass|(?:docker|podman|az) login|redis-cli)"
        rf"{ARGUMENTS}-[pa][ \t=]?{WORD}",
        "mongo rdesktop evil-winrm beeline": r"\b(?:mongo[a-z]{0,9}|rdesktop|evil-winrm|beeline)"
        rf"{ARGUMENTS}-[nu][ \t]?[^\s|;&]{{1,60}}[ \t]{{1,3}}-p{OPTION}",
        "ssh-keygen": rf"\bssh-keygen{ARGUMENTS}(?-i:-[NP]){OPTION}",
        "sqlcmd bcp mosquitto_ zip snowsql": r"\b(?:sqlcmd|bcp|mosquitto_[ps]ub|(?:un)?zip|snowsql)"
        rf"{ARGUMENTS}(?-i:-P){OPTION}",
        "ldap": rf"\bldap[a-z]{{2,12}}{ARGUMENTS}(?-i:-w){OPTION}",
        "smbclient rpcclient": rf"\b(?:smb|rpc)client{ARGUMENTS}"
        r"-U[ \t]?[\"']?[^\s%\"'`]{1,60}%([^\s\"'`]{4,200})",
        "echo": r"\becho[ \t]{1,3}(?:-n[ \t]{1,3})?[\"']?"
        r"(?:[\w.-]{1,40}:)?([^\s\"'`|:]{4,100})[\"']?"
        r"[ \t]{0,3}\|[ \t]{0,3}(?:sudo[ \t][^\n|]{0,40}?-S\b"
        r"|(?:sudo[ \t]{1,3})?(?:kinit|chpasswd|passwd|docker[ \t]login))",
    },
    (COMMAND, is_assigned_password): {
        "pass": rf"(?<!\S)-\w{{0,12}}pass(?:word|wd|phrase)?[ \t]{{1,3}}{VALUE}",
        "openssl": rf"\bopenssl{ARGUMENTS}(?-i:-k)[ \t]{OPTION}",
        "htpasswd": r"\bhtpasswd[ \t]{1,3}-\w{0,9}b\w{0,9}(?:[ \t]{1,3}[^\s;|&]{1,100}){1,2}"
        rf"[ \t]{{1,3}}{WORD}",
        "rabbitmqctl": r"\brabbitmqctl[ \t]{1,3}(?:add_user|change_password)[ \t]{1,3}\S{1,60}"
        rf"[ \t]{{1,3}}{WORD}",
        "securestring": rf"ConvertTo-SecureString[ \t]{{1,3}}(?:-String[ \t]{{1,3}})?{VALUE}",
    },
    (COMMAND, is_random): {
        "configure wandb": r"\b(?:aws configure set [\w.]{0,60}(?:secret|token)\w{0,30}"
        rf"|wandb login)[ \t]{{1,3}}{VALUE}",
    },
    (FILE, is_password): {
        "machine": r"\bmachine\s{1,9}\S{1,100}(?:\s{1,9}(?:login|account)\s{1,9}\S{1,100}){0,2}"
        r"\s{1,9}password\s{1,9}([^\s\"'`]{4,200})",
        ":": r":(?<=[\w.*-]:)(?:\d{4,5}|\*):(?:\*|[a-z_][\w.-]{0,62}):[\w.*-]{1,63}"
        r":([^\s\"'`]{4,200})",
    },
    (ASSIGNED, is_literal_password): {
        "pass pwd contrase\u00f1a": f"{PASSWORDS}{SETTING}{VALUE}",
        "pass pw psk": rf"(?<![a-z])(?:(?<=_)pass|(?:pass|pw|psk)(?!:[ \t])){SIGNS}{VALUE}",
    },
    (ASSIGNED, is_password_in_prose): {
        # "PASS:" also occurs before test names.
        "pass pw": rf"(?<![a-z])(?:pass|pw):[ \t]{{1,3}}{VALUE}",
        "pass pwd": rf"{PASSWORDS}(?:[ \t]{{1,3}}(?:is|was|to))?"
        r"(?::?[ \t]{1,3}|:[ \t]{0,3}[>|]?-?\n[ \t]{1,20})"
        r"[\"'`*]{0,3}([^\s\"'`*]{8,100})",
    },
    (ASSIGNED, is_stated_password): {
        "pass pwd contrase\u00f1a": rf"{PASSWORDS}[\"'`*]{{0,3}}"
        r"(?:[ \t](?:for|of|on)(?:[ \t][\w.@-]{1,40}){1,4}?)?"
        r"[ \t]{1,3}(?:is|was|ist):?[ \t]{1,3}[\"'`*]{0,3}([^\s\"'`*,;()<>]{6,100})",
    },
    (ASSIGNED, is_assigned_password): {
        "password' identified": r"(?:password|identified(?: with \w{1,30})? by)[ \t]{1,3}"
        r"'([^'\s]{6,200})'",
        "passw": rf"\|[ \t*`]{{0,9}}(?:[a-z]{{1,20}} ){{0,2}}{PASSWORDS}[ \t*`:]{{0,9}}\|"
        r"[ \t*`]{0,9}([^\s|`*]{6,200})[ \t`*]{0,9}\|",
        "password> passwd> passphrase>": rf"{PASSWORDS}>\s{{0,9}}([^<>\s]{{6,200}})\s{{0,9}}</",
        "pass pwd": rf"{PASSWORDS}[\"'](?:,[ \t]{{0,5}}|[ \t]{{1,5}}value=){VALUE}",
    },
    (ASSIGNED, is_mixed): {
        "token key": r"(?<!idempotency )(?<!lock )(?:token|(?:api|secret)[ _-]?key)[ \t]{1,3}"
        r"(?:is[ \t]{1,3})?[\"'`]?([\w-]{24,200})",
        "key' key\" salt' salt\" token' token\" secret' secret\"": r"(?:key|salt|token|secret)[\"']"
        r"(?:,[ \t]{0,5}|[ \t]{1,5}value=)[\"']([^\"'\n]{16,400})[\"']",
    },
}

RULES: tuple[Rule, ...] = (
    Rule(
        PRIVATE_KEY,
        ("private key",),
        re.compile(
            r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
            r"[\s\S]{0,300}?([A-Za-z0-9+/]{40})"
        ),
        bool,
    ),
    *(
        Rule(kind, tuple(words.split()), re.compile(f"(?im){pattern}"), check)
        for (kind, check), patterns in PATTERNS.items()
        for words, pattern in patterns.items()
    ),
    *(  # these distinguish upper and lower case
        Rule(ASSIGNED, tuple(words.split()), re.compile(f"(?m){pattern}"), check)
        for words, pattern, check in (
            ("secret credential key token", f"{SECRETS}{SETTING}{VALUE}", is_random_setting),
            ("key token session _pat", f"{OTHERS}{NO_OTHERS}{SIGNS}{VALUE}", is_mixed),
        )
    ),
)
