"""Explain how to start the lesson server at an address, and name its token's location."""

from importlib.util import find_spec

from hookwright.answers.schema import QUESTIONS
from hookwright_console.errors import ReportedError
from hookwright_console.extras import explain_missing
from hookwright_console.network.addresses import find_origin
from hookwright_console.network.peers import OtherUserError, is_loopback

UNAUTHORIZED, FORBIDDEN = 401, 403  # statuses
TOKEN = "LESSON_SEARCH_TOKEN"  # noqa: S105 - the name of an environment variable


def read_usual_url() -> str:
    """Return the default address of lesson-search serve."""
    url: str
    (url,) = QUESTIONS["lesson_server_url"]["examples"]
    return url


def find_url() -> str:
    """Return the address of this user's running lesson server, or else the default address."""
    return find_running() or read_usual_url()


def name_start_command(url: str) -> str:
    """Return the command that starts the server at an address, or "" if it is not local."""
    origin, usual = find_origin(url), find_origin(read_usual_url())
    # The server itself does not support https, so such an address belongs to a proxy.
    if not origin or not usual or origin[0] != usual[0] or not is_loopback(origin[1]):
        return ""
    return "lesson-search serve" + ("" if origin[2] == usual[2] else f" --port {origin[2]}")


def explain_no_server(url: str) -> str:
    """Return that the server at a local address is not installed, and how to install it, or ""."""
    lacks = name_start_command(url) and not find_spec("chromadb")
    return explain_missing("the lesson server", "server") if lacks else ""


def find_running() -> str:
    """Return the address of this user's running lesson server, or ""."""
    from hookwright_console.network.server_address import find_data_folder, read_address

    try:
        address = read_address(find_data_folder())
    except (ImportError, OSError):  # its lock can be read only with the [docs] extra
        return ""
    return address[0] if address else ""


def explain_how_to_start(url: str) -> str:
    """Return what to do if the server at an address does not answer."""
    if command := name_start_command(url):
        running = find_running()
        elsewhere = f"yours runs at {running}: correct lesson_server_url with hookwright edit"
        return elsewhere if running else f"run {command}"
    origin = find_origin(url)
    if not origin:
        return "run hookwright edit, and correct lesson_server_url"
    return f"start the server on {origin[1]}, or ask whoever runs it"


def explain_failure(url: str, error: ReportedError) -> str:
    """Return a line about a server that did not respond or belongs to another user."""
    if isinstance(error, OtherUserError):
        return f"did not query {url}: {error}"
    return f"{url} did not respond ({error}): {explain_how_to_start(url)}"


def format_refusal(code: int, *, token: bool, trusted: bool) -> str:
    if code == FORBIDDEN:
        return f"belongs to another user: ask them to set {TOKEN} and to give you the token"
    if code != UNAUTHORIZED:
        return f"answers {code}: restart lesson-search serve"
    if not trusted:
        return (
            "requires a token, which doctor sends only to this machine and to servers of installed "
            "hooks: install the hooks if you trust them"
        )
    what = "rejects the token" if token else "requires a token"
    return f"{what}: set {TOKEN} where the agent starts"
