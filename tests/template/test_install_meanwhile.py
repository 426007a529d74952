"""If another program is changing the settings while install.py runs, its changes are kept."""

import json
import textwrap
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

import pytest

from ..support.hypothesis_profiles import mark_long
from ..support.installer import Installer, run_here
from ..support.interrupted_install import run_to, survey

# A client rewrites its settings in place or replaces the file, except during the step that moves
# our version into place: a change between the last check and that step cannot be detected.
CLIENT = """
path = os.environ["CLAUDE_CONFIG_DIR"] + "/settings.json"
written = path + %r
if event != "os.rename" or arguments[1] != path:
    import json
    with open(path) as file:
        settings = json.load(file)
    with open(written, "w") as file:
        json.dump({**settings, "meanwhile": steps}, file)
    os.replace(written, path)
    print("the client wrote")
"""
WAYS = {"in place": "", "by a new file": ".new"}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("arguments", [[], ["--uninstall"]])
@pytest.mark.parametrize("steps", [[2], *mark_long([range(1, 30)])])
def test_concurrent_client_writes_are_kept(
    install: Installer, arguments: list[str], steps: Iterable[int], way: str
) -> None:
    written = 0
    for number in steps:
        run_here(install, "--uninstall")
        install.settings.write_text('{"a":  1}')
        if arguments:
            run_here(install)
        done = run_to(install, number, CLIENT % WAYS[way], *arguments)
        assert (done.returncode, done.stderr) == (0, ""), f"at step {number}"
        text = install.settings.read_text()
        assert ("hooks" in text) is not bool(arguments), f"at step {number}"
        wrote = "the client wrote" in done.stdout
        assert ("meanwhile" in text) is wrote, f"lost at step {number}"
        written += wrote
    assert written


def test_continuously_writing_client_is_handled(install: Installer) -> None:
    install.settings.write_text("{}")
    done = run_to(install, 0, f"if event == 'os.chmod':{textwrap.indent(CLIENT % '', ' ')}")
    assert done.returncode == 1
    assert done.stderr == (
        f"install.py: {install.settings} is being changed by another program: "
        "try again in a moment\n"
    )
    assert set(json.loads(install.settings.read_text())) == {"meanwhile"}
    assert [path.name for path in install.config.iterdir()] == ["settings.json"]


def test_concurrent_installations_succeed(install: Installer) -> None:
    install.settings.write_text('{"a":  1}')
    before = survey(install.config)
    with ThreadPoolExecutor(4) as pool:
        ended = list(pool.map(lambda _: install(), range(4)))
    assert [done.stderr for done in ended] == [""] * 4
    assert run_here(install, "--check").stdout == "all is well\n"
    assert run_here(install, "--uninstall").returncode == 0
    assert survey(install.config) == before


def test_folder_removed_by_another_installation_is_recreated(install: Installer) -> None:
    folder = str(install.hook.parent)
    remove = f"""
is_first = event == "open" and str(arguments[0]).startswith({folder!r} + "/")
if is_first and not state:
    state["is_removed"] = True
    os.rmdir({folder!r})
"""
    done = run_to(install, 0, remove)
    assert (done.returncode, done.stderr) == (0, "")
    assert run_here(install, "--check").stdout == "all is well\n"
