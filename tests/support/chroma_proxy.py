"""A TLS proxy in front of a Chroma server that requires a token, like those of teams."""

import http.client
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

REQUEST = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
NAMES = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]


class ChromaProxy(BaseHTTPRequestHandler):
    """Forwards requests to Chroma and returns the responses."""

    protocol_version = "HTTP/1.1"
    chroma: str
    tokens: dict[str, str]

    def pass_on(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        status, content = 401, b'{"error": "no token"}'
        if all(self.headers.get(name) == value for name, value in self.tokens.items()):
            connection = http.client.HTTPConnection(self.chroma)
            headers = {"Content-Type": "application/json"}
            connection.request(self.command, self.path, body, headers)
            answer = connection.getresponse()
            status, content = answer.status, answer.read()
            connection.close()
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_PUT = do_DELETE = pass_on  # noqa: N815 - the names are http.server's

    def log_message(self, *_: object) -> None:
        """Suppress logging."""


def make_certificate(folder: Path) -> Path:
    path = folder / "proxy.pem"
    subprocess.run(
        [*REQUEST, *NAMES, "-keyout", str(path), "-out", str(folder / "certificate.pem")],
        check=True,
        capture_output=True,
    )
    path.write_text(path.read_text() + (folder / "certificate.pem").read_text())
    return path


@contextmanager
def open_proxy(chroma_url: str, certificate: Path, token: str) -> Iterator[str]:
    proxy = type(
        "ChromaProxy",
        (ChromaProxy,),
        {
            "chroma": urlsplit(chroma_url).netloc,
            "tokens": {"Authorization": f"Bearer {token}", "X-Chroma-Token": token},
        },
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with ThreadingHTTPServer(("127.0.0.1", 0), proxy) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, args=[0.05])
        thread.start()
        yield f"https://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()
