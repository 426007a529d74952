"""Embed texts with an HTTP service, which may be down, slow or misconfigured.

While a service is down, queries fail immediately with the last error and send no request; only
check() detects that the service works again.
"""

import json
import re
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

import httpx2
import numpy as np
from httpx2 import codes

from hookwright_console.network.http_client import explain_error
from hookwright_console.network.peers import is_loopback
from hookwright_console.text import shorten
from hookwright_retrieval.embedders import EmbedderError, Vectors, make_plain, scale

QUERY_TIMEOUT = 1.5  # seconds; short because a user is waiting
DOCUMENT_TIMEOUT = 120.0
CHECK_TIMEOUT = 30.0  # seconds; long because the service may need to load a model
CONNECT_TIMEOUT = 1.5
KEPT = 90.0  # seconds to keep an idle connection open, more than the interval between checks
FIRST_BATCH, MAX_BATCH = 8, 32  # texts per request; some services accept no more
TURN = 0.5  # target seconds per batch, because a query must wait until the batch ends
MIN_LENGTH = 200  # characters of a text that every model accepts
MAX_ANSWER = 64_000_000  # bytes, far more than the longest vectors need
LAST_PORT = 65535
TRIES = 4  # attempts to embed documents
WAIT, MAX_WAIT = 1.0, 20.0  # seconds before the next attempt

# Statuses after which other texts may succeed, and statuses after which a retry may succeed.
THESE_TEXTS = {
    codes.BAD_REQUEST,
    codes.CONTENT_TOO_LARGE,
    codes.UNPROCESSABLE_CONTENT,
    codes.TOO_MANY_REQUESTS,
    codes.INTERNAL_SERVER_ERROR,
}
NOT_NOW = {
    codes.TOO_MANY_REQUESTS,
    codes.INTERNAL_SERVER_ERROR,
    codes.BAD_GATEWAY,
    codes.SERVICE_UNAVAILABLE,
    codes.GATEWAY_TIMEOUT,
}
ADVICE: dict[int, str] = {
    codes.UNAUTHORIZED: "set LESSON_SEARCH_EMBEDDER_KEY to a valid key",
    codes.FORBIDDEN: "set LESSON_SEARCH_EMBEDDER_KEY to a valid key",
    codes.TOO_MANY_REQUESTS: "wait, or raise its rate limit",
}
TOO_LONG = re.compile(r"context|tokens|too (?:long|large)", re.IGNORECASE)


# The prefixes that a model expects for queries and documents, by a pattern of its name. Models
# tuned to instructions use others.
PREFIXES = {
    r".*nomic-embed-text": ("search_query: ", "search_document: "),
    r"(?!.*instruct)(?:.*[^a-z0-9])?e5(?![a-z0-9])": ("query: ", "passage: "),
}


def find_prefixes(model: str) -> tuple[str, str]:
    """Return the prefixes for queries and documents; empty for an unknown model."""
    found = (PREFIXES[name] for name in PREFIXES if re.match(name, model, re.IGNORECASE))
    return next(found, ("", ""))


class EmbeddingServiceError(EmbedderError):
    """A request to a service failed.

    It is `down` if other texts would fail as well, and the texts are `too_long` if shorter ones may
    succeed. `wait` is the number of seconds before a retry, or None if that would be pointless.
    """

    def __init__(
        self, message: str, *, down: bool = False, wait: float | None = None, too_long: bool = False
    ) -> None:
        super().__init__(message)
        self.down, self.wait, self.too_long = down, wait, too_long


class ServiceEmbedder(ABC):
    """An embedder that queries a service; after an error, it is down until check() succeeds."""

    hint: str  # what to do if the service does not respond

    def __init__(self, kind: str, model: str, url: httpx2.URL, key: str) -> None:
        """Prepare the embedder without connecting to the service.

        Its name begins with `kind`; the key may be "". Raises EmbedderError if the port is invalid,
        or if a proxy or certificate in the environment is.
        """
        if (url.port or 0) > LAST_PORT:
            raise EmbedderError(f"{url} has a port above {LAST_PORT}: correct it")
        self.name, self.model = f"{kind}/{model}", model
        self._query_prefix, self._document_prefix = find_prefixes(model)
        self.dimensions = 0
        self._url, self._key = url, key
        self._down_reason: str | None = f"{url} was not checked yet: call check()"
        self._ingesting = 0  # number of threads that are embedding documents
        self._lock = threading.Lock()
        try:
            self._client = httpx2.Client(
                headers={"Authorization": f"Bearer {key}"} if key else None,
                trust_env=not is_loopback(url.host),  # whether to use proxies
                limits=httpx2.Limits(keepalive_expiry=KEPT),
            )
        except (ImportError, OSError, ValueError, httpx2.InvalidURL) as error:
            raise EmbedderError(
                f"cannot ask {url}: invalid proxy or certificate ({shorten(str(error))}): correct"
                " HTTPS_PROXY, ALL_PROXY or SSL_CERT_FILE"
            ) from None

    @property
    def is_up(self) -> bool:
        return self._down_reason is None

    def check(self) -> bool:
        """Embed a test word, and return whether it succeeded.

        Waits while a service loads its model, but not for an unreachable service.
        """
        if self._ingesting and self.is_up:
            return True  # documents show that the service works, and a test word would have to wait
        try:
            self._embed(["lesson"], CHECK_TIMEOUT)
        except EmbedderError as error:
            self._down_reason = str(error)
            return False
        self._down_reason = None
        return True

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        prepared = [self._document_prefix + make_plain(text) for text in texts]
        batches: list[Vectors] = []
        start, size = 0, FIRST_BATCH
        with self._lock:
            self._ingesting += 1
        try:
            while start < len(prepared):
                began = time.monotonic()
                batches.append(self._embed_with_retries(prepared[start : start + size]))
                start += size
                speed = size / max(time.monotonic() - began, 1e-3)
                size = max(1, min(round(speed * TURN), 2 * size, MAX_BATCH))
        finally:
            with self._lock:
                self._ingesting -= 1
        return np.concatenate(batches) if batches else np.zeros((0, self.dimensions), np.float32)

    def embed_query(self, text: str) -> Vectors:
        self._refuse_while_down()
        try:
            vectors = self._embed([self._query_prefix + make_plain(text)], QUERY_TIMEOUT)
        except EmbeddingServiceError as error:
            # While documents keep the service busy, only requests for documents determine whether
            # it is down.
            if error.down and not self._ingesting:
                self._down_reason = str(error)
            raise
        vector: Vectors = vectors[0]
        return vector

    def close(self) -> None:
        self._client.close()

    @abstractmethod
    def _build_request(self, texts: Sequence[str]) -> Mapping[str, object]:
        """Return a request's body."""

    @abstractmethod
    def _extract_vectors(self, answer: object) -> object:
        """Return the vectors in a response, unchecked, in the same order as the texts.

        Raises TypeError, KeyError or ValueError if the response is invalid.
        """

    def _explain_missing(self, detail: str) -> str:
        return f"{self._url} answered 404{detail}: check the URL, and the model {self.model}"

    def _refuse_while_down(self) -> None:
        if self._down_reason is not None:
            raise EmbedderError(self._down_reason)

    def _embed_with_retries(self, texts: Sequence[str]) -> Vectors:
        for attempt in range(TRIES):
            self._refuse_while_down()
            try:
                return self._embed(texts, DOCUMENT_TIMEOUT)
            except EmbeddingServiceError as error:
                last = error
            if last.wait is None or attempt == TRIES - 1:
                break
            time.sleep(min(last.wait, MAX_WAIT))
        if last.down:
            self._down_reason = str(last)
        raise last

    def _embed(self, texts: Sequence[str], timeout: float) -> Vectors:
        """Embed texts, truncating those that are too long for the model."""
        deadline = time.monotonic() + timeout
        longest = max(map(len, texts))
        while True:
            try:
                answer = self._post(self._build_request([text or " " for text in texts]), deadline)
                return self._read(answer, len(texts))
            except EmbeddingServiceError as error:
                longest //= 2
                if not error.too_long or longest < MIN_LENGTH:
                    raise
            texts = [text[:longest] for text in texts]

    def _post(self, body: Mapping[str, object], deadline: float) -> bytes:
        try:
            left = max(deadline - time.monotonic(), 1e-3)
            limits = httpx2.Timeout(left, connect=min(left, CONNECT_TIMEOUT))
            with self._client.stream("POST", self._url, json=body, timeout=limits) as response:
                content = bytearray()
                for part in response.iter_bytes():
                    content += part
                    if len(content) > MAX_ANSWER:
                        raise self._unexpected("an answer that never ended")
                    if time.monotonic() > deadline:
                        raise httpx2.ReadTimeout("")
        except (httpx2.RequestError, UnicodeError) as error:  # UnicodeError: an invalid host name
            reason = f"({self._quote(explain_error(error))}): {self.hint}"
            if isinstance(error, (httpx2.ReadTimeout, httpx2.WriteTimeout)):
                reason = "in time: check its load, or use a smaller model"
            message = f"{self._url} did not respond {reason}"
            raise EmbeddingServiceError(message, down=True) from None
        if response.status_code != codes.OK:
            raise self._refused(response, bytes(content))
        return bytes(content)

    def _refused(self, response: httpx2.Response, content: bytes) -> EmbeddingServiceError:
        status = response.status_code
        text = find_message(content)
        detail = f" ({self._quote(text)})" if text else ""
        advice = f"check the URL, and the model {self.model}"
        if codes.is_redirect(status):
            advice = "use the URL that it redirects to"
        elif status in NOT_NOW:
            advice = "see the log of the service"
        message = f"{self._url} answered {status}{detail}: {ADVICE.get(status, advice)}"
        if status == codes.NOT_FOUND:
            message = self._explain_missing(detail)
        return EmbeddingServiceError(
            message,
            down=status not in THESE_TEXTS,
            wait=read_wait(response.headers.get("Retry-After")) if status in NOT_NOW else None,
            too_long=status in THESE_TEXTS - {codes.TOO_MANY_REQUESTS}
            and bool(TOO_LONG.search(text)),
        )

    def _read(self, answer: bytes, texts: int) -> Vectors:
        try:
            rows = self._extract_vectors(json.loads(answer))
            with np.errstate(over="ignore"):  # overflow becomes infinity
                vectors: Vectors = np.asarray(rows, np.float64).astype(np.float32)
        except (KeyError, TypeError, ValueError, OverflowError, RecursionError):
            raise self._unexpected("no vectors") from None
        if vectors.shape[:1] != (texts,) or vectors[0].ndim != 1 or not vectors.size:
            raise self._unexpected(f"vectors of shape {vectors.shape} for {texts} texts")
        if not np.isfinite(vectors).all():
            raise self._unexpected("infinite vectors")
        if self.dimensions and vectors.shape[1] != self.dimensions:
            raise self._unexpected(f"vectors of {vectors.shape[1]} numbers, not {self.dimensions}")
        self.dimensions = vectors.shape[1]
        return scale(vectors)

    def _quote(self, text: str) -> str:
        return shorten(text.replace(self._key, "***") if self._key else text)

    def _unexpected(self, what: str) -> EmbeddingServiceError:
        return EmbeddingServiceError(
            f"{self._url} answered {what}: check the URL, and the model {self.model}"
        )


def find_message(content: bytes) -> str:
    try:
        error = json.loads(content)["error"]
        return str(error["message"] if isinstance(error, dict) else error)
    except (KeyError, TypeError, ValueError, RecursionError):
        return ""


def read_wait(header: str | None) -> float:
    """Return a Retry-After header's seconds; a default if it is missing or contains a date."""
    return float(header) if header and re.fullmatch(r"[0-9]{1,9}", header) else WAIT
