"""The embedders by name."""

from importlib import import_module

from hookwright_console.text import shorten
from hookwright_retrieval.embedders import Embedder, EmbedderError

KINDS = {  # module and class of each
    "wordllama": ("wordllama", "WordLlamaEmbedder"),
    "onnx": ("onnx", "OnnxEmbedder"),
    "ollama": ("ollama", "OllamaEmbedder"),
    "openai": ("openai_compatible", "OpenAIEmbedder"),
}


def open_embedder(kind: str, model: str | None = None, url: str | None = None) -> Embedder:
    """Open an embedder; a service that is down fails only when it is used.

    Args:
        kind: One of KINDS, or the name of an embedder, such as ollama/nomic-embed-text:v1.5.
        model: The model of a service, or the folder or package of an ONNX model; None for the
            default.
        url: The URL of a service; None for the default.

    Raises:
        EmbedderError: The embedder is unknown, or an argument is invalid for it.

    """
    kind, _, named = kind.partition("/")
    # An ONNX model is identified by its content, not by its location.
    model = model or (named if kind != "onnx" else "") or None
    if kind not in KINDS:
        raise EmbedderError(f"unknown embedder '{shorten(kind)}': choose one of {', '.join(KINDS)}")
    if kind == "wordllama" and (model or url):
        raise EmbedderError(
            "wordllama has one model and no URL: choose onnx, ollama or openai for others"
        )
    if kind == "onnx" and url:
        raise EmbedderError("onnx has no URL: choose the model with --model FOLDER")
    module, name = KINDS[kind]
    arguments = {"wordllama": (), "onnx": (model,)}.get(kind, (model, url))
    # Only the chosen embedder is imported, since imports are slow.
    build = getattr(import_module(f"{__package__}.{module}"), name)
    embedder: Embedder = build(*arguments)
    embedder.check()
    return embedder
