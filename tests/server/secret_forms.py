"""Secrets in the forms that people paste, made up as the tests run: no scanner stumbles here."""

import base64
import random
import string

LETTERS = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
BASE32 = string.ascii_uppercase + "234567"
BASE64 = LETTERS + "+/"


def draw(length: int, characters: str = LETTERS, seed: int = 0) -> str:
    """Return the same random characters each time, digits and letters among them."""
    chance = random.Random(length + seed)  # noqa: S311 - no secret
    while True:
        drawn = "".join(chance.choices(characters, k=length))
        if any(map(str.isdigit, drawn)) and any(map(str.isalpha, drawn)):
            return drawn


def encode(text: str) -> str:
    """Return a text in Base64."""
    return base64.b64encode(text.encode()).decode()


PASSWORD = draw(6) + "!" + draw(5, seed=50)
LOGIN = f"deploy:{PASSWORD}"
JWT = ".".join(["ey" + "J" + draw(20), "ey" + "J" + draw(40), draw(43)])
UUID = "-".join(draw(length, HEX, 7) for length in (8, 4, 4, 4, 12))
BEGIN, END = "-----BEGIN {} KEY-----", "-----END {} KEY-----"
PEM = "\n".join([BEGIN, draw(64, BASE64), draw(64, BASE64, 1), END]).format("PRIVATE", "PRIVATE")

# Each as it stands in a text, by what it is of.
FORMS = dict(
    [
        ("bearer", "Authorization: Bearer " + draw(40)),
        ("bearer-curl", f"curl -H 'authorization: bearer {draw(32, HEX)}' https://x.dev"),
        ("bearer-json", '{"Authorization": "Bearer ' + draw(32) + '"}'),
        ("token-header", "Authorization: token " + draw(40, HEX)),
        ("basic", "Authorization: Basic " + encode(LOGIN)),
        ("x-api-key", "X-Api-Key: " + draw(32)),
        ("x-auth-token", "X-Auth-Token: " + draw(32)),
        ("password-option", "deploy --user bot --password " + PASSWORD),
        ("password-option-equals", f"deploy --password={PASSWORD}"),
        ("password-option-quoted", f"deploy --password '{PASSWORD}' now"),
        ("token-option", "deploy --token " + draw(24)),
        ("secret-option", "deploy --client-secret " + draw(24)),
        ("curl-user", f"curl -u {LOGIN} https://x.dev"),
        ("curl-user-long", f"curl --user '{LOGIN}' https://x.dev"),
        ("mysql", f"mysql -h db -u root -p{PASSWORD} shop"),
        ("mysqldump", f"mysqldump -uroot -p'{PASSWORD}' shop"),
        ("sshpass", f"sshpass -p {PASSWORD} ssh deploy@x.dev"),
        ("redis", f"redis-cli -h cache -a {PASSWORD} ping"),
        ("docker-login", f"docker login -u bot -p {PASSWORD}"),
        (
            "slack-hook",
            "https://hooks.slack.com/services/T" + "/B".join([draw(8), draw(8)]) + "/" + draw(24),
        ),
        ("discord-hook", f"https://discord.com/api/webhooks/{'73' * 9}/" + draw(68)),
        (
            "teams-hook",
            f"https://x.webhook.office.com/webhookb2/{UUID}@{UUID}/IncomingWebhook/"
            + draw(32, HEX)
            + f"/{UUID}",
        ),
        ("huggingface", "hf" + "_" + draw(34)),
        ("google-oauth", "ya29" + "." + draw(60)),
        ("google-key", "AI" + "za" + draw(35)),
        ("google-client", "GOCSPX" + "-" + draw(28)),
        ("slack-app", "xapp" + "-1-A" + draw(10) + "-" + "73" * 6 + "-" + draw(64, HEX)),
        *((f"slack-{one}", f"xox{one}-" + "73" * 6 + "-" + draw(24)) for one in "abeoprs"),
        ("sendgrid", "SG" + "." + draw(22) + "." + draw(43)),
        ("twilio", "SK" + draw(32, HEX)),
        ("twilio-token", "TWILIO_AUTH_TOKEN=" + draw(32, HEX)),
        ("azure-sas", f"https://x.blob.core.windows.net/b?sv=2024-11-04&sr=b&sig={draw(43)}%3D"),
        (
            "azure-storage",
            f"DefaultEndpointsProtocol=https;AccountName=x;AccountKey={draw(86, BASE64)}==",
        ),
        ("azure-bus", f"Endpoint=sb://x/;SharedAccessKeyName=k;SharedAccessKey={draw(43)}="),
        ("azure-client", "AZURE_CLIENT_SECRET=" + draw(3) + "8Q~" + draw(34)),
        ("netrc", f"machine x.dev login deploy password {PASSWORD}"),
        ("netrc-lines", f"machine x.dev\n  login deploy\n  password {PASSWORD}"),
        ("netrc-short", f"machine x.dev password {PASSWORD}"),
        ("pgpass", f"db.x.dev:5432:shop:deploy:{PASSWORD}"),
        ("pgpass-any", f"*:*:*:deploy:{PASSWORD}"),
        ("pgpassword", f"PGPASSWORD={PASSWORD} psql -h db"),
        ("pgpassword-quoted", f"export PGPASSWORD='{PASSWORD}'"),
        ("url", f"postgres://{LOGIN}@db.x.dev/shop"),
        ("url-without-user", f"redis://:{PASSWORD}@cache:6379/0"),
        ("url-git", f"https://{LOGIN}@git.x.dev/a.git"),
        ("aws-key", "AK" + "IA" + draw(16, BASE32)),
        ("aws-temporary", "AS" + "IA" + draw(16, BASE32)),
        ("aws-secret", "aws_secret_access_key = " + draw(40, BASE64)),
        ("aws-session", "AWS_SESSION_TOKEN=" + draw(120, BASE64)),
        *((f"github-{one}", f"gh{one}_" + draw(36)) for one in "pousr"),
        ("github-fine", "github" + "_pat_" + draw(22) + "_" + draw(59)),
        ("gitlab", "gl" + "pat-" + draw(20)),
        ("gitlab-runner", "gl" + "rt-" + draw(20)),
        ("npm", "npm" + "_" + draw(36)),
        ("npmrc", "//registry.npmjs.org/:_authToken=" + UUID),
        ("npmrc-login", "//npm.x.dev/:_auth=" + encode(LOGIN)),
        ("pypi", "pypi" + "-AgE" + draw(70)),
        ("stripe", "sk" + "_live_" + draw(24)),
        ("stripe-restricted", "rk" + "_live_" + draw(24)),
        ("stripe-hook", "whsec" + "_" + draw(32)),
        ("openai", "sk" + "-" + draw(48)),
        ("openai-project", "sk" + "-proj-" + draw(48)),
        ("anthropic", "sk" + "-ant-api03-" + draw(80)),
        ("jwt", JWT),
        ("pem", PEM),
        ("pem-rsa", PEM.replace("PRIVATE", "RSA PRIVATE")),
        ("pem-openssh", PEM.replace("PRIVATE", "OPENSSH PRIVATE")),
        ("pem-escaped", PEM.replace("\n", "\\n")),
        ("age", "AGE-SECRET" + "-KEY-1" + draw(58, BASE32)),
        ("digitalocean", "dop" + "_v1_" + draw(64, HEX)),
        ("docker-hub", "dckr" + "_pat_" + draw(27)),
        ("docker-config", '{"auths": {"x.dev": {"auth": "' + encode(LOGIN) + '"}}}'),
        ("kubeconfig", "client-key-data: " + encode(PEM)),
        ("kubeadm", f"kubeadm join x:6443 --token {draw(6, HEX)}.{draw(16, HEX)}"),
        ("heroku", "HEROKU_API_KEY=" + UUID),
        ("heroku-key", "HRKU" + "-" + UUID),
        ("datadog", "DD_API_KEY=" + draw(32, HEX)),
        ("datadog-app", "DD_APP_KEY: " + draw(40, HEX)),
        ("terraform", draw(14) + ".atlasv1." + draw(67)),
        ("vault", "hvs" + "." + draw(90)),
        ("vault-short", "hvs" + "." + draw(24)),
        ("telegram", "73" * 5 + ":AA" + draw(33)),
        ("discord-bot", "MT" + draw(24) + "." + draw(6) + "." + draw(38)),
        ("mailgun", "key" + "-" + draw(32, HEX)),
        ("mailchimp", draw(32, HEX) + "-us21"),
        ("shopify", "shp" + "at_" + draw(32, HEX)),
        ("linear", "lin" + "_api_" + draw(40)),
        ("notion", "ntn" + "_" + draw(46)),
        ("notion-old", "secret" + "_" + draw(43)),
        ("sentry", "sntrys" + "_ey" + "J" + draw(80) + "_" + draw(43)),
        ("sentry-user", "sntryu" + "_" + draw(64, HEX)),
        ("sentry-url", f"https://{draw(32, HEX)}@o42.ingest.sentry.io/42"),
        ("grafana", "glsa" + "_" + draw(32) + "_" + draw(8, HEX)),
        ("grafana-cloud", "glc" + "_ey" + "J" + draw(80)),
        ("databricks", "dapi" + draw(32, HEX)),
        ("new-relic", "NRAK" + "-" + draw(27, BASE32)),
        ("postman", "PMAK" + "-" + draw(24, HEX) + "-" + draw(34, HEX)),
        ("atlassian", "ATATT3" + draw(180)),
        ("figma", "figd" + "_" + draw(40)),
        ("supabase", "sbp" + "_" + draw(40, HEX)),
        ("groq", "gsk" + "_" + draw(52)),
        ("replicate", "r8" + "_" + draw(37)),
        ("tailscale", "tskey" + "-auth-" + draw(17) + "-" + draw(32)),
        ("rubygems", "rubygems" + "_" + draw(48, HEX)),
        ("set-cookie", f"Set-Cookie: session={draw(40)}; Path=/; HttpOnly"),
        ("cookie", f"curl -H 'Cookie: theme=dark; sessionid={draw(32)}' https://x.dev"),
        ("password-yaml", f"password: {PASSWORD}"),
        ("password-json", f'"password": "{PASSWORD}"'),
        ("api-key", f"api key: {draw(32)}"),
        ("token", f"DEPLOY_TOKEN={draw(32)}"),
        ("django", f"SECRET_KEY = '{draw(50)}'"),
    ]
)
