"""The command line: its commands and error handling."""

import logging
import sys
from typing import Any

from hookwright_console.commands import Command, LazyCommands
from hookwright_console.extras import needing
from hookwright_console.runner import run_to_end
from lesson_search.cli.options import CommandWithOptions, choose_options

# Each summary is the first line of the command's help.
COMMANDS = {
    "serve": Command("Run the server until Ctrl-C.", "lesson_search.cli.serve:serve"),
    "ingest": Command("Add lessons and skills from files.", "lesson_search.cli.files:ingest"),
    "add": Command("Add one lesson.", "lesson_search.cli.records:add"),
    "capture": Command(
        "Find candidates for lessons in transcripts.", "lesson_search.cli.inbox:capture"
    ),
    "inbox": Command(
        "List candidates for lessons, and approve, edit or drop them.",
        "lesson_search.cli.inbox:inbox",
    ),
    "review": Command(
        "List lessons that need a decision, and keep, edit, merge or delete them.",
        "lesson_search.cli.review:review",
    ),
    "query": Command("Find lessons or skills for a prompt.", "lesson_search.cli.records:query"),
    "list": Command("List lessons or skills.", "lesson_search.cli.records:list_records"),
    "show": Command("Show a lesson or skill.", "lesson_search.cli.records:show_record"),
    "edit": Command("Edit a lesson or skill in your editor.", "lesson_search.cli.records:edit"),
    "promote": Command(
        "Turn a lesson about a command or address into a route.",
        "lesson_search.cli.promote:promote",
    ),
    "delete": Command("Delete lessons or skills.", "lesson_search.cli.records:delete"),
    "recategorize": Command(
        "Sort lessons and skills into categories again.",
        "lesson_search.cli.maintenance:recategorize",
    ),
    "categories": Command(
        "Count the lessons in each category, or edit the taxonomy.",
        "lesson_search.cli.maintenance:categories",
    ),
    "evaluate": Command(
        "Measure how well lessons are found.", "lesson_search.cli.maintenance:evaluate"
    ),
    "export": Command(
        "Write all lessons and skills as JSON Lines.", "lesson_search.cli.files:export"
    ),
    "import": Command(
        "Read lessons and skills that export wrote.",
        "lesson_search.cli.files:import_records",
    ),
    "reindex": Command(
        "Embed all lessons and skills again.", "lesson_search.cli.maintenance:reindex"
    ),
    "service": Command("Run the server as a system service.", "lesson_search.cli.serve:app"),
}
COMMAND_LINE = LazyCommands(
    "Find the lessons and skills that matter to a prompt, and maintain them.",
    COMMANDS,
    choose_options,
    CommandWithOptions,
)


def run() -> int:
    """Run the command line; return 0 for success, 1 for "no" or a refusal, 2 for misuse."""
    # Must run before a library configures logging.
    logging.basicConfig(format="lesson-search: %(message)s", level=logging.WARNING)
    return run_to_end(run_command, "lesson-search")


def run_command(**settings: Any) -> Any:
    with needing("server"):
        return COMMAND_LINE(**settings)


if __name__ == "__main__":
    sys.exit(run())
