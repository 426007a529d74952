"""Routes for the tests, and calls that match them.

No call reaches the network: allowed fetches fail in the client, and allowed Bash commands only
print text.
"""

from .model import Call

PULL_REQUEST = {
    "pattern": r"^https://github\.com/(?P<repo>[\w.-]+/[\w.-]+)/pull/(?P<number>\d+)",
    "message": "Better: gh pr view {number} --repo {repo}",
}
ISSUE = {
    "pattern": r"^https://github\.com/(?P<repo>[\w.-]+/[\w.-]+)/issues/(?P<number>\d+)",
    "message": "Better: gh issue view {number} --repo {repo}",
    "once": True,
}
API = {
    "tool": "Bash",
    "pattern": r"\bcurl\b[^|;&\n]*\shttps://api\.github\.com/(?P<path>[\w./-]+)",
    "message": "Better: gh api {path}",
}


def fetch(url: str) -> Call:
    return Call("WebFetch", {"url": url, "prompt": "Summarise."})


def bash(command: str, description: str = "Look") -> Call:
    return Call("Bash", {"command": command, "description": description})
