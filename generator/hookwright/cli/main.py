"""The command line: its commands and error handling."""

import os
import sys

from hookwright_console.commands import Command, LazyCommands
from hookwright_console.network.proxies import use_proxy_of_all
from hookwright_console.runner import run_to_end
from hookwright_console.terminal import print_message

# The summaries are the same as in the README, and also begin each command's help.
COMMANDS = {
    "new": Command(
        "Create a project from your answers, or from an answers file.", "hookwright.cli.new:new"
    ),
    "setup": Command(
        "Set up a documentation database, and send searches to it.", "hookwright.cli.setup:setup"
    ),
    "refresh": Command("Fetch changes to documentation databases.", "hookwright.cli.docs:refresh"),
    "docs": Command(
        "List the documentation databases, or search one.", "hookwright.cli.docs:docs_app"
    ),
    "connect": Command(
        "Send searches to the databases of a team's server.", "hookwright.cli.connect:connect"
    ),
    "share": Command(
        "Share documentation databases and recipes.", "hookwright.cli.share:share_app"
    ),
    "add": Command(
        "Add records, lessons, a hook or a client to a project.", "hookwright.cli.add:add_app"
    ),
    "edit": Command(
        "Edit a record, or all answers, in your editor.", "hookwright.cli.change_record:edit"
    ),
    "move": Command(
        "Move a database or a route; the first route that matches decides.",
        "hookwright.cli.change_record:move",
    ),
    "disable": Command("Disable a database or a route.", "hookwright.cli.change_record:disable"),
    "enable": Command(
        "Enable a database or a route that is disabled.", "hookwright.cli.change_record:enable"
    ),
    "remove": Command("Remove databases and routes.", "hookwright.cli.remove:remove"),
    "list": Command("List the databases and routes.", "hookwright.cli.list_records:list_records"),
    "try": Command(
        "Show what the hooks do with a call or prompt.", "hookwright.cli.try_calls:try_calls"
    ),
    "tune": Command(
        "Correct which searches an ambiguous keyword denies.", "hookwright.cli.tune:tune"
    ),
    "install": Command(
        "Install the hooks of a project into Claude Code and other agents.",
        "hookwright.cli.installation:install",
    ),
    "uninstall": Command(
        "Uninstall the hooks of a project from Claude Code and other agents.",
        "hookwright.cli.installation:uninstall",
    ),
    "status": Command(
        "Show where the hooks are installed, and whether they are current.",
        "hookwright.cli.status:status",
    ),
    "doctor": Command(
        "Check that the hooks work and their tools answer.", "hookwright.cli.doctor:doctor"
    ),
    "stats": Command("Count the calls that each record blocked.", "hookwright.cli.stats:stats"),
    "sync": Command("Import changes from your catalogues.", "hookwright.cli.add.catalogue:sync"),
    "update": Command("Update a project to the newest template.", "hookwright.cli.update:update"),
    "docs-mcp": Command(
        "Serve your documentation databases to a coding agent over MCP.",
        "hookwright.cli.docs:docs_mcp",
    ),
}
RENAMED = {"mend": "tune"}  # current command names by former name
COMMAND_LINE = LazyCommands(
    "Create, edit, try and check hooks that send coding agents to better sources.", COMMANDS
)


def run() -> int:
    """Run the command line; return 0 for success, 1 for failure or refusal, 2 for misuse."""
    # Load no program from the current folder, which may be untrusted.
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    os.environ["PATH"] = os.pathsep.join(filter(os.path.isabs, folders))
    os.environ["NoDefaultCurrentDirectoryInExePath"] = "1"  # noqa: SIM112 - as Windows has it
    use_proxy_of_all()
    former = sys.argv[1] if len(sys.argv) > 1 else ""
    if name := RENAMED.get(former):
        print_message("hookwright", f"hookwright {former} was renamed to hookwright {name}")
        sys.argv[1] = name
    return run_to_end(COMMAND_LINE, "hookwright")


if __name__ == "__main__":
    sys.exit(run())
