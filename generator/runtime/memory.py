"""Remember a denied call, so that the identical call passes when repeated.

Each denial is a separate file that its retry finds by name, so that concurrent hooks never
overwrite each other's files. Neither do projects installed together: a file's name starts with the
project of the copy that wrote it.
"""

import sys

from .claude.copilot import COPILOT

# --- rendered from here on ---


def find_prefix(hook: str) -> str:
    """Return the prefix of this copy's file names; an installed copy is docsearch-PROJECT.py."""
    _, dash, project = sys.argv[0].rpartition("/")[2].partition(".")[0].partition("-")
    return f"{hook}-state{dash}{project}"


def name_memory(hook: str, event: "dict[str, object]", call: "dict[str, object]") -> str:
    """Return the name, without suffix, of the file that records this call's denial.

    It depends on everything that distinguishes denials, so that no two calls share a file even if
    they are denied at once; and on how the hook was run, because two copies may be installed.
    Copilot CLI runs copies in turn and stops at a denial, so there the copies share their memory.
    """
    import binascii
    import json
    import re

    session = event.get("session_id")
    copy = [] if COPILOT else sys.argv
    identity = json.dumps([copy, session, event.get("agent_id"), call]).encode()
    digest = binascii.crc32(identity) << 32 | binascii.crc32(identity[::-1])
    plain = re.sub(r"(?a)\W", "_", str(session))  # a hyphen would look like a project's end
    return f"{find_prefix(hook)}-{plain[:40]}-{digest:016x}"


def forget_expired(folder: str, hook: str, window: int, end: str = r"\.json") -> None:
    """Remove this copy's records of any session that are older than `window` seconds."""
    import os
    import re
    import time

    ours = rf"{find_prefix(hook)}-\w*-" + "[0-9a-f]" * 16 + end  # two braces would be Jinja syntax
    for entry in os.scandir(folder) if os.path.isdir(folder) else ():
        if re.fullmatch(ours, entry.name) and entry.is_file(follow_symlinks=False):
            try:
                if abs(time.time() - entry.stat().st_mtime) > window + 1:
                    os.unlink(entry.path)
            except OSError:
                continue  # another hook was faster, or this user may not remove it


def recall_denial(memory: str, call: "dict[str, object]", window: int) -> bool:
    """Return whether this call was denied within the last `window` seconds, and forget the denial.

    Only the hook that removes the file recalls the denial, so that one of several concurrent
    retries passes. In Copilot CLI the file stays for the other copies of the hook, which receive
    the same call.
    """
    import json
    import os
    import time

    try:
        # Neither follow a planted symlink nor wait for a pipe.
        flags = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        with open(os.open(memory, flags), encoding="utf-8") as file:
            most = len(json.dumps(call)) + 100  # characters, including the text around the call
            denied = json.loads(file.read(most))["last_denied"]
        # A denial in the future is recent: the clock was set back since.
        age = int(time.time()) - denied.pop("timestamp")
        recent: bool = denied == call and age <= window
    except Exception:  # noqa: BLE001 - the file may be missing, or hold anything
        recent = False
    try:
        if not (COPILOT and recent):
            os.unlink(memory)
    except FileNotFoundError:
        return False
    return recent


def remember_denial(memory: str, call: "dict[str, object]") -> None:
    """Write the file that lets this call through when repeated; raises OSError.

    Another user's file there is neither overwritten nor followed.
    """
    import json
    import os
    import time

    now = time.time()
    os.umask(0o077)
    os.makedirs(os.path.dirname(memory), exist_ok=True)
    with open(memory, "x", encoding="utf-8") as file:
        json.dump({"last_denied": {**call, "timestamp": int(now)}}, file)
    os.utime(memory, (now, now))  # this machine's clock: a file server's may be wrong
