"""Print messages under the name of the program."""

from hookwright_console import terminal


def print_message(line: str) -> None:
    """Print a message to standard error."""
    terminal.print_message("lesson-search", line)
