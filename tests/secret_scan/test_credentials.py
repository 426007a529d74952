"""Secrets in a text are detected, and text that merely resembles one is not."""

import json
import unicodedata
from pathlib import Path

import pytest
from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class
from detect_secrets.core.scan import scan_line
from detect_secrets.settings import transient_settings
from hypothesis import example, given
from hypothesis import strategies as st

from hookwright_secret_scan.credentials import (
    find_secret,
    find_token,
    fits,
    redact_secrets,
)
from hookwright_secret_scan.rules import RULES
from lesson_search.retrieval.evaluation import LABELLED

from ..support.processor_limit import limit_processor
from ..support.project import ROOT
from ..support.secret_forms import FORMS


def test_secret_kind_is_reported() -> None:
    for form, kind in [
        ("aws-key", "an AWS access key"),
        ("aws-secret", "a password or key"),
        ("github-p", "a GitHub token"),
        ("github-fine", "a GitHub token"),
        ("gitlab", "a GitLab token"),
        ("slack-b", "a Slack token"),
        ("google-key", "a Google API key"),
        ("stripe", "a Stripe key"),
        ("npm", "an npm token"),
        ("openai", "an OpenAI or Anthropic key"),
        ("anthropic", "an OpenAI or Anthropic key"),
        ("jwt", "a JSON Web Token"),
        ("pem-rsa", "a private key"),
        ("pem-escaped", "a private key"),
        ("kubeconfig", "a private key"),
        ("password-yaml", "a password or key"),
        ("api-key", "a password or key"),
        ("url", "a password in a URL"),
        ("mysql", "a password or key in a command"),
        ("curl-user", "a password or key in a command"),
        ("bearer", "a login in a header"),
        ("basic", "a login in a header"),
        ("docker-config", "a login in a header"),
        ("netrc-lines", "a login in a file"),
        ("pgpass", "a login in a file"),
        ("slack-hook", "the URL of a webhook"),
        ("set-cookie", "the cookie of a session"),
        ("azure-sas", "a signed URL"),
    ]:
        assert find_secret(FORMS[form]) == kind, form


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (f"x\n{FORMS['github-p']}\ny", "a GitHub token"),
        (f"one line\n  key: {FORMS['jwt']}", "a JSON Web Token"),
        (FORMS["pem-rsa"], "a private key"),
        (FORMS["password-yaml"], None),
        ("AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE", None),
        ("ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx, sk-your-key-here-1234567890abc", None),
        ("Paste it between -----BEGIN PRIVATE KEY----- and its end.", None),
        ("", None),
    ],
)
def test_documentation_tokens_are_recognised(text: str, kind: str | None) -> None:
    assert find_token(text) == kind


def test_secret_is_detected() -> None:
    for form, text in FORMS.items():
        assert find_secret(f"We had to run this:\n`{text}` and then deploy.")
        assert find_secret(f"It was: {text}")
        for hidden in ("\u200b", "\u00ad", "\ufe0f", "\U000e0041", "\u2061"):
            middle = len(text) // 2
            assert find_secret(f"It was: {text[:middle]}{hidden}{text[middle:]}"), form


def test_password_with_a_letter_and_a_digit_is_detected() -> None:
    values = ["hunter22", "hunt3r", "22hunters", "hT7kq9Zp2xx", "correcthorse1", "abcabc123123"]
    for sign in [" = ", ": ", "=", " is ", " was: ", " for staging is "]:
        for value in values:
            for end in ("", ".", " there."):
                assert find_secret(f"The password{sign}{value}{end}") == "a password or key"
                assert value not in redact_secrets(f"The password{sign}{value}{end}")
            assert find_secret(f"The **password**{sign}`{value}`.") == "a password or key"


def test_short_secret_is_detected() -> None:
    for before, secret, after in [
        ("X-Api-Key: ", "Zx81kk22aa", ""),
        ("curl -H 'X-Api-Key: ", "Zx81kk22aa", "'"),
        ("api_key=", "Zx81kk22aa", ""),
        ("Cookie: session=", "a1b2c3d4e5", "; theme=dark"),
        ("SECRET_KEY_BASE=", "a1b2c3d4e5f6", ""),
        ("VAULT_TOKEN=s.", "Xk29dTq3Rw92mB07Lc45zV8h", ""),
        ("mongo -u a -p ", "hT7kq9", ""),
        ("mongodump -u a -p '", "hT7kq9", "'"),
        ("ssh-keygen -t ed25519 -N '", "hT7kq9", "' -f key"),
        ("ssh-keygen -p -P ", "hT7kq9", " -f key"),
    ]:
        assert find_secret(f"{before}{secret}{after}"), before
        assert secret not in redact_secrets(f"{before}{secret}{after}")


def test_other_detector_misses_most_secrets() -> None:
    """The other detector's entropy rules are disabled, because they flag most texts."""
    kinds: dict[str, type] = get_mapping_from_secret_type_to_class()
    names = [kind.__name__ for kind in kinds.values()]
    plugins = [{"name": name} for name in names if "Entropy" not in name]
    with transient_settings({"plugins_used": plugins}):
        detected = [
            form
            for form, text in FORMS.items()
            if any(list(scan_line(line)) for line in text.split("\n"))
        ]
    assert 0 < len(detected) < len(FORMS) / 2


def test_placeholder_is_not_a_secret() -> None:
    for text in [
        "",
        "AKIAIOSFODNN7EXAMPLE is the key in the documentation",
        "tokens begin with ghp_, glpat- or sk-ant-",
        "ghp_" + "x" * 36,
        "import sk-learn-model-v2-baseline-final",
        "The key must begin with -----BEGIN PRIVATE KEY----- or it is not read",
        "postgres://user:password@localhost/db",
        "postgres://postgres:postgres@localhost/db",
        "https://${USER}:${TOKEN}@gitlab.com/acme/app.git",
        "http://localhost:8080/@scope/package",
        'password = "correct horse battery staple"',
        'password = os.environ["DB_PASSWORD_1"]',
        "password: ${{ secrets.NPM_TOKEN_2 }}",
        "PASSWORD=$DB_PASSWORD_2",
        "api_key=settings.openai_key_2",
        "password_file: /run/secrets/db2_password",
        "password = your-password-123",
        "password: pbkdf2pbkdf2pbkdf2",
        "secret: vault:kv/data/app1#Password",
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
        "Authorization: Bearer $TOKEN_2",
        "Authorization: Bearer <your token>",
        "Authorization: Basic dXNlcjpwYXNzd29yZA==",
        "curl -u user:password https://example.com",
        'curl -u "$USER:$PASS_2" https://example.com',
        "docker run -u 1000:1000 -p 8080:80 app1",
        "docker build --secret id=npm2rc .",
        "docker login --password-stdin",
        "mysql -u root -p shop2",
        "mysql -u root -p$MYSQL_PW_2 shop",
        "deploy --password=YOUR_PASSWORD_2 --token ********** --max-tokens 4096",
        "deploy --api-key xxxxxxxx1 --token-ttl 24h",
        "PGPASSWORD=**** psql; PGPASSWORD=xxxx1234 psql",
        "machine example.com login user password your-password-1",
        "localhost:5432:shop:user:password",
        "src/app.py:1200:5:E501:line2",
        "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
        "AccountKey=<key1>;EndpointSuffix=core.windows.net",
        "Set-Cookie: session=<value1>; HttpOnly",
        '{"auth": "dXNlcjpwYXNzd29yZA=="}',
        "the token lives in SECRET_KEY_BASE2 = SECRET_KEY_FALLBACK_2",
        "secretName: tls-cert-prod-v2 must exist in the ingress namespace",
        "signing-key: 4AEE18F83AFDEB23 is GitHub's web-flow key; import it",
        "signing key = A1B2C3D4E5F60718 in git config user.signingkey",
        "deploy_token_username: gitlab+deploy-token-1234 is the login",
        "docker compose up --user nobody:nogroup.",
        "data: {username: YWRtaW4=, password: cGFzc3dvcmQ=} is from the documentation",
        "The password is Argon2id hashed, no longer SHA-256-hashed",
        "the cache key 1b8d930da1009b5dbab37b5d66f8aefd8899686c is stale, set MAX_PAT=12",
        "the token embedding-layer-v2-large-uncased; API key rotation-policy-2024-q3-enforced",
        "the password is 12characters at least, is base64 or hex16 and is test1234 or admin1",
        "the password for the page is in vault2, the password is db-creds-v2",
        "password is rotated90days; PWD: src/app2; password is correcthorsebatterystaple",
        "the password to OAuth2.0 migration; a passphrase to Ed25519Key",
        "--- PASS: TestParse2; pass: Linux64Build2; pass: 12, fail: 3",
        "| password | required | at least 12 characters |",
        "| DB_PASSWORD | ${DB_PASSWORD_2} |",
        "<password>${env.MAVEN_PASSWORD2}</password>",
        "CREATE USER app WITH PASSWORD '{{ password_2 }}'",
        "echo $REG_PASSWORD2 | docker login --password-stdin",
        "define('DB_PASSWORD', getenv('DB_PASSWORD2'));",
        "unzip -p app-1.2.jar META-INF/MANIFEST.MF",
        "ldapsearch -x -W -D cn=admin,dc=x2",
        "htpasswd -bc .htpasswd user $PASS2; keytool -storepass changeit -alias cert2",
        "kubectl create secret generic x --from-literal=token=$TOKEN_2",
        "ssh://687fb701029421ae5549d998@ssh.example.com is the endpoint of a job",
        "service_account_token: V1ServiceAccountTokenProjection",
        "KMS_KEY=arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab",
        "ssh-keygen -N '' -f key2; mongosh -u admin -p $MONGO_PW2",
        "mongo in docker needs mkdir -p data/mongo4/db1",
        "CACHE_KEY=node18linuxabc123def456 is stale",
        "Idempotency-Key: 7f3c2d1e-aaaa-4bbb-8ccc-0123456789ab",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "https://maps.example.com?key=YOUR_API_KEY_123456789",
        "cache-key: v1-deps-{{ checksum }}; routing_key=orders.created.v1",
        "PWD=/home/ci/build42; proxy_pass http://backend2:8080/; LESSPASS=abc123DEF",
    ]:
        assert find_secret(text) is None


def test_ordinary_text_contains_no_secret() -> None:
    lines = (Path(__file__).parent / "ordinary_texts.txt").read_text("utf-8").splitlines()
    assert len(lines) > 200
    assert [line for line in lines if find_secret(line)] == []


@pytest.mark.parametrize("path", [LABELLED, ROOT / "benchmarks" / "held-out"], ids=lambda p: p.name)
@pytest.mark.parametrize(("file", "field"), [("lessons", "text"), ("questions", "prompt")])
def test_labelled_text_contains_no_secret(path: Path, file: str, field: str) -> None:
    rows = map(json.loads, (path / f"{file}.jsonl").read_text("utf-8").splitlines())
    assert [row[field] for row in rows if find_secret(row[field])] == []


@pytest.mark.parametrize(
    "text", ["-b " * 300_000, "cookie=" * 100_000, "a" + "\u0301\u0316" * 30_000]
)
def test_long_text_is_scanned_in_linear_time(text: str) -> None:
    with limit_processor(4):
        assert find_secret(text) is None


@given(st.text())
def test_any_text_can_be_scanned(text: str) -> None:
    assert find_secret(text) in {None, *(rule.kind for rule in RULES)}


PIECES = [
    "password",
    "PassWord",
    "pwd",
    "mot de passe",
    "CONTRASE\u00d1A",
    "api_key",
    "Secret",
    "token",
]
PIECES += [
    "_KEY",
    "x-Session",
    "\u0130",
    "\u212a",
    "=",
    ":",
    "=>",
    "%3D",
    " ",
    '"',
    "\n",
    "**",
    "-x" * 9,
]
PIECES += ["hunter2Hunter9", "aB3dE5fG7hJ9kL1mN3pQ5"]


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=2)).map("".join))
@example("\u0130\u0130 password = aB3dE5fG7hJ9kL1mN3pQ5")
def test_prefilter_keeps_every_matching_rule(text: str) -> None:
    text = unicodedata.normalize("NFKC", text)  # like `find_secret`
    lowered = text.lower()
    fitting = [rule for rule in RULES if fits(rule, text)]
    assert all(any(word in lowered for word in rule.words) for rule in fitting)


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("a {0} b {0} c", "a [a password or key] b [a password or key] c"),
        ("a x{0};{0}y b", "a [a password or key] b"),
        ("{0} " * 10_000, "[a password or key] " * 10_000),
    ],
)
def test_each_secret_is_replaced_up_to_the_nearest_spaces(text: str, redacted: str) -> None:
    assert redact_secrets(text.format("password=Abc12345xyz9Q")) == redacted
