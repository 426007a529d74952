"""A search restricted to a database's domains is denied even if it contains no keyword."""

from pathlib import Path

import pytest

from ..support.project import GITLAB, KUBERNETES, render, run_hook, search_event


@pytest.fixture(scope="module")
def hook(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    databases = [
        {**GITLAB, "domains": ["docs.gitlab.com", "about.GitLab.com"]},
        {**KUBERNETES, "domains": ["kubernetes.io"]},
    ]
    project = tmp_path_factory.mktemp("domains") / "project"
    return render(template, project, databases=databases) / "hooks" / "docsearch.py"


@pytest.mark.parametrize(
    ("domains", "named"),
    [
        (["docs.gitlab.com"], "'docs.gitlab.com'"),
        (["ABOUT.gitlab.com", "docs.gitlab.com"], "'about.GitLab.com'"),
        (["docs.gitlab.com/ee/ci\nmore"], "'docs.gitlab.com'"),
        (["v1.docs.kubernetes.io"], "'kubernetes.io'"),
    ],
)
def test_database_domains_are_matched(
    hook: Path, config: Path, domains: list[str], named: str
) -> None:
    answer = run_hook(hook, search_event("cache keys", allowed_domains=domains), config)
    assert answer.denied
    reason = f"Query matches {named} - using RAG database instead"
    assert answer.output["permissionDecisionReason"] == reason


@pytest.mark.parametrize(
    "fields",
    [
        {"allowed_domains": []},
        {"allowed_domains": ["gitlab.com"]},
        {"allowed_domains": ["notkubernetes.io"]},
        {"allowed_domains": ["docs.gitlab.com", "example.com"]},
        {"allowed_domains": ["docs.gitlab.com", "kubernetes.io"]},
        {"blocked_domains": ["docs.gitlab.com"]},
        {"allowed_domains": [5]},
        {"allowed_domains": "docs.gitlab.com"},
    ],
)
def test_search_restricted_to_other_domains_goes_through(
    hook: Path, config: Path, fields: dict[str, object]
) -> None:
    assert run_hook(hook, search_event("cache keys", **fields), config).silent


def test_keyword_and_domain_both_match(hook: Path, config: Path) -> None:
    event = search_event("k8s cache", allowed_domains=["docs.gitlab.com"])
    reason = run_hook(hook, event, config).output["permissionDecisionReason"]
    assert reason == "Query matches 'docs.gitlab.com' and 'k8s' - using RAG databases instead"


def test_repeated_domain_search_goes_through(hook: Path, config: Path) -> None:
    event = search_event("cache keys", allowed_domains=["kubernetes.io"])
    assert run_hook(hook, event, config).denied
    assert run_hook(hook, event, config).silent
