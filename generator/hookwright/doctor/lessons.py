"""Look whether the lesson search server is there and well."""

import json
import os
from collections.abc import Iterator
from http.client import HTTPException
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import ProxyHandler, Request, build_opener

from hookwright import __version__
from hookwright.connections import ConnectionHandler
from hookwright.doctor.finding import Finding
from hookwright.doctor.setup import Setup
from lesson_search.peers import OtherUserError, can_tell, is_loopback

PATIENCE = 5.0  # seconds
LARGEST = 100_000  # bytes of an answer
UNAUTHORIZED, FORBIDDEN = 401, 403
TOKEN = "LESSON_SEARCH_TOKEN"  # noqa: S105 - a name


def check_lessons(setup: Setup) -> Iterator[Finding]:
    """Yield how the lesson search server is, where a hook asks one."""
    if setup.lesson_url:
        yield ask(setup.lesson_url)


def ask(url: str) -> Finding:
    """Return the finding of the server at an address."""
    if not is_address(url):
        return Finding("lessons", "fault", f"{url} is no address of a server: hookwright edit")
    token = os.environ.get(TOKEN, "")
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    try:
        request = Request(f"{url.rstrip('/')}/api/health", headers=headers)  # noqa: S310 - checked
        # Like the hook, which knows nothing of proxies.
        with build_opener(ProxyHandler({}), ConnectionHandler).open(
            request, timeout=PATIENCE
        ) as response:
            health = json.loads(response.read(LARGEST))
    except HTTPError as error:
        return Finding("lessons", "fault", word_refusal(url, error.code, token))
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


def word_refusal(url: str, code: int, token: str) -> str:
    """Return in words that a server answers with an error, and what to do."""
    if code == UNAUTHORIZED:
        what = "refuses the token" if token else "wants a token"
        return f"{url} {what}: set {TOKEN} where the agent starts"
    if code == FORBIDDEN:
        return f"{url} is another user's: ask its owner to set {TOKEN} for it, and for the token"
    return f"{url} answers {code}: lesson-search serve"


def is_address(url: str) -> bool:
    """Tell whether a server can be asked at an address, which may be any text."""
    try:
        parts = urlsplit(url)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


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
    if is_loopback(urlsplit(url).hostname or "") and not (os.environ.get(TOKEN) or can_tell()):
        line += f"; other users of this machine may ask it, too, unless you set {TOKEN} for it"
    return Finding("lessons", "ok", line)
