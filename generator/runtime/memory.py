"""Remember a denied call, so that the identical call is allowed when it is repeated.

Each denial is a separate file that its retry finds by name, so that concurrent hooks never
overwrite each other's files. Projects that are installed together do not either, because a file's
name starts with the project of the hook that wrote it.
"""

import sys

from .dialects.claude import COPILOT

# --- rendered from here on ---


def find_prefix(hook: str) -> str:
    """Return the prefix of this copy's file names; installed copies are named HOOK-PROJECT.py."""
    _, dash, project = sys.argv[0].rpartition("/")[2].partition(".")[0].partition("-")
    return f"{hook}-state{dash}{project}"


def name_memory(hook: str, event: "dict[str, object]", call: "dict[str, object]") -> str:
    """Return the name, without suffix, of the file that records the denial of this call.

    The name depends on everything that distinguishes calls, so that simultaneous denials never
    share a file, and on the hook's command line, because two copies may be installed. Copilot CLI
    runs copies in turn and stops at a denial, so its copies share their memory.
    """
    import binascii
    import json
    import re

    session = event.get("session_id")
    copy = [] if COPILOT else sys.argv
    identity = json.dumps([copy, session, event.get("agent_id"), call]).encode()
    digest = binascii.crc32(identity) << 32 | binascii.crc32(identity[::-1])
    plain = re.sub(r"(?a)\W", "_", str(session))  # a hyphen would look like the name's end
    return f"{find_prefix(hook)}-{plain[:40]}-{digest:016x}"


def forget_expired(folder: str, hook: str, window: int, end: str = r"\.json") -> None:
    """Remove this copy's records that are older than `window` seconds, from all sessions."""
    import os
    import re
    import time

    ours = rf"{find_prefix(hook)}-\w*-" + "[0-9a-f]" * 16 + end  # Jinja would interpret two braces
    for entry in os.scandir(folder) if os.path.isdir(folder) else ():
        if re.fullmatch(ours, entry.name) and entry.is_file(follow_symlinks=False):
            try:
                if abs(time.time() - entry.stat().st_mtime) > window + 1:
                    os.unlink(entry.path)
            except OSError:
                continue  # another hook removed it first, or this user may not remove it


def recall_denial(memory: str, call: "dict[str, object]", window: int) -> bool:
    """Return whether this call was denied in the last `window` seconds, and forget the denial.

    Only the hook that removes the file returns True, so that only one of several concurrent retries
    is allowed. In Copilot CLI, the file stays for the other copies of the hook, which receive the
    same call.
    """
    import json
    import os
    import time

    try:
        # Do not follow a planted symlink or wait for a pipe.
        flags = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        with open(os.open(memory, flags), encoding="utf-8") as file:
            most = len(json.dumps(call)) + 100  # characters of the call and the text around it
            denied = json.loads(file.read(most))["last_denied"]
        # A denial with a future time is recent, because the clock was set back since.
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
    """Write the file that allows this call when it is repeated; raises OSError.

    If another user has planted a file or symlink there, it is neither overwritten nor followed.
    """
    import json
    import os
    import time

    now = time.time()
    os.umask(0o077)
    os.makedirs(os.path.dirname(memory), exist_ok=True)
    with open(memory, "x", encoding="utf-8") as file:
        json.dump({"last_denied": {**call, "timestamp": int(now)}}, file)
    os.utime(memory, (now, now))  # by this machine's clock, because a file server's may be wrong
