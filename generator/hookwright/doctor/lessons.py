"""Check that the lesson search server answers and is healthy."""

import json
import os
from collections.abc import Collection, Iterator

from hookwright import __version__
from hookwright.doctor.finding import Finding, Setup
from hookwright.lesson_server import TOKEN, explain_failure, format_refusal
from hookwright.project.installer import list_trusted_urls
from hookwright_console.network.addresses import find_origin
from hookwright_console.network.http_client import NotHttpError, UnreachableError, ask
from hookwright_console.network.peers import OtherUserError, can_find_owner, is_loopback

NAME = "lessons"
TIME_LIMIT = 5.0  # seconds
OK = 200


def check_lessons(setup: Setup) -> Iterator[Finding]:
    if setup.lesson_url:
        edit = setup.name_command("edit")
        yield check_server(setup.lesson_url, list_trusted_urls(setup.handlers), edit)


def check_server(url: str, own: Collection[str], edit: str) -> Finding:
    """Check the server at an address, which may come from an untrusted project.

    The token is sent only to this machine and to addresses in the user's installed hooks.
    """
    origin = find_origin(url)
    if not origin:
        return Finding.fault(NAME, f"{url} is not the address of a server", f"run {edit}")
    trusted = is_loopback(origin[1]) or origin in map(find_origin, own)
    token = os.environ.get(TOKEN, "") if trusted else ""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    try:
        # Like the hook, ignore proxies and redirects.
        answer = ask(f"{url.rstrip('/')}/api/health", headers=headers, timeout=TIME_LIMIT)
        if answer.status != OK:
            refusal = format_refusal(answer.status, token=bool(token), trusted=trusted)
            return Finding(NAME, "fault", f"{url} {refusal}")
        health = json.loads(answer.content)
    except (OtherUserError, UnreachableError) as error:
        return Finding(NAME, "fault", explain_failure(url, error))
    except (NotHttpError, RecursionError, ValueError):  # not a lesson server
        health = None
    if not isinstance(health, dict) or "lesson_count" not in health:
        return Finding.fault(NAME, f"{url} is not a lesson search server", f"run {edit}")
    return judge(url, health)


def judge(url: str, health: dict[str, object]) -> Finding:
    if health.get("status") != "healthy":
        down = [f"{part} down" for part in ("embedder", "store") if health.get(part) == "down"]
        problem = f"{url} is degraded ({', '.join(down) or health.get('status')})"
        return Finding.warn(NAME, problem, "read its log")
    version = health.get("version")
    if version and version != __version__:
        problem = f"{url} runs {version}, hookwright is {__version__}"
        return Finding.warn(NAME, problem, "update the older one")
    lessons = health["lesson_count"]
    line = f"{url} is healthy, with {lessons} lesson{'' if lessons == 1 else 's'}"
    origin = find_origin(url)
    if origin and is_loopback(origin[1]) and not (os.environ.get(TOKEN) or can_find_owner()):
        line += f"; other users of this machine can ask it too, unless you set {TOKEN} for it"
    return Finding.ok(NAME, line)
