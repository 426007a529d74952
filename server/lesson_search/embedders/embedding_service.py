"""Embed by a service over HTTP, which may be down, slow, or something else than it should be.

Who waits for what a prompt finds is told at once, without asking the service again, what was wrong
with it: only check() finds out whether it is up again.
"""

import json
import re
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

import httpx
import numpy as np
from httpx import codes

from hookwright_console.peers import is_loopback
from hookwright_console.text import show
from lesson_search.embedders import EmbedderError, Vectors, make_plain, scale
from lesson_search.embedders.prefixes import Prefixes, find_prefixes

QUERY_TIMEOUT = 1.5  # seconds: somebody waits
DOCUMENT_TIMEOUT = 120.0
CHECK_TIMEOUT = 30.0  # a model may have to be loaded
CONNECT_TIMEOUT = 1.5
KEPT = 90.0  # seconds that a connection is kept, longer than from one check to the next
FIRST_BATCH, LARGEST_BATCH = 8, 32  # texts; there are services that take no more at once
TURN = 0.5  # seconds that a batch should take: a prompt that comes in between waits for its end
SHORTEST = 200  # characters, which every model takes
LARGEST_ANSWER = 64_000_000  # bytes, many times what the longest vectors need
LAST_PORT = 65535
TRIES = 4  # of documents
WAIT, LONGEST_WAIT = 1.0, 20.0  # seconds before another

# What says that other texts may be embedded all the same, and what that it was not the last word.
THESE_TEXTS = {
    codes.BAD_REQUEST,
    codes.REQUEST_ENTITY_TOO_LARGE,
    codes.UNPROCESSABLE_ENTITY,
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
TOO_LONG = re.compile(r"context|tokens|too (?:long|large)", re.IGNORECASE)


class EmbeddingServiceError(EmbedderError):
    """What a service did wrong, in one line with the way out.

    Args:
        message: That line.
        down: Whether it would do the same with other texts.
        wait: Seconds before another try, or None where that is of no use.
        too_long: Whether it would take shorter texts.

    """

    def __init__(
        self,
        message: str,
        *,
        down: bool = False,
        wait: float | None = None,
        too_long: bool = False,
    ) -> None:
        """Keep what is to be done."""
        super().__init__(message)
        self.down = down
        self.wait = wait
        self.too_long = too_long


class ServiceEmbedder(ABC):
    """An embedder that asks a service. It is down until check() was called.

    Args:
        hint: What is to be done where nobody answers.

    """

    hint: str

    def __init__(
        self, kind: str, model: str, url: httpx.URL, key: str, prefixes: Prefixes | None
    ) -> None:
        """Say how to ask, without asking.

        Args:
            kind: What the service is, the beginning of the embedder's name.
            model: The service's name for its model.
            url: What texts are sent to.
            key: What the service lets in by, or "".
            prefixes: What stands before texts; None for what the model is known to want.

        Raises:
            EmbedderError: The URL has a port that cannot be, or the environment names a proxy, or
                certificates, that cannot be used.

        """
        if (url.port or 0) > LAST_PORT:
            raise EmbedderError(f"{url} has a port over {LAST_PORT}: give the service's own")
        known = find_prefixes(model)
        self.name, self.model = f"{kind}/{model}", model
        self._prefixes = known if prefixes is None else prefixes
        if self._prefixes != known:  # its vectors are others then
            self.name += f" with {self._prefixes.query!r} and {self._prefixes.document!r}"
        self.dimensions = 0
        self._url, self._key = url, key
        self._down_reason: str | None = f"{url} has not been asked yet: call check()"
        self._ingesting = 0  # threads
        self._lock = threading.Lock()
        try:
            self._client = httpx.Client(
                headers={"Authorization": f"Bearer {key}"} if key else None,
                trust_env=not is_loopback(url.host),  # proxies
                limits=httpx.Limits(keepalive_expiry=KEPT),
            )
        except (ImportError, OSError, ValueError, httpx.InvalidURL) as error:
            raise EmbedderError(
                f"{url} cannot be asked by this environment's proxy or certificates"
                f" ({show(str(error))}): correct HTTPS_PROXY, ALL_PROXY or SSL_CERT_FILE"
            ) from None

    @property
    def is_up(self) -> bool:
        """Tell whether it could embed when that was last known, without asking anybody."""
        return self._down_reason is None

    def check(self) -> bool:
        """Ask the service to embed a word; tell whether it did.

        It waits for a service that has to load its model, but not for one that is not there.
        """
        if self._ingesting and self.is_up:
            return True  # a word would wait its turn, and the documents tell as much
        try:
            self._embed(["lesson"], CHECK_TIMEOUT)
        except EmbedderError as error:
            self._down_reason = str(error)
            return False
        self._down_reason = None
        return True

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return a vector of length 1 for each text to be found, of shape (texts, dimensions).

        Raises:
            EmbedderError: The service is down, or refused the texts.

        """
        prepared = [self._prefixes.document + make_plain(text) for text in texts]
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
                size = max(1, min(round(speed * TURN), 2 * size, LARGEST_BATCH))
        finally:
            with self._lock:
                self._ingesting -= 1
        return np.concatenate(batches) if batches else np.zeros((0, self.dimensions), np.float32)

    def embed_query(self, text: str) -> Vectors:
        """Return a vector of length 1 for a text to find others by, of shape (dimensions,).

        Raises:
            EmbedderError: As for documents; nothing is asked twice here.

        """
        self._refuse_while_down()
        try:
            vectors = self._embed([self._prefixes.query + make_plain(text)], QUERY_TIMEOUT)
        except EmbeddingServiceError as error:
            # Where documents keep the service busy, it is they that find out whether it is down.
            if error.down and not self._ingesting:
                self._down_reason = str(error)
            raise
        vector: Vectors = vectors[0]
        return vector

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    @abstractmethod
    def _build_request(self, texts: Sequence[str]) -> Mapping[str, object]:
        """Return the body that asks for the vectors of texts."""

    @abstractmethod
    def _extract_vectors(self, answer: object) -> object:
        """Return the vectors of an answer in the order of the texts, unchecked.

        Raises TypeError, KeyError or ValueError where the answer is none.
        """

    def _explain_missing(self, detail: str) -> str:
        """Return what is wrong, and the way out, where the service answers 404."""
        return f"{self._url} answered 404{detail}: check the URL, and the model {self.model}"

    def _refuse_while_down(self) -> None:
        if self._down_reason is not None:
            raise EmbedderError(self._down_reason)

    def _embed_with_retries(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of documents, asking again where that may help."""
        for attempt in range(TRIES):
            self._refuse_while_down()
            try:
                return self._embed(texts, DOCUMENT_TIMEOUT)
            except EmbeddingServiceError as error:
                last = error
            if last.wait is None or attempt == TRIES - 1:
                break
            time.sleep(min(last.wait, LONGEST_WAIT))
        if last.down:
            self._down_reason = str(last)
        raise last

    def _embed(self, texts: Sequence[str], timeout: float) -> Vectors:
        """Return the vectors of texts, which are cut where they are too long for the model."""
        deadline = time.monotonic() + timeout
        longest = max(map(len, texts))
        while True:
            try:
                answer = self._post(self._build_request([text or " " for text in texts]), deadline)
                return self._read(answer, len(texts))
            except EmbeddingServiceError as error:
                longest //= 2
                if not error.too_long or longest < SHORTEST:
                    raise
            texts = [text[:longest] for text in texts]

    def _post(self, body: Mapping[str, object], deadline: float) -> bytes:
        """Return what the service answers by the deadline."""
        try:
            left = max(deadline - time.monotonic(), 1e-3)
            limits = httpx.Timeout(left, connect=min(left, CONNECT_TIMEOUT))
            with self._client.stream("POST", self._url, json=body, timeout=limits) as response:
                content = bytearray()
                for part in response.iter_bytes():
                    content += part
                    if len(content) > LARGEST_ANSWER:
                        raise self._unexpected("an answer without end")
                    if time.monotonic() > deadline:
                        raise httpx.ReadTimeout("")
        except httpx.ConnectTimeout:
            raise EmbeddingServiceError(
                f"{self._url} is out of reach: {self.hint}", down=True
            ) from None
        except httpx.TimeoutException:
            raise EmbeddingServiceError(
                f"{self._url} did not answer in time: see what keeps it, or take a smaller model",
                down=True,
            ) from None
        except (httpx.RequestError, UnicodeError) as error:  # a name that no host can have
            message = f"{self._url} does not answer ({self._quote(str(error))}): {self.hint}"
            raise EmbeddingServiceError(message, down=True) from None
        if response.status_code != codes.OK:
            raise self._refused(response, bytes(content))
        return bytes(content)

    def _refused(self, response: httpx.Response, content: bytes) -> EmbeddingServiceError:
        """Return what an answer other than 200 means."""
        status = response.status_code
        text = find_message(content)
        detail = f" ({self._quote(text)})" if text else ""
        message = f"{self._url} answered {status}{detail}: "
        if codes.is_redirect(status):
            message += "give the URL that it leads to"
        elif status in {codes.UNAUTHORIZED, codes.FORBIDDEN}:
            message += "set LESSON_SEARCH_EMBEDDER_KEY to a key that it takes"
        elif status == codes.NOT_FOUND:
            message = self._explain_missing(detail)
        elif status == codes.TOO_MANY_REQUESTS:
            message += "wait, or raise the limit that it keeps"
        elif status in NOT_NOW:
            message += "see its log"
        else:
            message += f"check the URL, and the model {self.model}"
        return EmbeddingServiceError(
            message,
            down=status not in THESE_TEXTS,
            wait=read_wait(response.headers.get("Retry-After")) if status in NOT_NOW else None,
            too_long=status in THESE_TEXTS - {codes.TOO_MANY_REQUESTS}
            and bool(TOO_LONG.search(text)),
        )

    def _read(self, answer: bytes, texts: int) -> Vectors:
        """Return the vectors that an answer has for so many texts."""
        try:
            rows = self._extract_vectors(json.loads(answer))
            with np.errstate(over="ignore"):  # what is too large is infinite then
                vectors: Vectors = np.asarray(rows, np.float64).astype(np.float32)
        except (KeyError, TypeError, ValueError, OverflowError, RecursionError):
            raise self._unexpected("something else than vectors") from None
        if vectors.shape[:1] != (texts,) or vectors[0].ndim != 1 or not vectors.size:
            raise self._unexpected(f"vectors of shape {vectors.shape} for {texts} texts")
        if not np.isfinite(vectors).all():
            raise self._unexpected("vectors that are not finite")
        if self.dimensions and vectors.shape[1] != self.dimensions:
            raise self._unexpected(f"vectors of {vectors.shape[1]} numbers, not {self.dimensions}")
        self.dimensions = vectors.shape[1]
        return scale(vectors)

    def _quote(self, text: str) -> str:
        """Return what a service says as a message can have it, without the key."""
        return show(text.replace(self._key, "***") if self._key else text)

    def _unexpected(self, what: str) -> EmbeddingServiceError:
        return EmbeddingServiceError(
            f"{self._url} answered {what}: check the URL, and the model {self.model}"
        )


def find_message(content: bytes) -> str:
    """Return what an answer says is wrong, in the words of either protocol, or ""."""
    try:
        error = json.loads(content)["error"]
        return str(error["message"] if isinstance(error, dict) else error)
    except (KeyError, TypeError, ValueError, RecursionError):
        return ""


def read_wait(header: str | None) -> float:
    """Return the seconds of a Retry-After header, which may be missing or have a date instead."""
    return float(header) if header and re.fullmatch(r"[0-9]{1,9}", header) else WAIT
