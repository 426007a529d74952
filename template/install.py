#!/usr/bin/env python3
"""Install this folder's hooks into coding agents, or uninstall them: see --help.

The hooks are copied to the client's configuration folder (for Claude Code ~/.claude, or
CLAUDE_CONFIG_DIR), and their entries are merged into the client's settings. Nothing else is
changed, and the previous settings are kept as a backup. Installing again changes nothing.
"""

import sys
from pathlib import Path

from installer.main import main

if __name__ == "__main__":
    sys.exit(main(Path(__file__).resolve().parent))
