"""Decide which hooks may run here and get the token: a project may be a stranger's."""

import os
from pathlib import Path

from hookwright.clients.claude.configuration import find_config_folder
from hookwright.clients.dialects import CLAUDE, read_dialects
from hookwright.installer import files, scripts
from hookwright.lesson_server import TOKEN
from hookwright.project.configured_handlers import list_trusted_urls, read_handlers
from hookwright.project.reader import Project
from hookwright.rendered_hooks import render_hook
from hookwright.template.store import is_newest
from hookwright_console.errors import RefusedError
from hookwright_console.network.addresses import find_origin
from hookwright_console.network.peers import is_loopback


def check_hook(name: str, content: bytes, project: Project, client: str = CLAUDE) -> None:
    """Refuse to run a hook that is not installed and that this version renders differently."""
    if is_known(name, content, project, client):
        return
    path = project.folder / read_dialects()[client].scripts / f"{name}.py"
    if is_newest(project.source, project.version):  # updating would not change it
        raise RefusedError(
            f"did not run {path}, because it was edited by hand: run hookwright update --restore "
            "to undo that, or hookwright install if the edit is yours"
        )
    raise RefusedError(
        f"did not run {path}, because this version renders it differently: run hookwright update, "
        "or hookwright install if you trust it"
    )


def is_known(name: str, content: bytes, project: Project, client: str = CLAUDE) -> bool:
    """Return whether a hook is installed, or equals this version's render."""
    installed = client == CLAUDE and is_installed(name, content)
    return installed or content == render_hook(name, project.answers, client)


def is_installed(name: str, content: bytes) -> bool:
    """Return whether a hook is installed, so that the client runs it anyway."""
    copies = (find_config_folder() / "hooks").glob(f"*/{name}*.py")
    return any(scripts.name_hook(copy) == name and files.peek(copy) == content for copy in copies)


def find_token(url: str) -> str:
    """Return the token for a lesson server, or "" if the server must not receive it.

    A server receives the token if it is on this machine, or if installed hooks query it.
    """
    token, origin = os.environ.get(TOKEN, ""), find_origin(url)
    if not token or not origin:
        return ""
    if is_loopback(origin[1]):
        return token
    _, handlers = read_handlers(Path.cwd())
    return token if origin in map(find_origin, list_trusted_urls(handlers)) else ""
