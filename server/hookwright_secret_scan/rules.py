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
ASSIGNMENT = re.compile(r"[\w-]{0,30}" + SIGNS, re.IGNORECASE)  # the setting's name may be longer
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
    r"[kKStT](?:(?<=\w_T)OKEN|(?:(?<=\w_t)|(?<=\w-T)|(?<=[tT])(?<![\w-].))oken"
    r"|(?<=\w_K)EY|(?:(?<=\w-K)|(?<=[?&]k))ey|(?<=\w_S)ESSION)"
)
NO_OTHERS = "".join(
    rf"(?<!{cased}[_-]KEY)(?<!{cased}[_-]Key)"
    for word in OTHER_KEYS
    for cased in ["".join(f"[{each}{each.upper()}]" for each in word)]
)


def login(
    kind: str,
    words: str,
    form: str,
    check: Callable[[str], bool],
    following: re.Pattern[str] | None = None,
) -> Rule:
    return Rule(kind, tuple(words.split()), re.compile(rf"(?im){form}"), check, following)


COMMAND = "a password or key in a command"
HEADER = "a login in a header"
ASSIGNED = "a password or key"
PRIVATE_KEY = "a private key"

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
    login(PRIVATE_KEY, "-key-data", r"\w-key-data[\"']?:\s{0,9}[\"']?(LS0t[\w+/]{40})", bool),
    login(
        "a signed URL",
        "sig= signature=",
        r"[?&;](?:sig|x-amz-signature)=([\w%+/-]{30,200})",
        is_key,
    ),
    login(
        "a password in a URL",
        "://",
        r"(?<![\w+.-])[a-z][\w+.-]{1,20}://([^\s:/@'\"`]{0,100}:[^\s/@'\"`]{3,200})@\w",
        is_login,
    ),
    login("a token in a URL", "://", r"https?://([\w-]{20,200})@\w", is_mixed),
    login(
        HEADER,
        "authorization",
        r"authorization[\"']?\s{0,3}[:=,]\s{0,3}[\"'`]?"
        r"(?:bearer|token|apikey|bot|splunk|geniekey)\s{1,3}([\w.~+/=-]{12,4000})",
        is_random,
    ),
    login(
        HEADER,
        "authorization",
        r"authorization[\"']?\s{0,3}[:=,]\s{0,3}[\"'`]?([\w.~+/=-]{20,4000})",
        is_mixed,
    ),
    login(
        HEADER,
        "bearer geniekey ssws",
        r"(?<![\w-])(?:bearer|geniekey|ssws)\s{1,3}([\w.~+/=-]{20,4000})",
        is_mixed,
    ),
    login(
        HEADER,
        "authorization",
        r"authorization[\"']?\s{0,3}[:=,]\s{0,3}[\"']?basic\s{1,3}([\w+/-]{8,400})(?:={0,2})",
        is_encoded_login,
    ),
    login(
        HEADER,
        "auth",
        r"(?:\"auth\"\s{0,5}:\s{0,5}\"|:_auth\s{0,3}=\s{0,3}\"?)([\w+/-]{8,400})",
        is_encoded_login,
    ),
    login(
        "the cookie of a session",
        "cookie -b",
        r"(?:cookie[\"']?[ \t]{0,3}[:=]|(?<!\S)(?:-b|--cookie))[ \t]{0,3}[\"']?[^\n\"']{0,200}?"
        r"(?:sess|sid|token|auth|jwt)[\w.-]{0,40}=([^\s;,\"'`]{8,4000})",
        is_random,
    ),
    login(
        COMMAND,
        "--",
        rf"(?<!\S)--[\w-]{{0,30}}(?:pass|pw|token|{PASSWORDS}|{SECRETS})"
        rf"(?:[ \t]{{1,3}}|=){VALUE}",
        is_password,
    ),
    login(
        COMMAND,
        "pass",
        rf"(?<!\S)-\w{{0,12}}pass(?:word|wd|phrase)?[ \t]{{1,3}}{VALUE}",
        is_assigned_password,
    ),
    login(
        COMMAND,
        "-u --user",
        r"(?<!\S)(?:-u|--user)(?:[ \t]{1,3}|=)?[\"']?[^\s:\"'/]{1,100}:([^\s\"'`]{4,200})",
        is_password,
    ),
    login(
        COMMAND,
        "mysql mariadb 7z",
        r"\b(?:mysql|mariadb|7z)\w{0,9}\b[^\n|;&]{0,150}?[ \t]-p[\"']?([^\s\"'`]{4,200})",
        is_password,
    ),
    login(
        COMMAND,
        "sshpass login redis-cli",
        r"\b(?:sshpass|(?:docker|podman|az) login|redis-cli)\b[^\n|;&]{0,150}?"
        r"[ \t]-[pa][ \t=]?[\"']?([^\s\"'`]{4,200})",
        is_password,
    ),
    login(
        COMMAND,
        "mongo rdesktop evil-winrm beeline",
        r"\b(?:mongo[a-z]{0,9}|rdesktop|evil-winrm|beeline)\b[^\n|;&]{0,100}?[ \t]-[nu][ \t]?"
        rf"[^\s|;&]{{1,60}}[ \t]{{1,3}}-p{OPTION}",
        is_password,
    ),
    login(
        COMMAND,
        "ssh-keygen",
        rf"\bssh-keygen\b[^\n|;&]{{0,150}}?[ \t](?-i:-[NP]){OPTION}",
        is_password,
    ),
    login(
        COMMAND,
        "sqlcmd bcp mosquitto_ zip snowsql",
        r"\b(?:sqlcmd|bcp|mosquitto_[ps]ub|(?:un)?zip|snowsql)\b[^\n|;&]{0,150}?[ \t](?-i:-P)"
        + OPTION,
        is_password,
    ),
    login(
        COMMAND,
        "ldap",
        rf"\bldap[a-z]{{2,12}}\b[^\n|;&]{{0,150}}?[ \t](?-i:-w){OPTION}",
        is_password,
    ),
    login(
        COMMAND,
        "openssl",
        rf"\bopenssl\b[^\n|;&]{{0,150}}?[ \t](?-i:-k)[ \t]{OPTION}",
        is_assigned_password,
    ),
    login(
        COMMAND,
        "smbclient rpcclient",
        r"\b(?:smb|rpc)client\b[^\n|;&]{0,150}?[ \t]-U[ \t]?[\"']?[^\s%\"'`]{1,60}%"
        r"([^\s\"'`]{4,200})",
        is_password,
    ),
    login(
        COMMAND,
        "echo",
        r"\becho[ \t]{1,3}(?:-n[ \t]{1,3})?[\"']?(?:[\w.-]{1,40}:)?([^\s\"'`|:]{4,100})[\"']?"
        r"[ \t]{0,3}\|[ \t]{0,3}(?:sudo[ \t][^\n|]{0,40}?-S\b"
        r"|(?:sudo[ \t]{1,3})?(?:kinit|chpasswd|passwd|docker[ \t]login))",
        is_password,
    ),
    login(
        COMMAND,
        "htpasswd rabbitmqctl",
        r"\b(?:htpasswd[ \t]{1,3}-\w{0,9}b\w{0,9}(?:[ \t]{1,3}[^\s;|&]{1,100}){1,2}"
        r"|rabbitmqctl[ \t]{1,3}(?:add_user|change_password)[ \t]{1,3}\S{1,60})"
        r"[ \t]{1,3}[\"']?([^\s\"'`]{4,200})",
        is_assigned_password,
    ),
    login(
        COMMAND,
        "configure wandb",
        rf"\b(?:aws configure set [\w.]{{0,60}}(?:secret|token)\w{{0,30}}|wandb login)"
        rf"[ \t]{{1,3}}{VALUE}",
        is_random,
    ),
    login(
        COMMAND,
        "securestring",
        rf"ConvertTo-SecureString[ \t]{{1,3}}(?:-String[ \t]{{1,3}})?{VALUE}",
        is_assigned_password,
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
        r":(?<=[\w.*-]:)(?:\d{4,5}|\*):(?:\*|[a-z_][\w.-]{0,62}):[\w.*-]{1,63}:([^\s\"'`]{4,200})",
        is_password,
    ),
    login(
        ASSIGNED,
        "pass pwd contrase\u00f1a",
        rf"{PASSWORDS}{SETTING}{VALUE}",
        is_literal_password,
        ASSIGNMENT,
    ),
    login(
        ASSIGNED,
        "pass pw psk",
        rf"(?<![a-z])(?:(?<=_)pass|(?:pass|pw|psk)(?!:[ \t])){SIGNS}{VALUE}",
        is_literal_password,
    ),
    login(  # "PASS:" also occurs before test names
        ASSIGNED, "pass pw", rf"(?<![a-z])(?:pass|pw):[ \t]{{1,3}}{VALUE}", is_password_in_prose
    ),
    login(
        ASSIGNED,
        "pass pwd",
        rf"{PASSWORDS}(?:[ \t]{{1,3}}(?:is|was|to))?"
        r"(?::?[ \t]{1,3}|:[ \t]{0,3}[>|]?-?\n[ \t]{1,20})"
        r"[\"'`*]{0,3}([^\s\"'`*]{8,100})",
        is_password_in_prose,
    ),
    login(
        ASSIGNED,
        "pass pwd contrase\u00f1a",
        rf"{PASSWORDS}[\"'`*]{{0,3}}(?:[ \t](?:for|of|on)(?:[ \t][\w.@-]{{1,40}}){{1,4}}?)?"
        r"[ \t]{1,3}(?:is|was|ist):?[ \t]{1,3}[\"'`*]{0,3}([^\s\"'`*,;()<>]{6,100})",
        is_stated_password,
    ),
    login(
        ASSIGNED,
        "password' identified",
        r"(?:password|identified(?: with \w{1,30})? by)[ \t]{1,3}'([^'\s]{6,200})'",
        is_assigned_password,
    ),
    login(
        ASSIGNED,
        "passw",
        rf"\|[ \t*`]{{0,9}}(?:[a-z]{{1,20}} ){{0,2}}{PASSWORDS}[ \t*`:]{{0,9}}\|"
        r"[ \t*`]{0,9}([^\s|`*]{6,200})[ \t`*]{0,9}\|",
        is_assigned_password,
    ),
    login(
        ASSIGNED,
        "password> passwd> passphrase>",
        rf"{PASSWORDS}>\s{{0,9}}([^<>\s]{{6,200}})\s{{0,9}}</",
        is_assigned_password,
    ),
    login(
        ASSIGNED,
        "pass pwd",
        rf"{PASSWORDS}[\"'](?:,[ \t]{{0,5}}|[ \t]{{1,5}}value=){VALUE}",
        is_assigned_password,
    ),
    login(
        ASSIGNED,
        "key' key\" salt' salt\" token' token\" secret' secret\"",
        r"(?:key|salt|token|secret)[\"'](?:,[ \t]{0,5}|[ \t]{1,5}value=)"
        r"[\"']([^\"'\n]{16,400})[\"']",
        is_mixed,
    ),
    login(
        PRIVATE_KEY,
        "private",
        r"private[ _-]?key[\"'`]?[ \t:=]{1,5}(?:is )?[\"'`]?(0x[0-9a-f]{64})",
        is_key,
    ),
    Rule(
        ASSIGNED,
        ("secret", "credential", "key", "token"),
        re.compile(rf"(?m){SECRETS}{SETTING}{VALUE}"),
        is_random_setting,
        ASSIGNMENT,
    ),
    Rule(
        ASSIGNED,
        ("key", "token", "session"),
        re.compile(rf"(?m){OTHERS}{NO_OTHERS}{SIGNS}{VALUE}"),
        is_mixed,
        ASSIGNMENT,
    ),
)
