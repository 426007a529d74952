"""Open the embedder that somebody chose."""

from hookwright_console.text import show
from lesson_search.embedders import Embedder, EmbedderError
from lesson_search.embedders.prefixes import Prefixes

KINDS = ("wordllama", "ollama", "openai")


def open_embedder(
    kind: str,
    model: str | None = None,
    url: str | None = None,
    prefixes: Prefixes | None = None,
) -> Embedder:
    """Return an embedder, which was checked: a service that is down is no error until it is used.

    Args:
        kind: One of KINDS, or the name of an embedder, such as ollama/nomic-embed-text:v1.5.
        model: The service's name for its model; None for the usual one.
        url: Where the service is; None for where it usually is.
        prefixes: What stands before texts; None for what the model is known to want.

    Raises:
        EmbedderError: There is no such embedder, or what is said of it cannot be.

    """
    kind, _, named = kind.partition("/")
    model = model or named or None
    if kind not in KINDS:
        raise EmbedderError(f"'{show(kind)}' is no embedder: choose one of {', '.join(KINDS)}")
    if kind == "wordllama" and (model or url or prefixes):
        raise EmbedderError("wordllama has one model, here: choose ollama or openai for another")
    # Only who embeds by one should wait for what it imports.
    if kind == "wordllama":
        from lesson_search.embedders.wordllama import WordLlamaEmbedder

        return WordLlamaEmbedder()
    if kind == "ollama":
        from lesson_search.embedders.ollama import OllamaEmbedder

        embedder: Embedder = OllamaEmbedder(model, url, prefixes)
    else:
        from lesson_search.embedders.openai_compatible import OpenAIEmbedder

        embedder = OpenAIEmbedder(model, url, prefixes)
    embedder.check()
    return embedder
