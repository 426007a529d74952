"""Run `hookwright setup --stack` up to one of its steps, where a signal ends it."""

import os
import subprocess
import sys
from pathlib import Path

from .project import ROOT

# What changes something on the disk; the recipes are of folders, and the server is not asked, which
# would take seconds to start each time.
RUN = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # it may be ignored in the background
sys.path.insert(0, sys.argv[1])
number, ending = int(sys.argv[2]), int(sys.argv[3])
sys.argv = ["hookwright", *sys.argv[4:]]
from hookwright.cli import main, setup_stack, setup_words
from hookwright.documentation import setting_up
from hookwright.documentation.proof import Question
from hookwright.recipes.ready import ReadyRecipe

recipes = [
    ReadyRecipe(name, f"{name}, a tool", os.path.abspath(f"../site-of-{name}"), (name,),
                (f"{name}.example",), packages={"pypi": (name,)}, verified=True)
    for name in ("acme", "rocket")
]
setup_stack.load_ready_recipes = lambda: recipes
setup_words.find_ready_recipe = {one.name: one for one in recipes}.get
setting_up.prove_server = lambda *_: Question("a b c", "file:///x")
STEPS = {"open", "os.link", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "subprocess.Popen"}
steps = 0

def watch(event, arguments):
    global steps
    if event in STEPS and (event != "open" or (arguments[2] or 0) & (os.O_WRONLY | os.O_RDWR)):
        steps += 1
        if steps == number:
            os.kill(os.getpid(), ending)

sys.addaudithook(watch)
code = main.run()
print("steps", steps, file=sys.stderr)
sys.exit(code)
"""


def run_to(folder: Path, number: int, ending: int = 0) -> "subprocess.CompletedProcess[str]":
    """Set up the stack of a project, and end it right before a step.

    Args:
        folder: The project that depends on acme and rocket, beside the folders of their sites.
        number: Of the step, from 1; 0 for none, and then the last word on stderr is how many
            there are.
        ending: The signal.

    """
    words = [str(ROOT), str(number), str(ending), "setup", "--stack", "--yes", "--json"]
    return subprocess.run(
        [sys.executable, "-c", RUN, *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        env=dict(os.environ),
    )
