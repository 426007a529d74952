"""Render a hook with this version, and find hooks that were edited by hand."""

from collections.abc import Mapping
from typing import Any

from hookwright.clients.dialects import CLAUDE
from hookwright.installer import files, installed_hooks
from hookwright.project.reader import Project
from hookwright.template.store import find_template, is_newest


def list_edited(project: Project) -> list[str]:
    """Return a project's hand-edited hooks, if it uses the newest template."""
    if not is_newest(project.source, project.version):
        return []
    contents = {name: files.peek(project.find_hook(name)) for name in project.script_names}
    return [
        name
        for name, content in contents.items()
        if content and content != render_hook(name, project.answers)
    ]


def render_hook(name: str, answers: Mapping[str, Any], client: str = CLAUDE) -> bytes | None:
    """Return a hook as rendered by this version, without Copier, which takes a second.

    Returns None for answers that Copier would reject, because they could run code in a template,
    and for a hook that is not in the template.
    """
    # Installed hooks do not use Jinja, because importing it takes longer than running them.
    from hookwright.answers.validation import build_environment, cast, check_answers, read_questions

    template = find_template()
    environment = build_environment(template)
    questions = read_questions(template)
    known = {question: answers[question] for question in questions if question in answers}
    if any(check_answers(template, each, own, known, own) for each, own in known.items()):
        return None
    try:
        own = {name: cast(questions[name], answer) for name, answer in known.items()}
        defaults = {name: questions[name].default for name in questions}
        context = {**defaults, **own, "client": client}
        loaders = {loaded: hook for hook, loaded in installed_hooks.COMPANIONS.items()}
        script = environment.get_template(f"generator/hooks/{loaders.get(name, name)}/{name}.jinja")
        return script.render(context).encode()
    except Exception:  # noqa: BLE001 - answers may hold anything
        return None
