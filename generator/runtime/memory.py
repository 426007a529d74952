"""Remember that a call was denied, so that the identical call goes through when it is repeated.

Each denial is a file of its own, and its retry finds it by name: hooks that run at the same time
share no file that one of them could overwrite. Projects that are installed side by side share none
either: a file's name begins with the project of the copy that wrote it.
"""

import sys

from .claude.copilot import COPILOT

# --- rendered from here on ---


def find_prefix(hook: str) -> str:
    """Return how the names of this copy's files begin; an installed one is docsearch-PROJECT.py."""
    _, dash, project = sys.argv[0].rpartition("/")[2].partition(".")[0].partition("-")
    return f"{hook}-state{dash}{project}"


def name_memory(hook: str, event: "dict[str, object]", call: "dict[str, object]") -> str:
    """Return the name, without its suffix, of the file that remembers the denial of this call.

    It depends on all that tells denials apart, so that no two calls share a file even when they are
    denied at once; and on how the hook was run, for two copies of it may be installed. Copilot CLI
    runs one after the other and stops at a denial: there the copies share what they remember.
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
    """Remove what this copy remembers from any session for more than `window` seconds."""
    import os
    import re
    import time

    ours = rf"{find_prefix(hook)}-\w*-" + "[0-9a-f]" * 16 + end  # two braces would be Jinja's
    for entry in os.scandir(folder) if os.path.isdir(folder) else ():
        if re.fullmatch(ours, entry.name) and entry.is_file(follow_symlinks=False):
            try:
                if abs(time.time() - entry.stat().st_mtime) > window + 1:
                    os.unlink(entry.path)
            except OSError:
                continue  # another hook was faster, or this user may not remove it


def recall_denial(memory: str, call: "dict[str, object]", window: int) -> bool:
    """Tell whether this call was denied within the last `window` seconds, and forget that it was.

    Only the hook that removes the file recalls the denial, so that of several retries at once only
    one goes through. In Copilot CLI the file stays, for the other copies of the hook that are asked
    about the same call.
    """
    import json
    import os
    import time

    try:
        # A link or a pipe that somebody planted is neither followed nor waited for.
        flags = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        with open(os.open(memory, flags), encoding="utf-8") as file:
            most = len(json.dumps(call)) + 100  # characters, with what is around the call
            denied = json.loads(file.read(most))["last_denied"]
        # A denial of the future is recent: the clock was set back since.
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
    """Write the file that lets this call through when it is repeated, or raise OSError.

    What somebody else put there is neither overwritten nor followed.
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
