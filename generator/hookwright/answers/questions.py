"""Say what the questions of the template are about, in a line each."""

DOCSEARCH, ROUTING, LESSONS = "docsearch", "tool_routing", "lesson_search"

# Each question in the order of the template's: the hooks that it is asked for, and what it is.
QUESTIONS: dict[str, tuple[tuple[str, ...], str]] = {
    "project_name": ((), "What the project, and so its plugin, is called."),
    "hooks": ((), "Of docsearch, tool_routing and lesson_search; their questions follow."),
    "databases": (
        (DOCSEARCH,),
        "A search that names one of a database's keywords goes to that database first.",
    ),
    "routes": (
        (ROUTING,),
        "A call whose URL or command a pattern matches is told the message; the first counts.",
    ),
    "retry_window": (
        (DOCSEARCH, ROUTING),
        "Seconds in which what was denied once can be repeated to go through.",
    ),
    "fatigue_limit": (
        (ROUTING,),
        "Blocks in a session after which a route lets calls through; 0 for never.",
    ),
    "record_blocks": ((DOCSEARCH, ROUTING), "Whether a file records what was blocked."),
    "mcp_servers": ((DOCSEARCH,), "The MCP servers that search the databases; {} for none."),
    "transport": ((LESSONS,), "How a prompt gets to the lesson search server: command or http."),
    "lesson_server_url": ((LESSONS,), "Where the lesson search server is."),
    "top_k": ((LESSONS,), "Lessons that a prompt gets at most."),
    "context_budget": ((LESSONS,), "Characters that they have together at most."),
    "lesson_time_limit": ((LESSONS,), "Seconds after which a prompt goes on without them."),
}
RECORDS = ("databases", "routes", "mcp_servers")


def is_asked(question: str, hooks: object) -> bool:
    """Tell whether a question is asked in a project with these hooks; one we don't know is."""
    needed, _ = QUESTIONS.get(question, ((), ""))
    return not needed or not isinstance(hooks, list) or any(hook in hooks for hook in needed)
