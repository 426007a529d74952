"""Render projects and run their hooks."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import copier
from plumbum import local

from .forked_scripts import HOOKS

ROOT = Path(__file__).resolve().parents[2]
TEMPLATE_PARTS = ("copier.yml", "template", "generator")

GITLAB = {
    "keywords": ["gitlab", "gl", "gitlab-ci"],
    "path": "/Users/viktor/.leann/databases/gitlab",
    "mcp_tool_name": "mcp__leann__search",
    "description": "GitLab documentation from docs.gitlab.com",
}
KUBERNETES = {
    "keywords": ["kubernetes", "k8s", "kubectl"],
    "path": "/Users/viktor/.leann/databases/kubernetes",
    "mcp_tool_name": "mcp__leann__search",
    "description": "Kubernetes official documentation",
}
# A database with an index, so that denials contain the answer.
INDEXED: dict[str, Any] = {
    "keywords": ["acme"],
    "path": "/home/me/.local/share/hookwright/docs/acme",
    "mcp_tool_name": "mcp__hookwright-docs__search_docs",
    "arguments": {"database": "acme"},
    "description": "Acme documentation",
    "domains": ["docs.example"],
}
PULL_REQUEST = {
    "pattern": r"github\.com/(?P<owner>[^/]+)/(?P<repo>[^/]+)/pull/(?P<number>\d+)",
    "message": "Run: gh pr view {number} --repo {owner}/{repo}",
}
URL = "https://github.com/octo/hello/pull/42"  # matches the route's pattern
MESSAGE = "Run: gh pr view 42 --repo octo/hello"  # the message of that route
GITHUB_API = {
    "tool": "Bash",
    "pattern": r"\bcurl\b.*\bapi\.github\.com/(?P<path>[\w/-]+)",
    "message": "Run: gh api {path}",
}

# The three routes from the hook's design, as in its tool-routes.json.
ROUTES = {
    "atlassian": {
        "pattern": "https?://[^/]*\\.atlassian\\.net",
        "message": "Ask Jira and Confluence by their own tools.\n\n"
        "Call: mcp__proxy__retrieve_tools\nQuery: 'jira confluence issue page'\n\n"
        "They are signed in.",
    },
    "github-pr": {
        "pattern": "github\\.com/[^/]+/[^/]+/pull/\\d+",
        "message": "Run: gh pr view <number>\n\nIt sees private pull requests, too.",
    },
    "linear": {
        "pattern": "linear\\.app/[^/]+/issue",
        "message": "Call: mcp__proxy__retrieve_tools\nQuery: 'linear issue project'",
    },
}


@dataclass(frozen=True)
class Answer:
    """A hook's result: its exit code and output."""

    code: int
    stdout: str
    stderr: str

    @property
    def denied(self) -> bool:
        return self.code == 2 and self.output["permissionDecision"] == "deny"

    @property
    def reason(self) -> str:
        return self.output["permissionDecisionReason"]

    @property
    def silent(self) -> bool:
        return (self.code, self.stdout, self.stderr) == (0, "", "")

    @property
    def output(self) -> dict[str, str]:
        output: dict[str, str] = json.loads(self.stdout)["hookSpecificOutput"]
        return output


def copy_template(destination: Path) -> Path:
    for part in TEMPLATE_PARTS:
        if (ROOT / part).is_dir():
            shutil.copytree(
                ROOT / part, destination / part, ignore=shutil.ignore_patterns("__pycache__")
            )
        else:
            destination.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / part, destination / part)
    return destination


def render(template: Path, destination: Path, **answers: Any) -> Path:
    """Render a project named my-hooks from answers, like `copier copy --defaults`."""
    answers = {"project_name": "my-hooks", **answers}
    # In a git repository, Copier calls git for each file that it writes; hiding git avoids this.
    no_git = {} if (template / ".git").exists() else {"PATH": os.devnull}
    with local.env(**no_git):
        copier.run_copy(str(template), destination, data=answers, defaults=True, quiet=True)
    return destination


def search_event(query: object, **fields: object) -> dict[str, object]:
    """Return Claude Code's PreToolUse event of a web search.

    The allowed_domains and blocked_domains fields are added to the tool's input.
    """
    domains = {name: fields.pop(name) for name in list(fields) if name.endswith("_domains")}
    return {
        "session_id": "3f0c1d6e-8a52-4c59-9d3c-5a3c0c1d6e8a",
        "transcript_path": "/home/me/.claude/projects/work/3f0c1d6e.jsonl",
        "cwd": "/src/gitlab-ci",
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": "WebSearch",
        "tool_input": {"query": query, **domains},
        "tool_use_id": "toolu_01",
        **fields,
    }


def call_event(tool: object, tool_input: object, **fields: object) -> dict[str, object]:
    return {**search_event(None), "tool_name": tool, "tool_input": tool_input, **fields}


def fetch_event(url: object, **fields: object) -> dict[str, object]:
    return call_event("WebFetch", {"url": url, "prompt": "Summarise"}, **fields)


def prompt_event(prompt: object, **fields: object) -> dict[str, object]:
    return {
        "session_id": "3f0c1d6e-8a52-4c59-9d3c-5a3c0c1d6e8a",
        "transcript_path": "/home/me/.claude/projects/work/3f0c1d6e.jsonl",
        "cwd": "/src/gitlab-ci",
        "prompt_id": "9b1c1d6e-8a52-4c59-9d3c-5a3c0c1d6e8a",
        "permission_mode": "default",
        "hook_event_name": "UserPromptSubmit",
        "prompt": prompt,
        **fields,
    }


def bash_event(command: object, **fields: object) -> dict[str, object]:
    return call_event("Bash", {"command": command, "description": "Run it"}, **fields)


def run_hook(
    script: Path,
    event: object,
    config: Path,
    *,
    python: str = sys.executable,
    **environment: str,
) -> Answer:
    raw = event if isinstance(event, bytes) else json.dumps(event, ensure_ascii=False).encode()
    own = {**os.environ, "CLAUDE_CONFIG_DIR": str(config), **environment}
    completed = HOOKS.run([str(script)], raw, own) if python == sys.executable else None
    completed = completed or subprocess.run(
        [python, "-I", "-S", str(script)], input=raw, capture_output=True, check=False, env=own
    )
    return Answer(completed.returncode, completed.stdout.decode(), completed.stderr.decode())
