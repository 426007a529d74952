"""install.py preserves the modes, owners and types of files, and no file can block it."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ..support.installer import Installer, run_here, snapshot
from ..support.interrupted_install import run_to, survey

AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
OWNER = (1234, 2345)
# Executed at each step: prints the modes of the settings and of their backup during writing.
SHOW_MODES = (
    "import glob; [print('mode', oct(os.stat(path).st_mode & 0o777)) for path in "
    "glob.glob(os.environ['CLAUDE_CONFIG_DIR'] + '/.*.hookwright')]"
)


def bind(path: Path) -> None:
    previous = Path.cwd()
    os.chdir(path.parent)  # a socket path may have at most 107 bytes
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path.name)
    os.chdir(previous)


def link_to_pipe(path: Path) -> None:
    os.mkfifo(path.with_name("pipe"))
    path.symlink_to("pipe")


KINDS: dict[str, Callable[[Path], object]] = {
    "pipe": os.mkfifo,
    "folder": os.mkdir,
    "socket": bind,
    "device": lambda path: path.symlink_to("/dev/zero"),
    "link": link_to_pipe,
}


def test_umask_lets_nobody_else_write(install: Installer) -> None:
    words = [sys.executable, str(install.project / "install.py")]
    own = {**os.environ, "CLAUDE_CONFIG_DIR": str(install.config)}
    subprocess.run(words, check=True, capture_output=True, env=own, umask=0)
    installed = [install.config, *install.config.rglob("*")]
    assert install.hook in installed
    assert not [path for path in installed if path.stat().st_mode & 0o022]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("arguments", [[], ["--uninstall"], ["--check"], ["--dry-run"]])
def test_special_settings_file_is_rejected(
    install: Installer, arguments: list[str], kind: str
) -> None:
    KINDS[kind](install.settings)
    before = sorted(install.config.iterdir())
    completed = run_here(install, *arguments)
    assert completed.returncode == 1
    assert (
        completed.stderr == f"install.py: {install.settings} is not a regular file: move it away\n"
    )
    assert sorted(install.config.iterdir()) == before


@pytest.mark.parametrize(
    "place",
    [
        "claude/hooks/PreToolUse/docsearch-my-hooks.py",
        "claude/hooks/hookwright-my-hooks.json",
        "claude/settings.json.before-hookwright",
    ],
)
@pytest.mark.parametrize("arguments", [[], ["--uninstall"]])
def test_pipe_in_the_way_does_not_block(
    install: Installer, arguments: list[str], place: str
) -> None:
    install.settings.write_text('{"mine": 1}')
    if arguments:
        run_here(install)
    path = install.config.parent / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    completed = run_here(install, *arguments)
    assert (completed.returncode, completed.stderr.count("\n")) == (1, 1)
    assert f"{path} is not a regular file: move it away" in completed.stderr


def test_update_keeps_the_file_mode_of_a_hook(install: Installer) -> None:
    run_here(install)
    install.hook.write_bytes(install.hook.read_bytes() + b"#")
    install.hook.chmod(0o700)
    run_here(install)
    assert install.hook.stat().st_mode & 0o777 == 0o700


def test_changed_file_mode_is_kept(install: Installer) -> None:
    install.settings.write_text('{"a":  1}')
    install.settings.chmod(0o644)
    run_here(install)
    install.settings.chmod(0o600)
    run_here(install, "--uninstall")
    assert install.settings.stat().st_mode & 0o777 == 0o600
    assert install.settings.read_text() == '{"a":  1}'
    assert [path.name for path in install.config.iterdir()] == ["settings.json"]


@AS_ROOT
@pytest.mark.parametrize("text", ['{"a": 1}', ""])
def test_owners_are_kept_when_root_installs(install: Installer, text: str) -> None:
    os.chown(install.config, *OWNER)
    if text:
        install.settings.write_text(text)
        os.chown(install.settings, 1111, 2222)
    run_here(install)
    for path in install.config.rglob("*"):
        owner = (1111, 2222) if text and path == install.settings else OWNER
        assert (path.stat().st_uid, path.stat().st_gid) == owner, path
    later = {**json.loads(install.settings.read_text()), "b": 1}
    install.settings.write_text(json.dumps(later))
    run_here(install, "--uninstall")
    assert (install.settings.stat().st_uid == 1111) is bool(text)


@AS_ROOT
def test_swapped_file_names_are_not_followed(install: Installer, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("root's")
    victim.chmod(0o600)
    install.settings.write_text("{}")
    os.chown(install.settings, *OWNER)
    exchange = (
        f"import glob; [(os.rename(path, path + '.stolen'), os.symlink({str(victim)!r}, path)) "
        "for path in glob.glob(os.environ['CLAUDE_CONFIG_DIR'] + '/**/.*.hookwright', "
        "recursive=True) if event == 'os.chown' and not os.path.islink(path)]"
    )
    run_to(install, 0, exchange)
    status = victim.stat()
    assert (status.st_uid, oct(status.st_mode)) == (0, "0o100600")
    assert victim.read_text() == "root's"


def test_unprintable_path_is_shown_escaped(install: Installer, tmp_path: Path) -> None:
    odd = tmp_path / "odd\xfc"
    odd.mkdir()
    encodings = {"LC_ALL": "C.UTF-8", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    completed = install(CLAUDE_CONFIG_DIR=str(odd), **encodings)
    assert (completed.returncode, completed.stderr) == (0, "")
    assert r"odd\xfc" in completed.stdout
    assert (odd / "settings.json").exists()


def test_private_content_is_not_shown(install: Installer) -> None:
    install.settings.write_text('{"secret": 1}')
    install.settings.chmod(0o600)
    done = run_to(install, 0, SHOW_MODES)
    modes = [line for line in done.stdout.splitlines() if line.startswith("mode")]
    assert done.returncode == 0
    assert modes
    assert set(modes) == {"mode 0o600"}


def test_leftovers_of_dead_processes_are_removed(install: Installer) -> None:
    run_here(install)
    left = install.config / ".settings.json.hookwright"
    left.write_text("{}")
    run_here(install)
    assert not left.exists()


@pytest.mark.parametrize("arguments", [[], ["--uninstall"]])
@pytest.mark.parametrize("flags", [[], ["-u"]])
def test_failing_output_is_handled(
    install: Installer, arguments: list[str], flags: list[str]
) -> None:
    before = survey(install.config)
    if arguments:
        run_here(install)
    with Path("/dev/full").open("w") as full:
        completed = subprocess.run(
            [sys.executable, *flags, install.project / "install.py", *arguments],
            check=False,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            cwd=install.folder,
            env={**os.environ, "CLAUDE_CONFIG_DIR": str(install.config)},
        )
    assert completed.returncode == 1
    assert completed.stderr.startswith("install.py: the output cannot be written (")
    assert completed.stderr.count("\n") == 1
    if arguments:
        assert survey(install.config) == before
    else:
        assert run_here(install, "--check").stdout == "all is well\n"


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only to root")
def test_read_only_folder_is_unchanged(install: Installer) -> None:
    install()
    before = snapshot(install.config)
    install.config.chmod(0o555)
    try:
        completed = install("--uninstall")
    finally:
        install.config.chmod(0o755)
    assert f"{install.config} is read-only: make it writable first" in completed.stderr
    assert snapshot(install.config) == before
