#!/usr/bin/env python3
# ID: 0a09286d8b9e568a09b4433bd4d25c60
"""Redirect a web search about a documented technology to its documentation database.

A Claude Code PreToolUse hook for WebSearch, rendered by Hookwright.
It reads an event on stdin. It denies a search that contains a keyword, and points the agent to the
database; the identical search passes when repeated. On any error, the search passes.
HOOKWRIGHT_DEBUG=1 explains the decision on stderr.

Do not edit the tables: change the answers with `copier update` (see README.md).
"""

import sys

TYPE_CHECKING = False  # as in typing, which takes longer to import than everything else here
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Decision = tuple[str, str]
    Match = tuple[int, str, str, int]

# fmt: off
# Each database's keywords, one per line, with an empty line between databases.
KEYWORDS = """
gitlab
gl
gitlab-ci
gitlab runner
glab

kubernetes
k8s
kubectl
kubelet
kubeadm
"""

# The databases in the same order, as JSON: only denials need to parse it.
DATABASES = r"""
[
    {
        "name": "gitlab",
        "mcp_tool_name": "mcp__leann__leann_search",
        "arguments": {"index_name": "gitlab"},
        "path": "~/.leann/indexes/gitlab",
        "description": "the GitLab documentation",
        "domains": ["docs.gitlab.com"]
    },
    {
        "name": "kubernetes",
        "mcp_tool_name": "mcp__leann__leann_search",
        "arguments": {"index_name": "kubernetes"},
        "path": "~/.leann/indexes/kubernetes",
        "description": "the Kubernetes documentation",
        "domains": ["kubernetes.io"]
    }
]
"""

# Seconds within which a denied search may be repeated.
RETRY_WINDOW = 300

# Name prefixes of the tools that the agent has from the start.
LOADED: "tuple[str, ...]" = ()
# fmt: on

try:  # os builds on posix, but takes a tenth of Python's startup time to import
    from posix import _exit as end_process
    from posix import environ
except ImportError:  # on Windows
    import os

    end_process = os._exit
    environ = dict(zip(map(os.fsencode, os.environ), map(os.fsencode, os.environ.values())))

DEBUG = b"1" in (environ.get(b"HOOKWRIGHT_DEBUG"), environ.get(b"TOOL_ROUTING_DEBUG"))


def answer_event(
    decide: "Callable[..., Any]", respond: "Callable[[Any, bytes], int]", *more: "Any"
) -> None:
    """Answer the event on stdin with the result of `decide` for its bytes, and exit.

    `decide` also receives `more`. `respond` prints and flushes a decision, unless it is None, and
    returns the exit code. On any error, even a closed stdout or Ctrl-C, the call or prompt is
    allowed, because a broken hook must not break the agent.
    """
    status = 0
    if not DEBUG:
        sys.stderr = None  # Python may print a warning, for example about a pattern
    try:
        raw = sys.stdin.buffer.read()
        decision = decide(raw, *more)
        if decision is not None:
            status = respond(decision, raw)
    except BaseException as error:  # noqa: BLE001 - fail open
        explain("let through because of " + repr(error))
    finally:
        end_process(status)  # a regular exit would add a fifth of Python's startup time


def explain(line: str) -> None:
    """Explain a decision on stderr if HOOKWRIGHT_DEBUG is 1."""
    if DEBUG and sys.stderr:
        print("hookwright:", line, file=sys.stderr, flush=True)


COPILOT = environ.get(b"COPILOT_CLI") == b"1"

# The client's names for its events and tools.
CALL, START = "PreToolUse", "SessionStart"
SEARCH, FETCH, SHELL = "WebSearch", "WebFetch", "Bash"
# How the agent loads the named tools.
LOADING = 'ToolSearch "select:%s" loads it.'


def read_event(raw: bytes) -> "Any":
    """Return an event with the fields used by decisions, in Claude Code's form.

    These are hook_event_name, session_id, agent_id, tool_name and tool_input. Raises any exception
    for invalid events.
    """
    import json

    return json.loads(raw.decode())


def print_decision(decision: "tuple[str, str]", raw: bytes) -> int:
    """Print the reason for a denial, and any note, for the agent; return the exit code.

    The decision consists of the reason to deny the call, or "", and additional context for the
    agent, or "". `raw` is the event.
    """
    import json

    reason, context = decision
    output = {"hookEventName": CALL}
    if reason:
        output.update(permissionDecision="deny", permissionDecisionReason=reason)
    if context:
        output["additionalContext"] = context
    if reason or context:
        print(json.dumps({"hookSpecificOutput": output}), flush=True)
    if COPILOT and b'"permission_mode"' not in raw:  # sent by Claude Code, even within Copilot
        return 0
    if reason and sys.__stderr__:  # print writes to stdout if it is closed
        print(*filter(None, decision), sep="\n", file=sys.__stderr__, flush=True)
    return 2 if reason else 0


def find_memory_folder() -> str:
    """Return the folder for the hooks' memory and logs; raises OSError without a home folder."""
    import os

    config = os.environ.get("CLAUDE_CONFIG_DIR") or os.path.expanduser("~/.claude")
    folder = os.path.normpath(os.path.join(config, "hooks"))
    home = os.path.dirname(os.path.dirname(folder))
    if not os.path.isabs(config) or not os.path.isdir(home):
        raise FileNotFoundError(home)
    return folder


def decide(raw: bytes, trace: "list[Any]", *steps: "Callable[..., Decision]") -> "Decision | None":
    """Return the reason and context to deny the search in `raw`, or None.

    Each named database adds a tuple to `trace`: its number, the outcome (named, disabled), the
    keyword or domain, and where a keyword ends in the case-folded query, or until when the database
    is disabled. Each keyword that is also an ordinary word adds a tuple (weighed) with the words
    for and against the database, and their points.

    `steps` remember and log a denial; `hookwright try` passes none, so nothing is written. Raises
    any exception for invalid events; the search is then allowed.
    """
    query = peek_query(raw)
    found = match_keywords(query, trace) if query is not None else None
    if found == [] and b'"allowed_domains"' not in raw:
        explain("no keyword in the query " + repr(query) + " is meant: " + repr(trace))
        return None
    import json

    event = read_event(raw)
    if event["hook_event_name"] == START:
        forget_expired(find_memory_folder(), "docsearch", RETRY_WINDOW)
    if (event["hook_event_name"], event.get("tool_name")) != (CALL, SEARCH):
        return None
    search = {"query": event["tool_input"]["query"]}
    for domains in ("allowed_domains", "blocked_domains"):
        search[domains] = sorted(set(event["tool_input"].get(domains) or ()))
    event["tool_input"] = search  # a search is identified by its query and domains
    databases = json.loads(DATABASES)
    found = match_keywords(search["query"], trace) if found is None else found
    for sift in SIFTS:
        found = sift(found, search, databases, trace)
    trace.extend(found)
    explain("the query " + repr(search["query"]) + " names " + repr(trace))
    decision = format_denial(found, databases) if found else None
    for step in steps:
        if decision and decision[0]:
            decision = step(found, event, decision)
    return decision


def peek_query(raw: bytes) -> "str | None":
    r"""Return the query without parsing the event, or None if parsing is necessary.

    This is reliable: without a \u escape, a key appears literally, so the only "query" in the bytes
    is that key, and plain ASCII text after it is the whole query.
    """
    _, _, value = raw.partition(b'"query"')
    colon, _, rest = value.partition(b'"')
    query, _, _ = rest.partition(b'"')
    plain = colon.strip() == b":" and query.isascii() and b"\\" not in query
    if plain and b'"query"' not in value and b"\\u" not in raw.replace(b"\\\\", b""):
        return query.decode()
    return None


def match_keywords(query: str, trace: "list[Any]") -> "list[Match]":
    """Return a match for each database that the query names, as in `decide`'s `trace`."""
    query = query[:10_000].casefold()  # a longer query would take seconds
    matches = []
    for number, block in enumerate(KEYWORDS.casefold().strip().split("\n\n")):
        for word in block.split("\n"):
            end = find_end(word, query) if word in query else 0
            if end and all(judge(number, word, query, trace) for judge in JUDGES):
                spelled = KEYWORDS.strip().split("\n\n")[number].split("\n")
                matches.append((number, "named", spelled[block.split("\n").index(word)], end))
                break
    return matches


def find_end(keyword: str, query: str) -> int:
    """Return where the keyword ends in the query as a whole word, or 0 if it does not occur.

    Both texts must be case-folded.
    """
    start = -1
    while keyword and (start := query.find(keyword, start + 1)) >= 0:
        end = start + len(keyword)
        before, after = query[start - 1 : start], query[end : end + 1]
        if not extends(keyword[0], before) and not extends(keyword[-1], after):
            return end
    return 0


def extends(edge: str, neighbour: str) -> bool:
    """Return whether the character next to a keyword belongs to the same word.

    In scripts without spaces between words, it does not: "如何配置gitlab" names gitlab. By code
    point, these scripts are Thai and everything after it except accented Latin and Greek letters.
    """
    for character in (edge, neighbour):
        if "\u0e00" <= character < "\u1e00" or character >= "\u2000":
            return False
    return neighbour.isalnum() or neighbour == "_" or "\u0300" <= neighbour <= "\u036f"


def format_denial(matches: "list[Match]", databases: "list[dict[str, Any]]") -> "Decision":
    """Return the reason and context of a denial that sends the agent to these databases.

    The reason contains the passages of databases that answer directly, because agents trust
    additional context like the user, but treat a reason like a search result.
    """
    import json

    others = [match for match in matches if "answer" not in databases[match[0]]]
    several = len(others) > 1
    context = "Call these MCP tools IN PARALLEL" if several else "Call this MCP tool"
    context += " with your query:"
    for place, match in enumerate(others, start=1):
        database = databases[match[0]]
        context += f"\n{place}. " if several else " "
        context += database["mcp_tool_name"]
        if database.get("arguments"):
            context += " with " + json.dumps(database["arguments"], ensure_ascii=False)
        context += f" for {database['description']}"
        if not database.get("arguments"):  # the agent finds the argument from the path
            context += f" at {database['path']}"
    tools = dict.fromkeys(databases[match[0]]["mcp_tool_name"] for match in others)
    missing = ",".join(tool for tool in tools if not tool.startswith(LOADED))
    names = " and ".join(dict.fromkeys(f"'{match[2]}'" for match in matches))
    context += f"\n{LOADING % missing} " if missing else "\n"
    context += f"The identical {SEARCH} again reaches the web."
    reason = f"Query matches {names} - using RAG database{'s' * (len(matches) > 1)} instead"
    answers = [databases[match[0]].get("answer") for match in matches]
    return "\n\n".join([reason, *filter(None, answers)]), context if others else ""


def add_restricted(
    found: "list[Match]",
    search: "dict[str, Any]",
    databases: "list[dict[str, Any]]",
    _: object,
) -> "list[Match]":
    """Return the databases matched by keyword, and those matched by a domain restriction.

    A match by domain contains the domain instead of a keyword.
    """
    matches = {match[0]: match for match in found}
    hosts = ["." + domain.casefold().partition("/")[0] for domain in search["allowed_domains"]]
    for number, database in enumerate(databases):
        own = {"." + domain.casefold(): domain for domain in database.get("domains", ())}
        if hosts and all(host.endswith(tuple(own)) for host in hosts):
            name = next(own[end] for end in own if hosts[0].endswith(end))
            matches.setdefault(number, (number, "named", name, 0))
    return sorted(matches.values())


def allow_repeated_search(_: object, event: "dict[str, Any]", decision: "Decision") -> "Decision":
    """Return the decision, or allow the search if an identical one was denied before.

    Raises OSError if the denial cannot be saved, because the search would otherwise be denied
    forever.
    """
    search, folder = event["tool_input"], find_memory_folder()
    forget_expired(folder, "docsearch", RETRY_WINDOW)
    memory = f"{folder}/{name_memory('docsearch', event, search)}.json"
    if recall_denial(memory, search, RETRY_WINDOW):
        explain("let through: the identical search was denied before")
        return "", ""
    remember_denial(memory, search)
    return decision


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


# Functions that decide whether an ambiguous keyword means the technology.
JUDGES: "tuple[Callable[..., bool], ...]" = ()

# Functions that add databases by a search's domains, and drop disabled or unhelpful ones.
SIFTS = (add_restricted,)

if __name__ == "__main__":
    answer_event(decide, print_decision, [], allow_repeated_search)
