"""Run `hookwright setup --stack`, and send it a signal when it writes a given file."""

import os
import subprocess
from pathlib import Path

from .command_line import HOOKWRIGHT
from .copier_cache import FOLDER

# Recipes point to local folders, and the server is not queried, because queries take seconds.
RUN = """
if __name__ == "__main__":  # child processes import this script
    import os, signal, sys
    from hookwright.cli import main, setup_stack
    from hookwright.documentation import setup
    import hookwright_documentation.setup
    from hookwright.documentation.proof import Question
    from hookwright_documentation.recipes.recipe import ReadyRecipe

    signal.signal(signal.SIGINT, signal.default_int_handler)  # it may be ignored in the background
    place, number, ending = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    sys.argv = ["hookwright", *sys.argv[4:]]

    recipes = {
        name: ReadyRecipe(
            name, (name,), os.path.abspath(f"../site-of-{name}"), description=f"{name}, a tool",
            domains=(f"{name}.example",), packages={"pypi": (name,)}, verified=True,
        )
        for name in ("acme", "rocket")
    }
    setup_stack.load_ready_recipes = lambda: [*recipes.values()]
    hookwright_documentation.setup.find_ready_recipe = recipes.get
    setup.prove_server = lambda *_: Question("a b c", "file:///x")
    seen = 0

    def watch(event, arguments):
        global seen
        writes = event == "open" and (arguments[2] or 0) & (os.O_WRONLY | os.O_RDWR)
        if writes or event in ("os.rename", "sqlite3.connect"):
            seen += place in str(arguments[event == "os.rename"])
            if seen == number:
                seen += 1
                os.kill(os.getpid(), ending)

    if place:
        sys.addaudithook(watch)
    sys.exit(main.run())
"""


def run_to(
    folder: Path, place: str = "", number: int = 1, ending: int = 0
) -> "subprocess.CompletedProcess[str]":
    """Set up a project's stack in a fork, and interrupt it before it writes or replaces a file.

    Args:
        folder: The project that depends on acme and rocket, next to the folders of their sites.
        place: A part of the file's path; "" to run to the end.
        number: The occurrence at which to stop, from 1.
        ending: The signal to send.

    """
    place = place.replace("~", str(Path.home()))
    script = folder.with_name("set_up_stack.py")
    script.write_text(RUN)
    words = [str(script), place, str(number), str(int(ending)), "setup", "--stack", "--yes"]
    environment = {name: value for name, value in os.environ.items() if name != FOLDER}
    completed = HOOKWRIGHT.run([*words, "--json"], b"", environment, folder)
    assert completed
    output, errors = completed.stdout.decode(), completed.stderr.decode()
    return subprocess.CompletedProcess(words, completed.returncode, output, errors)
