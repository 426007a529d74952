"""Search routes: for programs, and for client hooks."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypeVar
from urllib.parse import unquote

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from fastapi import APIRouter, Depends, Header, Query, Request, Response

from hookwright_retrieval.embedders.wordllama import WordLlamaEmbedder
from hookwright_secret_scan.credentials import redact_secrets
from lesson_search.api.dependencies import InboxDependency, ServiceDependency
from lesson_search.api.middleware import OWN_CLIENT
from lesson_search.api.schemas import (
    HookEvent,
    HookParameters,
    QueryRequest,
    QueryResponse,
)
from lesson_search.projects import MAX_FOLDER, find_project, name_projects
from lesson_search.service.explanation import Explanation
from lesson_search.service.explanation import explain as explain_prompt
from lesson_search.service.lesson_service import LessonService

Result = TypeVar("Result")

FOLDERS = CapacityLimiter(16)  # threads
SEARCHES = CapacityLimiter(16)  # threads; changes, which may be slow, use other threads
HOOK_PATH = "/hooks/user-prompt-submit"
FAILURE_PATH = "/hooks/failed-command"
MAX_ERROR = 8_000  # characters at the end of an error
LIKELY = 0.5  # minimum score for an error, above which the lesson is probably relevant
MAX_PROJECTS = 2  # the project's remote and its root
RepositoryHeader = Annotated[
    str,
    Header(
        alias="Hookwright-Repository",
        description="The session's project, if it is on another machine: the remote and the root"
        " of its Git repository, percent-encoded, with a comma between them.",
    ),
]


async def find_projects(
    request: Request, event: HookEvent, repository: RepositoryHeader = ""
) -> tuple[str, ...]:
    """Return the names of a session's project, from the header or else from its folder.

    The folder is read only for processes of this user, in a thread because reading may be slow.
    """
    is_own = getattr(request.state, OWN_CLIENT, False)
    if repository or not (is_own and isinstance(event.cwd, str) and len(event.cwd) <= MAX_FOLDER):
        return name_projects(map(unquote, repository.split(",")[:MAX_PROJECTS]))
    return await run_sync(find_project, Path(event.cwd), limiter=FOLDERS)


ProjectsDependency = Annotated[tuple[str, ...], Depends(find_projects)]
router = APIRouter(tags=["find"])


@router.post("/api/query", response_model=QueryResponse, response_model_exclude_none=True)
async def query(request: QueryRequest, service: ServiceDependency) -> dict[str, Any]:
    """Find lessons or skills for a prompt; the result is empty while the embedder is down."""
    return await run_search(service, lambda: service.query(**request.model_dump()))


@router.post(HOOK_PATH)
async def answer_prompt(
    event: HookEvent,
    parameters: Annotated[HookParameters, Query()],
    service: ServiceDependency,
    inbox: InboxDependency,
    projects: ProjectsDependency,
) -> Response:
    """Answer a client's hook event in the client's format, or with {} if nothing is relevant.

    A session does not get the same lesson or skill again for a while. Its project's lessons come
    first; those of other projects are left out.
    """
    prompt, session = read_event(event)
    if inbox and projects:  # set only for sessions of this user on this machine
        service.roots |= dict.fromkeys(projects, projects[-1])
    return await answer_hook(service, prompt, session, parameters, projects=projects)


@router.post(FAILURE_PATH)
async def answer_failure(
    event: HookEvent,
    parameters: Annotated[HookParameters, Query()],
    service: ServiceDependency,
    projects: ProjectsDependency,
) -> Response:
    """Answer a failed command's error with the lesson most likely to help.

    The answer is {} if no lesson is likely to help. Possible secrets are removed from the error
    before the search.
    """
    error, session = read_event(event)
    if len(error) > MAX_ERROR:  # drops the first word, which may be the rest of a secret
        error = error[-MAX_ERROR:].partition(" ")[2].rpartition("-----END")[2]
    error = redact_secrets(error)
    least = max(LIKELY, service.lessons.threshold, parameters.min_score or 0)
    single = parameters.model_copy(update={"top_k": 1, "min_score": least})
    return await answer_hook(
        service, error, session, single, projects=projects, collections=("lessons",)
    )


async def answer_hook(
    service: LessonService,
    prompt: str,
    session: str | None,
    parameters: HookParameters,
    **options: Any,
) -> Response:
    context = await run_search(
        service,
        lambda: service.build_context(session, prompt, **parameters.model_dump(), **options),
    )
    output = {"hookEventName": "UserPromptSubmit", "additionalContext": context}
    answer = {"hookSpecificOutput": output} if context else {}
    # The rendered hook expects exactly this format, since parsing JSON would take it too long.
    body = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
    return Response(body, media_type="application/json")


@router.post("/api/explain")
async def explain(
    event: HookEvent,
    parameters: Annotated[HookParameters, Query()],
    service: ServiceDependency,
    projects: ProjectsDependency,
) -> Explanation:
    """Explain the response to a hook event, without recording anything as given to the session."""
    prompt, session = read_event(event)
    return await run_search(
        service,
        lambda: explain_prompt(
            service, session, prompt, **parameters.model_dump(), projects=projects
        ),
    )


def read_event(event: HookEvent) -> tuple[str, str | None]:
    prompt = event.prompt if isinstance(event.prompt, str) else ""
    names = [name for name in (event.session_id, event.agent_id) if isinstance(name, str) and name]
    return prompt, "\0".join(names) or None


async def run_search(service: LessonService, search: Callable[[], Result]) -> Result:
    """Run a search, in a thread only if it waits for a service.

    Parallel searches only take turns, so each takes twice as long as it would alone. Before each
    search, the server reads other clients' messages and answers those that need no search. Results
    are sent once all searches that arrived together are done, which is faster than sending each in
    between.
    """
    if isinstance(service.embedder, WordLlamaEmbedder):
        await asyncio.sleep(0)
        found = search()
        await asyncio.sleep(0)
        return found
    return await run_sync(search, limiter=SEARCHES)
