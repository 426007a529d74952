"""Run git without executing any code from a repository.

git can neither prompt the user nor reach a private network.
"""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path

from hookwright_console.errors import ReportedError
from hookwright_console.files.regular import walk
from hookwright_console.network.addresses import shorten_url
from hookwright_console.text import make_printable, shorten
from hookwright_documentation.sources.git.repository import Repository
from hookwright_documentation.sources.registry import CrawlOptions
from hookwright_documentation.sources.site.addresses import ConnectionRules
from hookwright_documentation.sources.site.failures import (
    CERTIFICATES,
    explain_refused,
    explain_untrusted,
    is_proxied,
)
from hookwright_documentation.sources.urls import find_origin

KEPT = (  # environment variables to keep: git's location, network access, trusted certificates
    *("PATH", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP", CERTIFICATES, "SSL_CERT_DIR"),
    *("GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "CURL_CA_BUNDLE"),
    *("http_proxy", "https_proxy", "all_proxy", "no_proxy"),
    *("HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"),
)
SETTINGS = {
    "core.askPass": "",
    "core.autocrlf": "false",
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "core.protectHFS": "true",
    "core.protectNTFS": "true",
    "core.symlinks": "false",
    "credential.helper": "",
    "fetch.recurseSubmodules": "false",
    "gc.auto": "0",
    "http.followRedirects": "false",
    "maintenance.auto": "false",
    "submodule.recurse": "false",
}
POLL = 0.2  # seconds between two checks of the size of git's output
MAX_OUTPUT = 50_000_000  # bytes
DUMB = "dumb http transport"  # git's error for a server without shallow clones
LOGIN = "it does not exist or needs a login: use a public one, or a folder"
MISSING = "there is no such repository: check the URL"
REDIRECTED = "it redirects: use the final URL"
UNTRUSTED = ("certificate problem", "certificate verification")
EXPLAINED = {  # git's messages, and explanations to show instead; the first one is used
    **dict.fromkeys(("could not read Username", "Authentication failed"), LOGIN),
    **dict.fromkeys(("not found", "does not exist", "404"), MISSING),
    **dict.fromkeys(("301", "302", "308", "redirect"), REDIRECTED),
    "object name HEAD": "its default branch has no commits: name another with --version",
    "dubious ownership": "it belongs to another user: use your own copy",
}
ENDS = ("fatal: ", "error: ", "remote: ")


class Git:
    """Runs git commands for one repository."""

    def __init__(self, repository: Repository, folder: Path, options: CrawlOptions) -> None:
        """Find git, and resolve the repository's host; raises ReportedError."""
        program = shutil.which("git")
        if program is None:
            raise ReportedError("git is not installed: install it, or use a folder")
        self.clone_folder = folder / "clone"
        self._home = folder / "home"
        self._home.mkdir(parents=True, exist_ok=True)
        self._repository = repository
        self._shown = shorten_url(repository.url)
        self._max_bytes = options.max_bytes
        self._end = time.monotonic() + options.time_limit
        resolution = find_resolution(repository, is_strangers=options.is_strangers)
        settings = SETTINGS | resolution
        pairs = (("-c", f"{name}={value}") for name, value in settings.items())
        self._command = [program, *chain(*pairs)]

    def clone(self) -> None:
        """Clone the newest commit without file contents or checkout; raises ReportedError."""
        options = ["--no-checkout", "--no-tags", "--single-branch", "--no-recurse-submodules"]
        options += ["--quiet", "--template=", "--no-local", "--filter=blob:none"]
        if self._repository.ref:
            options.append(f"--branch={self._repository.ref}")
        place = ["--", self._repository.url, str(self.clone_folder)]
        try:
            self._run(["clone", "--depth=1", *options, *place])
        except ReportedError as error:
            if DUMB not in str(error.__cause__ or ""):
                raise
            shutil.rmtree(self.clone_folder, ignore_errors=True)
            self._run(["clone", *options, *place])

    def run(self, *words: str, stdin: str = "") -> bytes:
        return self._run(["-C", str(self.clone_folder), *words], stdin)

    def read(self, *words: str) -> str:
        return self.run(*words).decode("utf-8", "replace").strip()

    def _run(self, words: Sequence[str], stdin: str = "") -> bytes:
        stdin_file, output, errors = (self._home / name for name in ("input", "output", "errors"))
        stdin_file.write_bytes(stdin.encode())
        with stdin_file.open("rb") as file, output.open("wb") as out, errors.open("wb") as err:
            process = subprocess.Popen(  # noqa: S603 - git, with words that are checked
                [*self._command, *words],
                stdin=file,
                stdout=out,
                stderr=err,
                env=build_environment(self._home, is_local=self._repository.is_local),
                start_new_session=True,
            )
            try:
                while process.poll() is None:
                    with suppress(subprocess.TimeoutExpired):
                        process.wait(POLL)
                    self._check_limits()
            finally:
                end(process)
        text = errors.read_bytes()[-10_000:].decode("utf-8", "replace")
        if process.returncode:
            reason = explain_output(text, self._repository)
            raise ReportedError(f"{self._shown}: {reason}") from OSError(text)
        if output.stat().st_size > MAX_OUTPUT:
            raise ReportedError(f"{self._shown}: it has too many files: use another source")
        return output.read_bytes()

    def _check_limits(self) -> None:
        if time.monotonic() > self._end:
            raise ReportedError(f"{self._shown}: git took too long: use a smaller repository")
        if measure_folder(self._home.parent) > self._max_bytes:
            raise ReportedError(
                f"{self._shown}: over {self._max_bytes:,} bytes: use a smaller repository"
            )


def find_resolution(repository: Repository, *, is_strangers: bool = False) -> dict[str, str]:
    """Return the setting that makes git connect to the checked address; raises ReportedError."""
    if repository.is_local or is_proxied(repository.url):
        return {}  # the proxy resolves the name
    host, port = find_origin(repository.url)
    rules = ConnectionRules((host, port), is_strangers=is_strangers)
    shown = shorten_url(repository.url)
    try:
        found = rules.find_addresses(host, port)
    except OSError:
        raise ReportedError(
            f"{shown}: cannot find {shorten(host)}: check the URL and the network"
        ) from None
    if not found:
        refused = rules.refused.get(host, "nowhere")
        raise ReportedError(f"{shown}: {explain_refused(shorten(host), refused)}")
    address = str(found[0][4][0])
    if ":" in host or address == host:
        return {}
    pinned = f"[{address}]" if ":" in address else address
    return {"http.curloptResolve": f"{host}:{port}:{pinned}"}


def build_environment(home: Path, *, is_local: bool) -> dict[str, str]:
    """Return an environment for git that excludes the user's configuration and disables prompts."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    if CERTIFICATES in kept:  # git itself does not read this variable
        kept.setdefault("GIT_SSL_CAINFO", kept[CERTIFICATES])
    return {
        **kept,
        "GIT_ALLOW_PROTOCOL": "file" if is_local else "http:https",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_LFS_SKIP_SMUDGE": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "HOME": str(home),
        "LC_ALL": "C",
        "XDG_CONFIG_HOME": str(home),
    }


def end(process: "subprocess.Popen[bytes]") -> None:
    if process.poll() is not None:
        return
    if hasattr(os, "killpg"):
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


def explain_output(text: str, repository: Repository) -> str:
    lines = [line for line in text.splitlines() if line.startswith(ENDS)]
    if "Remote branch" in text and "not found" in text:
        return f"it has no branch or tag {shorten(repository.ref)}: use another --version"
    if any(mark in text for mark in UNTRUSTED):
        return explain_untrusted(text)
    reason = lines[0].partition(": ")[2] if lines else "git failed"
    unknown = f"{make_printable(reason[:200])}: check the URL and the network"
    return next((EXPLAINED[mark] for mark in EXPLAINED if mark in text), unknown)


def measure_folder(folder: Path) -> int:
    """Return the total size in bytes of a folder's files, which may change during the call."""
    size = 0
    for here, _, files in walk(folder):
        for name in files:
            with suppress(OSError):
                size += os.lstat(os.path.join(here, name)).st_size  # noqa: PTH118 - often
    return size
