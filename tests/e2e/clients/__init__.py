"""The real clients, each run in a separate home folder."""

from .claude import Claude
from .client import Client
from .codex import Codex
from .copilot import Copilot
from .gemini import Gemini
from .opencode import OpenCode
from .qwen import Qwen

CLIENTS: dict[str, type[Client]] = {
    client.name: client for client in (Claude, Codex, Copilot, Gemini, OpenCode, Qwen)
}
