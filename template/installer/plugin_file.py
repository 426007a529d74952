"""Write the plugin file by which a client that has no settings for hooks runs them."""

import json
import os
import re
from typing import TYPE_CHECKING

from installer.installation import read_rendered
from installer.scripts import IDS

if TYPE_CHECKING:
    from installer.installation import Installation

CONSTANT = re.compile(r"^const (HOOKS|PYTHON|SCOPE) = .*;$", re.MULTILINE)
SCRIPT = re.compile(rf'"script": "({"|".join(IDS)})\.py"')


def write_plugin(installation: "Installation") -> bytes:
    """Return the plugin file for the scope: where its scripts are, what runs them, its scope."""
    folder, is_shared = str(installation.base), installation.scope == "project"
    home = os.path.expanduser("~")  # noqa: PTH111 - there may be none
    values = {
        "HOOKS": json.dumps(folder),
        "PYTHON": json.dumps("python3" if is_shared else installation.find_interpreter()),
        "SCOPE": json.dumps(installation.scope),
    }
    if is_shared and folder.startswith(home + os.sep):  # which others have elsewhere
        values["HOOKS"] = f"process.env.HOME + {json.dumps(folder[len(home) :])}"
    text = read_rendered(installation.client.locate_snippet(installation.project)).decode()
    text = CONSTANT.sub(lambda found: f"const {found[1]} = {values[found[1]]};", text)

    def place(hook: str) -> str:
        return json.dumps({"script": installation.place_script(hook).as_posix()})[1:-1]

    return SCRIPT.sub(lambda found: place(found[1]), text).encode()
