"""Look whether the lesson search server is there and well."""

import json
import os
from collections.abc import Collection, Iterator
from http.client import HTTPException
from urllib.error import HTTPError, URLError
from urllib.request import Request

from hookwright import __version__
from hookwright.doctor.finding import Finding
from hookwright.doctor.setup import Setup
from hookwright.simulate.trust import TOKEN
from hookwright.web.connections import ConnectionHandler
from hookwright.web.openers import build_opener, find_origin
from hookwright_console.peers import OtherUserError, can_find_owner, is_loopback

PATIENCE = 5.0  # seconds
LARGEST = 100_000  # bytes of an answer
UNAUTHORIZED, FORBIDDEN = 401, 403


def check_lessons(setup: Setup) -> Iterator[Finding]:
    """Yield how the lesson search server is, where a hook asks one."""
    if setup.lesson_url:
        yield ask(setup.lesson_url, setup.own_lesson_urls)


def ask(url: str, own: Collection[str]) -> Finding:
    """Return the finding of the server at an address.

    Args:
        url: The address, which a stranger's project may name.
        own: The addresses that the user's installed hooks ask. Only these and this machine are
            given the token.

    """
    origin = find_origin(url)
    if not origin:
        return Finding("lessons", "fault", f"{url} is no address of a server: hookwright edit")
    trusted = is_loopback(origin[1]) or origin in map(find_origin, own)
    token = os.environ.get(TOKEN, "") if trusted else ""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    try:
        request = Request(f"{url.rstrip('/')}/api/health", headers=headers)  # noqa: S310 - checked
        # Like the hook, which knows nothing of proxies and follows no redirects.
        with build_opener(ConnectionHandler()).open(request, timeout=PATIENCE) as response:
            health = json.loads(response.read(LARGEST))
    except HTTPError as error:
        error.close()
        line = f"{url} {word_refusal(error.code, token=bool(token), trusted=trusted)}"
        return Finding("lessons", "fault", line)
    except OtherUserError as error:
        return Finding("lessons", "fault", f"{url} is not asked: {error}")
    except (OSError, URLError) as error:
        reason = getattr(error, "reason", None) or error
        reason = getattr(reason, "strerror", None) or reason
        line = f"{url} does not answer ({reason}): start it with lesson-search serve"
        return Finding("lessons", "fault", line)
    except (HTTPException, RecursionError, ValueError):  # it answers, but otherwise than agreed
        health = None
    if not isinstance(health, dict) or "lesson_count" not in health:
        line = f"{url} is no lesson search server: hookwright edit"
        return Finding("lessons", "fault", line)
    return judge(url, health)


def word_refusal(code: int, *, token: bool, trusted: bool) -> str:
    """Return what a server that answers with an error does, and the way out."""
    if code == FORBIDDEN:
        return f"is another user's: ask its owner to set {TOKEN} for it, and for the token"
    if code != UNAUTHORIZED:
        return f"answers {code}: lesson-search serve"
    if not trusted:
        return (
            "wants a token, which only this machine and the server of an installed hook are given: "
            "install the hooks, if you trust them"
        )
    what = "refuses the token" if token else "wants a token"
    return f"{what}: set {TOKEN} where the agent starts"


def judge(url: str, health: dict[str, object]) -> Finding:
    """Return the finding of a server that says how it is."""
    if health.get("status") != "healthy":
        down = [part for part in ("embedder", "store") if health.get(part) == "down"]
        line = f"{url} is degraded, {' and '.join(down) or 'it says'} down: look at its log"
        return Finding("lessons", "warn", line)
    version = health.get("version")
    if version and version != __version__:
        line = f"{url} is of version {version}, this is {__version__}: update the older one"
        return Finding("lessons", "warn", line)
    line = f"{url} is healthy, with {health['lesson_count']} lessons"
    origin = find_origin(url)
    if origin and is_loopback(origin[1]) and not (os.environ.get(TOKEN) or can_find_owner()):
        line += f"; other users of this machine may ask it, too, unless you set {TOKEN} for it"
    return Finding("lessons", "ok", line)
