#!/usr/bin/env python3
# ID: 2aab2ab773542a5b6617ad434b237870
"""Add the lesson for a failed command's error, and those for a subagent's task.

A Claude Code PostToolUseFailure hook, rendered by Hookwright.
It runs action_lessons_answer.py, which Python compiles only once because it is a module.
"""

import sys

if __name__ == "__main__":
    folder, _, name = __file__.replace("\\", "/").rpartition("/")
    sys.path.append(folder)
    name = name[: -len(".py")].replace("action_lessons", "action_lessons_answer", 1)
    try:
        __import__(name).answer_action()
    except BaseException:  # noqa: BLE001 - fail open: it may be missing, or not for this Python
        sys.exit()
