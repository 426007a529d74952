"""The coding agents that hooks are installed in, one a package.

A package knows all about its client: which files it reads, what it calls events and tools, how it
says that a hook may run. The rest of the command line asks in neutral words:

    configuration  find_config_folder, list_settings: where its files are
    events         BEFORE_CALL, BEFORE_PROMPT, SESSION_START: what it calls them; SEARCH: its tool
    matchers       covers, split_matcher: which tools a hook is asked about
    mcp_servers    McpServer, list_servers, find_server: which it is configured with; say_how_to_add
    program        NAME, find_program, read_version; DENIES, ASKS_ITSELF: which version can do what
    settings       find_faults, find_bans, find_permission: what its settings say
    tool_names     build_prefix, split_tool, find_named: the names of MCP tools
    transcripts    find_transcripts: the calls of past sessions

Records name tools as Claude Code does (WebFetch, mcp__leann__leann_search): the answers of a
project are the same for every client, and dialects translates them.
"""
