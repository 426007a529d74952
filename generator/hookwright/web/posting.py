"""Post JSON to an HTTP server, but never to one that another user of this machine runs."""

from collections.abc import Mapping
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request

from hookwright.web.connections import ConnectionHandler
from hookwright.web.openers import build_opener, word_failure
from hookwright_console.errors import ReportedError
from hookwright_console.peers import OtherUserError

MAX_ANSWER = 1_000_000  # bytes of an answer


class UnansweredError(ReportedError):
    """A server cannot be reached, or answers with an error."""


def post_json(url: str, text: str, headers: Mapping[str, str], patience: float) -> bytes:
    """Return what a server answers.

    Args:
        url: The address.
        text: What to post.
        headers: Those of the request, besides its type.
        patience: How many seconds to wait for the server.

    Raises:
        UnansweredError: The server cannot be reached, or answers with an error.

    """
    typed = {"Content-Type": "application/json", **headers}
    try:
        request = Request(url, text.encode(), typed)  # noqa: S310 - the opener takes HTTP alone
        with build_opener(ConnectionHandler()).open(request, timeout=patience) as answer:
            content: bytes = answer.read(MAX_ANSWER)
            return content
    except HTTPError as error:
        error.close()
        raise UnansweredError(f"{url} answers {error.code}") from None
    except (OSError, ValueError, HTTPException, OtherUserError) as error:
        raise UnansweredError(f"cannot reach {url}: {word_failure(error)}") from None
