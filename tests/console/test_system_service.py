"""A system service runs the server; a failed installation changes nothing."""

import errno
import os
import plistlib
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookwright_console import system_service
from hookwright_console.errors import RefusedError, ReportedError
from hookwright_console.system_service import (
    LABEL,
    UNIT,
    LaunchdService,
    SystemdService,
    quote,
    read_environment,
    write_environment,
)

from ..support.command_line import CommandLine, start
from ..support.interpreters import BASE_PYTHON

WORDS = st.text(st.characters(exclude_categories=["C", "Zl", "Zp", "Zs"]) | st.just(" "))
# Logs its arguments, fails at the step FAIL_AT, and tracks whether the service is loaded.
STAND_IN = """#!{python}
import os, pathlib, sys
words = " ".join(sys.argv[1:])
with open({log!r}, "a") as log:
    print(words, file=log)
loaded = pathlib.Path({log!r} + ".loaded")
fail = os.environ.get("FAIL_AT")
if fail and fail in words:
    print("stand-in: no " + fail + "\\nat all", file=sys.stderr)
    sys.exit(1)
if "bootstrap" in words or "enable" in words.split():
    loaded.touch()
if "bootout" in words or "disable" in words.split():
    loaded.unlink(missing_ok=True)
if "print" in words:
    print("x = {{\\n\\tstate = running\\n}}" if loaded.exists() else "")
    sys.exit(0 if loaded.exists() else 113)
if "is-active" in words:
    print("active" if loaded.exists() else "inactive")
    sys.exit(0 if loaded.exists() else 3)
"""
Stand = Callable[[str], Path]


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stand:
    """Return a function that puts a fake system program on PATH and returns its log."""

    def stand(name: str) -> Path:
        folder, log = tmp_path / "bin", tmp_path / f"{name}.log"
        folder.mkdir()
        (folder / name).write_text(STAND_IN.format(python=BASE_PYTHON, log=str(log)))
        (folder / name).chmod(0o755)
        log.touch()
        monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
        return log

    return stand


@pytest.fixture
def systemctl(stand_in: Stand, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "platform", "linux")
    return stand_in("systemctl")


def read_log(log: Path) -> list[str]:
    lines = log.read_text().splitlines()
    log.write_text("")
    return lines


def read_files() -> dict[str, str]:
    files = (path for path in Path.home().rglob("*") if path.is_file())
    return {str(path): path.read_text() for path in files if path.name != "gitconfig"}


def unquote(line: str) -> list[str]:
    words = re.findall(r'"(?:[^"\\]|\\.)*"|[^\s"]+', line)
    plain = [re.sub(r"\\(.)", r"\1", word[1:-1]) if word[0] == '"' else word for word in words]
    assert all(re.fullmatch(r"(?:[^%]|%%)*", word) for word in plain)
    return [word.replace("%%", "%") for word in plain]


def read_command(unit: str) -> list[str]:
    match = re.search(r"(?m)^ExecStart=:(.*)$", unit)
    assert match
    return unquote(match[1])


@given(st.lists(WORDS, min_size=1))
def test_units_run_any_command(words: list[str]) -> None:
    assert unquote(" ".join(map(quote, words))) == words


@pytest.mark.parametrize("word", ["a\nb", "\x1b", "\u2028", "\udcff"])
def test_unrepresentable_arguments_are_rejected(word: str, tmp_path: Path) -> None:
    for install in (SystemdService(tmp_path).install, LaunchdService(tmp_path).install):
        with pytest.raises(ReportedError) as refused:
            install(["/bin/true", word])
        assert str(refused.value).isprintable()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd here")
def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    folder = tmp_path / "a %n $HOME ü"
    folder.mkdir()
    (folder / "run it").write_text("#!/bin/sh\n")
    (folder / "run it").chmod(0o755)
    words = ["--data=a b", "%h", "$HOME", '"', ";", "\\"]
    assert verify(tmp_path / UNIT, [str(folder / "run it"), *words]) == ""
    with pytest.raises(ReportedError, match="no program with quotes"):
        SystemdService(tmp_path).install(["/a'b/run"])
    assert "is not executable" in verify(tmp_path / UNIT, [str(folder / "run"), *words])


def verify(unit: Path, command: list[str]) -> str:
    """Return systemd's report on a unit, without the lines about the machine's other units."""
    unit.write_bytes(SystemdService(unit.parent).define(command))
    output = subprocess.run(
        ["systemd-analyze", "--user", "verify", str(unit)],  # noqa: S607 - the system's own
        capture_output=True,
        check=False,
        text=True,
        env={**os.environ, "XDG_RUNTIME_DIR": str(unit.parent)},
    ).stderr
    return "\n".join(line for line in output.splitlines() if unit.name in line)


def test_install_and_remove_round_trip(command_line: CommandLine, systemctl: Path) -> None:
    shown = command_line.output("service", "install", "--port", "7799", "--embedder", "ollama")
    unit = Path.home() / ".config" / "systemd" / "user" / UNIT
    assert str(unit) in shown
    assert "loginctl enable-linger" in shown
    started = ["--user daemon-reload", f"--user enable {UNIT}", f"--user restart {UNIT}"]
    assert read_log(systemctl) == started
    assert read_command(unit.read_text())[-5:] == [
        "serve",
        "--host=127.0.0.1",
        "--port=7799",
        f"--data={command_line.folder}",
        "--embedder=ollama",
    ]
    assert "Restart=on-failure" in unit.read_text()
    command_line.output("service", "install", "--port", "7800")
    assert read_log(systemctl) == started
    assert "--port=7800" in read_command(unit.read_text())
    assert command_line.output("service", "remove") == "service removed\n"
    assert read_log(systemctl) == [f"--user disable --now {UNIT}"]
    assert not unit.exists()
    assert command_line.output("service", "remove") == "no service is installed\n"
    assert read_log(systemctl) == []


@pytest.mark.long
def test_unit_runs_the_expected_command(
    command_line: CommandLine, systemctl: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    settings = tmp_path / "set tings"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(settings))
    monkeypatch.setenv("LESSON_SEARCH_TOKEN", "s3same=%$")
    command_line.output("service", "install", "--port", "0")
    unit = (settings / "systemd" / "user" / UNIT).read_text()
    assert "s3same" not in unit
    private = settings / "lesson-search" / "service.env"
    assert private.stat().st_mode & 0o777 == 0o600
    assert command_line.run("service", "status").output == (
        "the service is running, but not ready yet\n"
    )
    with start(read_command(unit)) as url:
        status = "the service is running and healthy: 0 lessons and 0 skills at"
        assert command_line.output("service", "status") == f"{status} {url}\n"
        monkeypatch.delenv("LESSON_SEARCH_TOKEN")
        completed = command_line.run("service", "status")
        assert completed.code == 1
        assert "needs its token" in completed.output
    command_line.output("service", "remove")
    assert not private.exists()
    assert systemctl.exists()


def test_status_without_a_service_is_reported(command_line: CommandLine, systemctl: Path) -> None:
    status = ("service", "status")
    assert command_line.run(*status).output == "the service is not installed\n"
    command_line.output("service", "install")
    systemctl.with_name("systemctl.log.loaded").unlink()
    completed = command_line.run(*status)
    assert (completed.code, completed.output) == (1, "the service is inactive\n")


@pytest.mark.parametrize("verb", ["daemon-reload", "enable", "restart"])
def test_failed_install_changes_nothing(
    command_line: CommandLine, systemctl: Path, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    assert systemctl.exists()
    if verb == "restart":
        monkeypatch.setenv("LESSON_SEARCH_TOKEN", "old")
        command_line.output("service", "install", "--port", "1")
    before = read_files()
    monkeypatch.setenv("LESSON_SEARCH_TOKEN", "new")
    monkeypatch.setenv("FAIL_AT", verb)
    line = command_line.error("service", "install", "--port", "2")
    assert line.endswith(
        f"stand-in: no {verb}: try again where you are logged in, or run lesson-search serve the "
        "way your system runs services"
    )
    assert read_files() == before


def test_full_disk_changes_nothing(
    command_line: CommandLine, systemctl: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command_line.output("service", "install", "--port", "1")
    before = read_files()
    read_log(systemctl)
    monkeypatch.setattr(os, "fsync", fail_as_full)
    monkeypatch.setattr(Path, "write_bytes", fail_half_way)
    line = command_line.error("service", "install", "--port", "2")
    assert "no space left on the disk" in line
    assert read_files() == before


def test_first_error_is_reported(
    command_line: CommandLine, systemctl: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert systemctl.exists()
    command_line.output("service", "install", "--port", "1")
    monkeypatch.setenv("FAIL_AT", "restart")

    def run_and_fill(*words: str) -> None:
        monkeypatch.setattr(os, "fsync", fail_as_full)
        monkeypatch.setattr(Path, "write_bytes", fail_half_way)
        run(*words)

    run = system_service.run_command
    monkeypatch.setattr(system_service, "run_command", run_and_fill)
    line = command_line.error("service", "install", "--port", "2")
    assert "stand-in: no restart: " in line


def fail_as_full(_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def fail_half_way(path: Path, content: bytes) -> int:
    with path.open("wb") as file:
        file.write(content[: len(content) // 2])
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_failed_removal_changes_nothing(
    command_line: CommandLine, systemctl: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert systemctl.exists()
    command_line.output("service", "install")
    before = read_files()
    monkeypatch.setenv("FAIL_AT", "disable")
    assert "stand-in: no disable" in command_line.error("service", "remove")
    assert read_files() == before


def test_foreign_unit_is_left_alone(command_line: CommandLine, systemctl: Path) -> None:
    unit = Path.home() / ".config" / "systemd" / "user" / UNIT
    unit.parent.mkdir(parents=True)
    unit.write_text("[Unit]\n")
    for verb in ("install", "remove", "status"):
        assert "was not written by lesson-search" in command_line.error("service", verb)
    assert unit.read_text() == "[Unit]\n"
    assert read_log(systemctl) == []


@pytest.mark.parametrize("system", ["linux", "darwin"])
def test_missing_programs_are_reported(
    command_line: CommandLine, monkeypatch: pytest.MonkeyPatch, system: str
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setenv("PATH", "/nowhere")
    assert " is missing: run lesson-search serve" in command_line.error("service", "install")
    assert read_files() == {}


def test_unsupported_systems_are_reported(
    command_line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    assert "cannot install a service on win32" in command_line.error("service", "install")


def test_unit_contains_no_password(command_line: CommandLine, systemctl: Path) -> None:
    url = "http://me:secret@127.0.0.1:8000"
    for option in ("--chroma-url", "--embedder-url"):
        line = command_line.error("service", "install", option, url)
        assert "holds a password" in line
        assert "secret" not in line
    assert read_log(systemctl) == []


def test_launchd_runs_the_server(
    command_line: CommandLine, stand_in: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = stand_in("launchctl")
    monkeypatch.setattr(sys, "platform", "darwin")
    domain = f"gui/{os.getuid()}"
    command_line.output("service", "install", "--port", "7799")
    path = Path.home() / "Library" / "LaunchAgents" / f"{LABEL}.plist"
    agent = plistlib.loads(path.read_bytes())
    assert agent["Label"] == LABEL
    assert "--port=7799" in agent["ProgramArguments"]
    assert agent["RunAtLoad"]
    assert agent["KeepAlive"] == {"SuccessfulExit": False}
    printed, loaded = f"print {domain}/{LABEL}", f"bootstrap {domain} {path}"
    assert read_log(log) == [printed, loaded]
    assert "running, but not ready yet" in command_line.run("service", "status").output
    read_log(log)
    command_line.output("service", "install", "--port", "7800")
    assert read_log(log) == [printed, f"bootout {domain}/{LABEL}", printed, loaded]
    before = path.read_bytes()
    monkeypatch.setenv("FAIL_AT", "bootout")
    assert "stand-in: no bootout" in command_line.error("service", "install", "--port", "1")
    assert path.read_bytes() == before
    monkeypatch.delenv("FAIL_AT")
    assert command_line.output("service", "remove") == "service removed\n"
    assert not path.exists()
    path.write_bytes(b"<plist>")
    assert "was not written by lesson-search" in command_line.error("service", "install")


@given(st.dictionaries(st.from_regex(r"[A-Z_][A-Z0-9_]*", fullmatch=True), WORDS))
def test_any_token_is_preserved(variables: dict[str, str]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "below" / "service.env"
        write_environment(path, variables)
        assert (read_environment(path) if variables else {}) == variables
        write_environment(path, {})
        assert not path.exists()


def test_invalid_environment_is_reported_without_its_value(
    command_line: CommandLine, tmp_path: Path
) -> None:
    path = tmp_path / "service.env"
    path.write_text("# tokens\n\ns3same\n")
    serve = ("serve", "--environment-file", str(path))
    line = command_line.error(*serve)
    assert line.endswith(f"{path}:3: expected NAME=VALUE")
    path.write_bytes(b"\xff")
    assert f"cannot read {path}: not UTF-8" in command_line.error(*serve)
    path.unlink()
    assert f"cannot read {path}: No such file or directory" in command_line.error(*serve)
    with pytest.raises(RefusedError, match="LESSON_SEARCH_TOKEN contains unprintable"):
        write_environment(path, {"LESSON_SEARCH_TOKEN": "a\nb"})
