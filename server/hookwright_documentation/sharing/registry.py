"""Push archives to OCI registries and pull them, without trusting the registry's data.

An artifact is a manifest with one layer, which is the archive. `oras` handles logins and transfers
but does not verify the received data, so the size and hash of every manifest and layer are checked
here.
"""

import hashlib
import json
import logging
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import IO, Any
from urllib.parse import urljoin

import oras.auth
import oras.logger
import requests
from oras.provider import Registry
from oras.utils import append_url_params

from hookwright_console.errors import RefusedError, ReportedError
from hookwright_console.terminal import show_progress
from hookwright_console.text import shorten
from hookwright_documentation.sharing.manifest import MAX_ARCHIVE
from hookwright_documentation.sharing.references import Reference
from hookwright_documentation.sharing.transport import (
    LONG,
    MAX_ANSWER,
    PLAIN,
    ask_host,
    copy,
    guard,
)
from hookwright_documentation.sources.site.addresses import is_loopback
from hookwright_documentation.sources.urls import find_origin

MANIFEST_TYPE = "application/vnd.oci.image.manifest.v1+json"
ARTIFACT_TYPE = "application/vnd.hookwright.documentation.v1"
LAYER_TYPE = "application/vnd.hookwright.documentation.v1.tar+bzip2"
EMPTY = b"{}"
EMPTY_CONFIG = {  # from the OCI image specification, for an artifact without a config
    "mediaType": "application/vnd.oci.empty.v1+json",
    "digest": f"sha256:{hashlib.sha256(EMPTY).hexdigest()}",
    "size": len(EMPTY),
}
DOCKER_CONFIG = "DOCKER_CONFIG"  # environment variable with the folder that contains logins
DIGEST = re.compile(r"sha256:[0-9a-f]{64}\Z")
UPLOADS = "blobs/uploads/"
DENIED = (401, 403)
MISSING = 404
SENT = range(200, 300)


class MissingArtifactError(ReportedError):
    """The registry has no artifact with this name."""


@dataclass(frozen=True)
class Artifact:
    """An artifact in a registry."""

    digest: str  # sha256: and the manifest's checksum
    layer: str  # the archive's digest
    size: int  # the archive's length in bytes


@contextmanager
def connecting(reference: Reference) -> Iterator[Registry]:
    """Connect to a registry with the user's login; plain HTTP is used only on this computer."""
    registry = ask_host(reference.host, lambda: find_registry(reference))
    with registry.session:
        yield registry


def find_registry(reference: Reference) -> Registry:
    is_plain = is_loopback(reference.host.partition(":")[0])
    oras.logger.logger.set_level(logging.CRITICAL)
    root = f"{'http' if is_plain else 'https'}://{reference.host}/v2/"
    origin = find_origin(root)
    with guard(requests.Session(), origin) as session, session.get(root, headers=PLAIN) as answer:
        challenge = answer.headers.get("WWW-Authenticate", "").lower()
    kind = "basic" if challenge.startswith("basic") else "token"
    registry = Registry(reference.host, insecure=is_plain, auth_backend=kind)
    guard(registry.session, origin)
    registry.set_header("Accept-Encoding", "identity")
    folder = os.environ.get(DOCKER_CONFIG)
    configs = [str(Path(folder) / "config.json")] if folder else None
    registry.auth.load_configs(registry.get_container(str(reference)), configs)
    return registry


def find_artifact(registry: Registry, reference: Reference) -> Artifact:
    body = BytesIO()

    def run() -> tuple[str, str]:
        path = f"manifests/{reference.digest or reference.tag}"
        headers = {"Accept": MANIFEST_TYPE, **PLAIN}
        response = send(registry, reference, "GET", path, headers=headers, stream=True)
        _, sha256 = copy(response, body, MAX_ANSWER, reference.host)
        return f"sha256:{sha256}", str(response.headers.get("Docker-Content-Digest", ""))

    digest, stated = ask_host(reference.host, run)
    wanted = reference.digest or (stated if stated.startswith("sha256:") else digest)
    if digest != wanted:
        raise RefusedError(
            f"{reference}: the registry sent the manifest {digest[:19]}..., not {wanted[:19]}...: "
            "it is damaged or was swapped: nothing was imported"
        )
    return read_artifact(body.getvalue(), digest, reference)


def read_artifact(content: bytes, digest: str, reference: Reference) -> Artifact:
    try:
        manifest = json.loads(content)
        (layer,) = manifest["layers"]
        artifact = Artifact(digest, layer["digest"], layer["size"])
        is_typed = type(artifact.size) is int and DIGEST.match(artifact.layer)
        is_ours = bool(is_typed) and write_manifest(artifact) == content
    except (ValueError, KeyError, TypeError, RecursionError):
        is_ours = False
    if not is_ours:
        raise RefusedError(
            f"{reference} is not a database sent by hookwright share push: use another name"
        )
    if not 0 < artifact.size <= MAX_ARCHIVE:
        raise RefusedError(f"{reference} has {artifact.size:,} bytes: over {MAX_ARCHIVE:,}")
    return artifact


def write_manifest(artifact: Artifact) -> bytes:
    layer = {"mediaType": LAYER_TYPE, "digest": artifact.layer, "size": artifact.size}
    manifest = {
        "schemaVersion": 2,
        "mediaType": MANIFEST_TYPE,
        "artifactType": ARTIFACT_TYPE,
        "config": EMPTY_CONFIG,
        "layers": [layer],
    }
    return json.dumps(manifest, separators=(",", ":")).encode()


def pull(registry: Registry, reference: Reference, artifact: Artifact, file: IO[bytes]) -> None:
    def run() -> tuple[int, str]:
        path = f"blobs/{artifact.layer}"
        response = send(registry, reference, "GET", path, headers={**PLAIN}, stream=True)
        with show_progress("Fetching") as progress:
            return copy(response, file, artifact.size, reference.host, progress)

    size, sha256 = ask_host(reference.host, run, LONG)
    if (size, f"sha256:{sha256}") != (artifact.size, artifact.layer):
        raise RefusedError(
            f"{reference}: the registry sent {size:,} bytes with another checksum than "
            f"{artifact.layer[:19]}... of {artifact.size:,}: it is damaged or was swapped: "
            "nothing was imported"
        )


def push(registry: Registry, reference: Reference, archive: bytes) -> Artifact:
    """Push an archive, and return the artifact once the registry has received it completely."""
    layer = f"sha256:{hashlib.sha256(archive).hexdigest()}"
    draft = Artifact("", layer, len(archive))
    content = write_manifest(draft)
    artifact = Artifact(f"sha256:{hashlib.sha256(content).hexdigest()}", layer, len(archive))

    def run() -> None:
        upload(registry, reference, EMPTY, str(EMPTY_CONFIG["digest"]))
        upload(registry, reference, archive, layer)
        path, headers = f"manifests/{reference.tag}", {"Content-Type": MANIFEST_TYPE}
        send(registry, reference, "PUT", path, data=content, headers=headers)

    ask_host(reference.host, run, LONG)
    found = find_artifact(registry, reference.pin(artifact.digest))
    pull(registry, reference, found, BytesIO())
    return found


def upload(registry: Registry, reference: Reference, content: bytes, digest: str) -> None:
    with suppress(MissingArtifactError):
        send(registry, reference, "HEAD", f"blobs/{digest}")
        return
    place = send(registry, reference, "POST", UPLOADS).headers.get("Location")
    if not place:
        raise ReportedError(
            f"{reference.host} did not return an upload address: try again later, "
            "or use another registry"
        )
    path = append_url_params(urljoin(UPLOADS, place), {"digest": digest})
    headers = {"Content-Type": "application/octet-stream"}
    send(registry, reference, "PUT", path, data=content, headers=headers)


def send(
    registry: Registry, reference: Reference, method: str, path: str, **words: Any
) -> requests.Response:
    """Send a request about a repository; the path may be a whole address."""
    base = f"{registry.prefix}://{reference.host}/v2/{reference.repository}/"
    url = urljoin(base, path)
    denied = ReportedError(  # without the registry's text, which may hold secrets
        f"{shorten(reference.host)} denied access: log in with docker login {reference.host} "
        f"or oras login {reference.host}"
    )
    try:
        # Without oras's retries, which would take two minutes after a refusal.
        response: requests.Response = Registry.do_request.__wrapped__(
            registry, url, method, **words
        )
    except requests.RequestException:
        raise
    except (AttributeError, KeyError, ValueError):  # oras has no usable login
        raise denied from None
    status = response.status_code
    if status in SENT:
        return response
    response.close()
    if status == MISSING:
        raise MissingArtifactError(f"the registry has no {reference}: check the name")
    if status in DENIED:
        raise denied
    raise ReportedError(f"{reference.host} answers {status}: try again later")
