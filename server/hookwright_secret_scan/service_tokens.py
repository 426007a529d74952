"""The rules for tokens with known prefixes, as their services document them."""

import re

from hookwright_secret_scan.values import Rule, is_key

CHARACTER_CLASSES = {"%x": "[0-9a-f]", "%w": "[A-Za-z0-9]", "%s": r"[\w-]"}


def token(kind: str, words: str, form: str) -> Rule:
    """Return the rule for a token with a known prefix.

    Args:
        kind: The name of the token in messages.
        words: The words of the rule, separated by spaces.
        form: The pattern, with %x for a hexadecimal digit, %w for a letter or digit, and %s for a
            character of a name.

    """
    for sign, characters in CHARACTER_CLASSES.items():
        form = form.replace(sign, characters)
    return Rule(kind, tuple(words.split()), re.compile(rf"(?<![\w-]){form}"), is_key)


SERVICE_TOKENS: tuple[Rule, ...] = (
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
    token("a Stripe key", "k_test_", r"[rs]k_test_(%w{16,255})"),
    token("a GitLab token", "gr1348941", r"GR1348941(%s{20,60})"),
    token("a Bitbucket token", "atbb", r"ATBB(%w{32})(?!%w)"),
    token("a Bitbucket token", "atctt3", r"ATCTT3([\w=-]{60,400})"),
    token("an xAI key", "xai-", r"xai-(%w{70,90})"),
    token("a Perplexity key", "pplx-", r"pplx-(%w{40,60})"),
    token("a Fireworks key", "fw_", r"fw_(%w{22,24})(?!%s)"),
    token("a LangSmith key", "lsv2_", r"lsv2_(?:pt|sk)_(%x{32}_%x{10})"),
    token("an ElevenLabs key", "sk_", r"sk_(%x{48})(?!%w)"),
    token("a Pinecone key", "pcsk_", r"pcsk_(%w{4,10}_%w{40,80})"),
    token("a Tavily key", "tvly-", r"tvly-(?:dev-|prod-)?(%w{24,60})"),
    token("a PostHog key", "phx_", r"phx_(%w{40,60})"),
    token("a Square token", "sq0", r"sq0(?:atp|csp)-(%s{22,60})"),
    token("a Square or Facebook token", "eaa", r"EAA(%w{50,250})"),
    token("a Fly token", "fm2_", r"fm2_([\w+/=-]{60,2000})"),
    token("a Render key", "rnd_", r"rnd_(%w{24,40})(?!%s)"),
    token("a Netlify token", "nfp_", r"nfp_(%w{32,60})"),
    token("a PlanetScale token", "pscale_", r"pscale_(?:tkn|pw|oauth)_(%s{32,64})"),
    token("a Supabase key", "sb_secret_", r"sb_secret_(%s{28,60})"),
    token(
        "a Doppler token",
        "dp.",
        r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?(%w{40,44})",
    ),
    token("a 1Password token", "ops_eyj", r"ops_eyJ([\w+/=-]{100,2000})"),
    token("a Pulumi token", "pul-", r"pul-(%x{40})(?!%w)"),
    token("a CircleCI token", "cci", r"CCIP[AR]T_(%w{20,24}_%x{40})"),
    token("a Buildkite token", "bk", r"bk(?:ua|at)_(%x{40})"),
    token("a SonarQube token", "sq", r"sq[upa]_(%x{40})"),
    token("an Artifactory key", "akcp cmvmdg", r"(?:AKCp\d|cmVmdGtuOj)(%w{50,80})"),
    token("a NuGet key", "oy2", r"oy2([a-z0-9]{43})(?!%w)"),
    token("a crates.io token", "cio", r"cio(%w{32})(?!%w)"),
    token("an Airtable token", "pat", r"pat%w{14}\.(%x{64})"),
    token("an Asana token", "/", r"[12](?:/\d{13,19}){1,2}:(%x{32})(?!%w)"),
    token("a Resend key", "re_", r"re_(%w{8}_%w{24})(?!%w)"),
    token("a Brevo key", "xkeysib-", r"xkeysib-(%x{64}-%w{16})"),
    token("a Dynatrace token", "dt0", r"dt0[a-z]\d{2}\.([A-Z2-7]{24}\.[A-Z2-7]{64})"),
    token("a Razorpay key", "rzp_", r"rzp_(?:live|test)_(%w{14})(?!%w)"),
    token("a Shippo token", "shippo_", r"shippo_(?:live|test)_(%x{40})"),
    token("a Contentful token", "cfpat-", r"CFPAT-(%s{43})"),
    token("a Flutterwave key", "flwseck", r"FLWSECK(?:_TEST)?-([\da-fA-F]{32})-X"),
    token("an EasyPost key", "ez", r"EZ[AT]K(%w{54})"),
    token("a Typeform token", "tfp_", r"tfp_(%s{40,64})"),
    token("a Mapbox token", "sk.eyj", r"sk\.eyJ(%s{30,200}\.%s{20,40})"),
    token("a Firebase key", ":apa91b", r"%s{7,11}:APA91b(%s{100,200})"),
    token("a Braintree token", "access_token$", r"access_token\$\w{7,10}\$%w{16}\$(%x{32})"),
    token("a Mailgun key", "-", r"(%x{32}-%x{8}-%x{8})(?!%s)"),
    token("a New Relic key", "ffffnral", r"(%x{36})FFFFNRAL"),
    token("a LaunchDarkly key", "sdk-", r"sdk-(%x{8}-%x{4}-%x{4}-%x{4}-%x{12})"),
    token("a Twitch token", "oauth:", r"oauth:([a-z0-9]{30})(?!%w)"),
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
        ("private-lines",),
        re.compile(r"Private-Lines: \d{1,3}\s{1,3}([A-Za-z0-9+/]{40})"),
        bool,
    ),
)
