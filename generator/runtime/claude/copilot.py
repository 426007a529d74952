"""Notice Copilot CLI, which loads Claude Code's settings and plugins and reads less of an answer.

It takes JSON with exit code 0 only, and lessons only in a field of their own. It runs copies of a
hook one after the other, and stops at the first that denies.
"""

from ..event import environ  # type: ignore[attr-defined] # it is part of posix

# --- rendered from here on ---


COPILOT = environ.get(b"COPILOT_CLI") == b"1"
