"""Registry responses are untrusted: tested with a fake registry and Debian's docker-registry."""

import base64
import hashlib
import io
import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from hookwright_console.errors import RefusedError, ReportedError
from hookwright_documentation.sharing import registry as registries
from hookwright_documentation.sharing.archive import pack
from hookwright_documentation.sharing.references import Reference, parse_reference
from hookwright_documentation.sharing.registry import (
    MANIFEST_TYPE,
    Artifact,
    connecting,
    find_artifact,
    pull,
    push,
    write_manifest,
)

from ...support.docker_registry import DockerRegistry, serving_registry
from ...support.documentation_site import Answer, Site, redirect, serving
from ...support.shared_archives import FOUR, list_files

ARCHIVE = pack(list_files())
DIGEST = f"sha256:{hashlib.sha256(ARCHIVE).hexdigest()}"
MANIFEST = write_manifest(Artifact("", DIGEST, len(ARCHIVE)))
PATH = "/v2/acme/docs/manifests/1"
BLOB = f"/v2/acme/docs/blobs/{DIGEST}"


def hash_manifest(manifest: bytes) -> str:
    return f"sha256:{hashlib.sha256(manifest).hexdigest()}"


def answer(manifest: bytes, told: str = "") -> Answer:
    headers = {"Docker-Content-Digest": told or hash_manifest(manifest)}
    return Answer(manifest, MANIFEST_TYPE, headers=headers)


@pytest.fixture
def fake() -> Iterator[Site]:
    answers = {
        "/v2/": Answer(b"{}"),
        PATH: answer(MANIFEST),
        BLOB: Answer(ARCHIVE),
    }
    with serving(Site(answers)) as site:
        yield site


def name(site: Site, end: str = ":1") -> Reference:
    return parse_reference(f"{site.url.split('/')[2]}/acme/docs{end}")


def take(reference: Reference) -> tuple[Artifact, bytes]:
    file = io.BytesIO()
    with connecting(reference) as registry:
        artifact = find_artifact(registry, reference)
        pull(registry, reference, artifact, file)
    return artifact, file.getvalue()


def give(reference: Reference, content: bytes) -> Artifact:
    with connecting(reference) as registry:
        return push(registry, reference, content)


def test_archive_is_pulled(fake: Site) -> None:
    artifact, content = take(name(fake))
    assert content == ARCHIVE
    assert artifact.digest == hash_manifest(MANIFEST)
    fake.answers[PATH.replace("/1", f"/{artifact.digest}")] = answer(MANIFEST, "sha256:" + "0" * 64)
    assert take(name(fake, f"@{artifact.digest}")) == (artifact, ARCHIVE)


@pytest.mark.parametrize(
    ("blob", "reason"),
    [
        (bytes([ARCHIVE[0] ^ 1]) + ARCHIVE[1:], "damaged or was swapped"),
        (ARCHIVE[:-1], "damaged or was swapped"),
        (ARCHIVE + b"x", "sent over"),
        (b"", "damaged or was swapped"),
        (b"<html>", "damaged or was swapped"),
    ],
)
def test_damaged_blob_is_rejected(fake: Site, blob: bytes, reason: str) -> None:
    fake.answers[BLOB] = Answer(blob)
    with pytest.raises(RefusedError, match=reason):
        take(name(fake))


def test_swapped_manifest_is_rejected(fake: Site) -> None:
    other = write_manifest(Artifact("", "sha256:" + "1" * 64, 9))
    digest = hash_manifest(MANIFEST)
    fake.answers[PATH] = answer(other, digest)
    fake.answers[PATH.replace("/1", f"/{digest}")] = answer(other, digest)
    for end in (":1", f"@{digest}", f":1@{digest}"):
        with pytest.raises(RefusedError, match="damaged or was swapped"):
            take(name(fake, end))


def edit(**fields: object) -> bytes:
    return json.dumps(json.loads(MANIFEST) | fields, separators=(",", ":")).encode()


@pytest.mark.parametrize(
    "manifest",
    [
        b"",
        b"<html>garbage</html>",
        b"[]",
        b"[" * 50_000,
        edit(layers=[]),
        edit(layers=[{"digest": DIGEST}]),
        edit(layers=[{"mediaType": "x", "digest": DIGEST, "size": 9}]),
        edit(artifactType="application/vnd.acme"),
        edit(mediaType="application/vnd.oci.image.index.v1+json", manifests=[]),
        edit(subject={}),
        MANIFEST + b" ",
        write_manifest(Artifact("", DIGEST, 10**12)),
        write_manifest(Artifact("", DIGEST, -1)),
        write_manifest(Artifact("", "sha256:../../x", 9)),
        write_manifest(Artifact("", "md5:0", 9)),
        write_manifest(Artifact("", DIGEST + "\n", 9)),
        write_manifest(Artifact("", DIGEST.upper(), 9)),
        write_manifest(Artifact("", DIGEST, size=True)),
        write_manifest(Artifact("", DIGEST, 9.5)),  # type: ignore[arg-type]
        write_manifest(Artifact("", DIGEST, "9")),  # type: ignore[arg-type]
        write_manifest(Artifact("", ["x"], 9)),  # type: ignore[arg-type]
        write_manifest(Artifact("", "\ud800", 9)),
        edit(layers=[{"digest": DIGEST, "size": None}]),
    ],
)
def test_foreign_manifest_is_rejected(fake: Site, manifest: bytes) -> None:
    fake.answers[PATH] = answer(manifest)
    with pytest.raises(ReportedError) as raised:
        take(name(fake))
    assert str(raised.value).isprintable()
    assert len(str(raised.value)) < 300


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        (Answer(b"", status=404), "the registry has no"),
        (Answer(b"", status=500), "answers 500"),
        (Answer(b"", status=401), "log in with docker login"),
        (Answer(b"", status=401, headers={"WWW-Authenticate": "Bearer x"}), "log in with"),
        (
            Answer(
                b"", status=401, headers={"WWW-Authenticate": 'Bearer realm="http://10.0.0.1/"'}
            ),
            "redirects to http://10.0.0.1",
        ),
        (Answer(b"", status=403), "log in with"),
        (Answer(lambda: iter([b"x" * 100_000] * 50)), "sent over"),
        (redirect("http://169.254.169.254/"), "which was not followed"),
        (redirect("http://127.0.0.1:1/"), "which was not followed"),
    ],
)
def test_bad_registry_is_reported_in_one_line(fake: Site, found: Answer, reason: str) -> None:
    fake.answers[PATH] = found
    with pytest.raises(ReportedError, match=reason) as raised:
        take(name(fake))
    assert str(raised.value).isprintable()


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ({}, "did not return an upload address"),
        ({"Location": "file:///etc/passwd"}, "redirects to file://, which was not followed"),
        (
            {"Location": "//192.168.0.1/x"},
            "redirects to http://192.168.0.1, which was not followed",
        ),
        ({"Location": "http://["}, "sent an invalid response"),
    ],
)
def test_archive_without_a_destination_is_not_pushed(
    fake: Site, place: dict[str, str], reason: str
) -> None:
    for path in [path for path in fake.answers if "/blobs/" in path]:
        del fake.answers[path]
    fake.answers["/v2/acme/docs/blobs/uploads/"] = Answer(b"", status=202, headers=place)
    with pytest.raises(ReportedError, match=reason) as raised:
        give(name(fake), ARCHIVE)
    assert str(raised.value).isprintable()


def test_slow_registry_times_out(fake: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registries, "LONG", 0.2)
    monkeypatch.setattr("hookwright_documentation.sharing.transport.TIMEOUT", 1)

    def send_slowly() -> Iterator[bytes]:
        yield b"B"
        held.wait(1)

    held = threading.Event()
    fake.answers[BLOB] = Answer(send_slowly, headers={"Content-Length": str(len(ARCHIVE))})
    with pytest.raises(ReportedError, match=r"took more than|closed the connection"):
        take(name(fake))
    held.set()


def test_invalid_reference_is_rejected() -> None:
    for text in [
        *("", "acme/docs", "docs", "ghcr.io/", "ghcr.io/Acme/docs", "ghcr.io/acme/docs:"),
        *("https://ghcr.io/acme/docs", "me:pw@ghcr.io/acme/docs", "ghcr.io/../docs"),
        *("ghcr.io/acme//docs/", "ghcr.io/acme/docs@sha256:0", "ghcr.io/acme/docs@md5:0"),
        *("ghcr.io/acme/docs:1\n", "ghcr.io/acme/docs?x=1", "a.b/" + "x" * 600, "-.x/acme docs"),
    ]:
        with pytest.raises(RefusedError, match="not a registry reference"):
            parse_reference(text)


def test_reference_keeps_its_spelling() -> None:
    digest = "sha256:" + "0" * 64
    for text in ("ghcr.io/acme/docs:5.2", "localhost:5000/x:1", f"a.b:1/x/y_z@{digest}"):
        assert str(parse_reference(text)) == text
    assert str(parse_reference("ghcr.io/acme/docs")) == "ghcr.io/acme/docs:latest"
    assert str(parse_reference("a.b/x:1").pin(digest)) == f"a.b/x:1@{digest}"


@pytest.fixture(scope="module")
def docker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DockerRegistry]:
    with serving_registry(tmp_path_factory.mktemp("registry")) as registry:
        yield registry


@pytest.mark.long
def test_real_registry_stores_an_archive(docker: DockerRegistry) -> None:
    reference = parse_reference(f"{docker.host}/acme/docs:kept")
    artifact = give(reference, ARCHIVE)
    assert give(reference, ARCHIVE) == artifact
    for name in (reference, replace(reference, tag="", digest=artifact.digest)):
        assert take(name) == (artifact, ARCHIVE)


@pytest.mark.long
def test_blob_corrupted_in_a_real_registry_is_rejected(docker: DockerRegistry) -> None:
    reference = parse_reference(f"{docker.host}/acme/docs:corrupt")
    content = pack(list_files(FOUR[:2]))
    artifact = give(reference, content)
    path = docker.find_blob(artifact.layer)
    path.write_bytes(content[:-9] + bytes([content[-9] ^ 1]) + content[-8:])
    with pytest.raises(RefusedError, match="damaged or was swapped"):
        take(reference)


@pytest.mark.long
def test_manifest_swapped_in_a_real_registry_is_rejected(docker: DockerRegistry) -> None:
    reference = parse_reference(f"{docker.host}/acme/docs:swapped")
    first = give(reference, pack(list_files(FOUR[:3])))
    other = give(reference, pack(list_files(FOUR[1:])))
    blob = docker.find_blob(first.digest)
    blob.write_bytes(docker.find_blob(other.digest).read_bytes())
    with pytest.raises(ReportedError):
        take(replace(reference, tag="", digest=first.digest))


@pytest.mark.long
def test_moved_tag_has_a_different_digest(docker: DockerRegistry) -> None:
    reference = parse_reference(f"{docker.host}/acme/docs:moving")
    first = give(reference, ARCHIVE)
    second = give(reference, pack(list_files(FOUR[:1])))
    assert take(reference)[0] == second != first
    assert take(reference.pin(first.digest)) == (first, ARCHIVE)


@pytest.mark.long
def test_docker_login_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with serving_registry(tmp_path, user="me", password="hunter22hunter22") as registry:  # noqa: S106 - of the test
        reference = parse_reference(f"{registry.host}/acme/docs:1")
        with pytest.raises(ReportedError, match="log in with docker login"):
            give(reference, ARCHIVE)
        login = base64.b64encode(b"me:hunter22hunter22").decode()
        config = {"auths": {registry.host: {"auth": login}}}
        (tmp_path / "config.json").write_text(json.dumps(config))
        monkeypatch.setenv("DOCKER_CONFIG", str(tmp_path))
        artifact = give(reference, ARCHIVE)
        assert take(reference) == (artifact, ARCHIVE)
    output = "".join(capfd.readouterr())
    assert login not in output
    assert "hunter22" not in output
