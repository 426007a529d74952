"""Detect Copilot CLI, which loads Claude Code's settings and plugins but reads fewer answer fields.

It accepts JSON only with exit code 0, and lessons only in a separate field. It runs the copies of a
hook in turn, and stops at the first denial.
"""

from ..event import environ  # type: ignore[attr-defined] # it is part of posix

# --- rendered from here on ---


COPILOT = environ.get(b"COPILOT_CLI") == b"1"
