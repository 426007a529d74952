"""Embed all records again."""

import typer

from hookwright_console.terminal import count, print_line, show_progress
from lesson_search.cli.client import ClientError
from lesson_search.cli.options import Options
from lesson_search.records import Lesson, Skill


def reindex(context: typer.Context) -> int:
    """Embed all lessons and skills again.

    Run it to change the embedder, and stop the server first.
    """
    options = context.ensure_object(Options)
    from hookwright_retrieval.embedders.registry import open_embedder
    from lesson_search.retrieval.calibrator import find_calibration
    from lesson_search.service.startup import load_collection, open_chroma
    from lesson_search.storage.reindex import reindex as embed_again

    settings = options.settings
    if options.url:
        raise ClientError(
            "cannot reindex through a server: stop it, and run this on its machine without --url"
        )
    with open_chroma(settings) as chroma, show_progress("Embedding") as progress:
        embedder = open_embedder(settings.embedder, settings.model, settings.embedder_url)
        counts = embed_again(chroma, embedder, lambda _, done, total: progress(done, total))
        # While Chroma has the vectors: the next start would compute them again.
        calibration = find_calibration(embedder, settings.data)
        load_collection(chroma, Lesson, embedder, calibration, settings.data).save_cache()
        load_collection(chroma, Skill, embedder, calibration, settings.data).save_cache()
    total = " and ".join(count(number, one[:-1]) for one, number in counts.items())
    print_line(f"embedded {total} with {embedder.model}")
    return 0
