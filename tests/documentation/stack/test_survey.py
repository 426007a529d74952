"""Dependencies are gathered from a project's manifests."""

import os
from pathlib import Path

import pytest

from hookwright_documentation.stack.survey import Use, read_stack

from ...support.processor_limit import limit_processor


def write(root: Path, **files: str) -> Path:
    """Write files below a folder; in argument names, `_` stands for `/`, and `dot` for a dot."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def list_names(root: Path) -> list[str]:
    return [use.name for use in read_stack(root).uses if use.ecosystem != "commands"]


def test_lock_file_provides_the_installed_version(tmp_path: Path) -> None:
    lock = '[[package]]\nname = "django"\nversion = "4.2.11"\n[[package]]\nname = "sqlparse"\n'
    write(tmp_path, **{"pyproject.toml": '[project]\ndependencies = ["Django>=4"]'})
    stack = read_stack(write(tmp_path, **{"poetry.lock": lock}))
    assert Use("pypi", "Django", "4.2.11", ("pyproject.toml",)) in stack.uses
    assert stack.locked == 1


def test_most_used_dependency_is_listed_first(tmp_path: Path) -> None:
    versions = {"a": "18.2.0", "b": "18.2.0", "c": "19.0.0"}
    for name, version in versions.items():
        text = f'{{"dependencies": {{"react": "{version}", "left-pad": "1.3.0"}}}}'
        write(tmp_path, **{f"packages/{name}/package.json": text})
    write(tmp_path, **{"packages/a/package.json": '{"dependencies": {"react": "18.2.0"}}'})
    first, second = (use for use in read_stack(tmp_path).uses if use.ecosystem == "npm")
    assert (first.name, first.version, len(first.files)) == ("react", "18.2.0", 3)
    assert second.name == "left-pad"


def test_compiled_requirements_are_a_lock_file(tmp_path: Path) -> None:
    write(
        tmp_path,
        **{
            "requirements.in": "flask\n-c constraints.txt",
            "requirements.txt": "flask==3.0.2\nclick==8.1.7 # via flask",
            "constraints.txt": "jinja2==3.1.3",
        },
    )
    (use,) = (use for use in read_stack(tmp_path).uses if use.ecosystem == "pypi")
    assert (use.name, use.version, use.files) == ("flask", "3.0.2", ("requirements.in",))


def test_included_requirements_are_read_once(tmp_path: Path) -> None:
    write(
        tmp_path,
        **{
            "requirements.txt": "-r deps/one.txt\nflask",
            "deps/one.txt": "--requirement=../requirements.txt\n-r missing.txt\nredis",
        },
    )
    stack = read_stack(tmp_path)
    assert [use.files for use in stack.uses if use.name == "redis"] == [("deps/one.txt",)]
    assert stack.warnings == ("deps/one.txt includes deps/missing.txt: No such file or directory",)


def test_files_outside_the_project_are_not_read(tmp_path: Path) -> None:
    write(tmp_path, **{"secret/package.json": '{"dependencies": {"secret": "1"}}'})
    write(tmp_path, **{"secret/list.txt": "secret"})
    work = write(tmp_path, **{"work/requirements.txt": "-r ../secret/list.txt\n-r /etc/passwd\n"})
    work /= "work"
    (work / "package.json").symlink_to(tmp_path / "secret" / "package.json")
    (work / "linked").symlink_to(tmp_path / "secret")
    (work / "loop.dockerfile").symlink_to("loop.dockerfile")
    os.mkfifo(work / "go.mod")
    stack = read_stack(work)
    assert list_names(work) == []
    assert set(stack.warnings) == {
        "package.json: it is outside of the project",
        "requirements.txt includes ../secret/list.txt: it is outside of the project",
        "requirements.txt includes /etc/passwd: it is outside of the project",
        "go.mod: not a regular file",
        next(line for line in stack.warnings if line.startswith("loop.dockerfile: ")),
    }


def test_unreadable_manifest_does_not_stop_the_survey(tmp_path: Path) -> None:
    write(tmp_path, **{"package.json": "{", "requirements.txt": "flask"})
    (tmp_path / "Gemfile").write_bytes(b"gem '\xff'")
    (tmp_path / "requirements-dev.txt").write_bytes("pytest\r\n".encode("utf-16"))
    (tmp_path / "requirements-x.txt").write_bytes(b"a\0b")
    assert list_names(tmp_path) == ["flask", "pytest"]
    assert read_stack(tmp_path).warnings == (
        "Gemfile: it is not UTF-8",
        "package.json: line 1 is not JSON",
        "requirements-x.txt: it is not text",
    )


def test_vendored_folders_are_skipped(tmp_path: Path) -> None:
    for name in ("node_modules/x", "vendor/x", ".git", ".venv/lib", "env"):
        write(tmp_path, **{f"{name}/package.json": '{"dependencies": {"bad": "1"}}'})
    write(tmp_path, **{"env/pyvenv.cfg": "", "requirements.txt": "flask"})
    assert list_names(tmp_path) == ["flask"]


def test_hostile_names_are_skipped(tmp_path: Path) -> None:
    names = ["a\u202eb", "a\x1b[31m", "a b", "x" * 300, "-r", "good", ""]
    text = ", ".join(f'"{name.encode("unicode_escape").decode()}": "1"' for name in names)
    text = text.replace("\\x1b", "\\u001b")
    write(tmp_path, **{"package.json": f'{{"dependencies": {{{text}}}}}'})
    assert list_names(tmp_path) == ["good"]


@pytest.mark.parametrize(
    ("limit", "most", "told"),
    [
        (
            "hookwright_documentation.stack.survey.MAX_MANIFESTS",
            2,
            "stopped after 2 manifests, before c/package.json: name a ",
        ),
        (
            "hookwright_documentation.stack.survey.MAX_DEPENDENCIES",
            4,
            "b/package.json: stopped after 4 dependencies",
        ),
        (
            "hookwright_documentation.stack.manifest.MAX_FILES",
            2,
            "c/package.json: skipped, since the limit for all files is reached: name a ",
        ),
        (
            "hookwright_documentation.stack.manifest.MAX_TOTAL_BYTES",
            50,
            "c/package.json: skipped, since the limit for all files is reached: name a ",
        ),
        (
            "hookwright_documentation.stack.manifest.MAX_FILE_BYTES",
            10,
            "a/package.json: skipped, since it is over 0 MB",
        ),
        (
            "hookwright_documentation.stack.manifest.MAX_DEPTH",
            0,
            "folders more than 0 deep are left out, as a/",
        ),
        (
            "hookwright_documentation.stack.manifest.MAX_ENTRIES",
            4,
            "stopped after 4 files and folders: name a part of it",
        ),
    ],
)
def test_reading_is_limited(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    limit: str,
    most: int,
    told: str,
) -> None:
    for name in ("a", "b", "c"):
        write(tmp_path, **{f"{name}/package.json": f'{{"dependencies": {{"{name}": "1"}}}}'})
    monkeypatch.setattr(limit, most)
    assert any(line.startswith(told) for line in read_stack(tmp_path).warnings)


def test_includes_are_limited(tmp_path: Path) -> None:
    write(
        tmp_path, **{"requirements.txt": "\n".join(f"-r {number}.txt" for number in range(10_000))}
    )
    warnings = read_stack(tmp_path).warnings
    assert warnings[-1] == "requirements.txt: stopped after 50 included files"
    assert len(warnings) < 60


def test_include_path_is_shortened(tmp_path: Path) -> None:
    write(tmp_path, **{"requirements.txt": "-r " + "x" * 5_000 + ".txt"})
    (warning,) = read_stack(tmp_path).warnings
    assert warning.startswith("requirements.txt includes xxx")
    assert len(warning) < 200


def test_long_include_path_is_handled_quickly(tmp_path: Path) -> None:
    write(tmp_path, **{"requirements.txt": f"-r {'../' * 1_000_000}x\nflask\n"})
    with limit_processor():
        stack = read_stack(tmp_path)
    assert "flask" in [use.name for use in stack.uses]
    assert stack.warnings[0].endswith("it cannot be found")
