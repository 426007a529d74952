"""The clients and hooks that can be installed."""

import json

CLIENTS = json.loads(r"""{
  "claude": {"title": "Claude Code", "installation": {"home": ".claude", "variable": "CLAUDE_CONFIG_DIR", "settings": {"user": "settings.json", "project": ".claude/settings.json", "local": ".claude/settings.local.json"}, "ours": ""}},
  "codex": {"title": "Codex CLI", "installation": {"home": ".codex", "variable": "CODEX_HOME", "settings": {"user": "hooks.json", "project": ".codex/hooks.json"}, "steps": {"user": "trust the hooks once: run /hooks in codex", "project": "trust the folder, then the hooks: run /hooks in codex"}}},
  "copilot": {"title": "Copilot CLI", "installation": {"home": ".copilot", "variable": "COPILOT_HOME", "settings": {"user": "hooks/hookwright-NAME.json", "project": ".github/hooks/hookwright-NAME.json"}, "start": {"version": 1}, "steps": {"project": "trust the folder: copilot asks when it starts there, -p needs --trust-folder"}}},
  "gemini": {"title": "Gemini CLI", "installation": {"home": ".gemini", "variable": "GEMINI_CLI_HOME", "inner": ".gemini", "settings": {"user": "settings.json", "project": ".gemini/settings.json"}, "has_comments": true, "fills_variables": true, "steps": {"project": "trust the folder: run /permissions in gemini"}}},
  "qwen": {"title": "Qwen Code", "installation": {"home": ".qwen", "variable": "QWEN_HOME", "settings": {"user": "settings.json", "project": ".qwen/settings.json"}, "has_comments": true, "fills_variables": true}},
  "opencode": {"title": "opencode", "installation": {"home": ".config/opencode", "variable": "XDG_CONFIG_HOME", "inner": "opencode", "settings": {"user": "plugin/hookwright-NAME.js", "project": ".opencode/plugin/hookwright-NAME.js"}, "plugin": "hookwright.js"}}
}""")  # noqa: E501 - one line per client
HOOKS = json.loads("""{
  "docsearch": {"id": "0a09286d8b9e568a09b4433bd4d25c60", "events": {"PreToolUse": "WebSearch", "SessionStart": ""}, "loads": {"name": "docsearch_answer", "id": "7c3b51e89d0f4f6ea1d2c84b6f3e0a97"}},
  "tool_routing": {"id": "1593892e4ab84b4c2b8d352590ec4410", "events": {"PreToolUse": ""}},
  "lesson_search": {"id": "430a1ead26d2310654cc251fff626aa0", "events": {"UserPromptSubmit": ""}},
  "prompt_hint": {"id": "58e0c3a2d9174b6f8a41f7be26d5930c", "events": {"UserPromptSubmit": ""}},
  "action_lessons": {"id": "2aab2ab773542a5b6617ad434b237870", "events": {"PostToolUseFailure": "Bash", "PreToolUse": "Agent"}, "loads": {"name": "action_lessons_answer", "id": "5daeda280f083586ef541a7423167d16"}},
  "capture": {"id": "4b06c1d9e54f34a7f9d2a8e1c73f5a49", "events": {"SessionStart": "startup"}}
}""")  # noqa: E501
