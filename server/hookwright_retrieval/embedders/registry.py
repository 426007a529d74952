"""The embedders, by name."""

from importlib import import_module

from hookwright_console.text import shorten
from hookwright_retrieval.embedders import Embedder, EmbedderError

KINDS = {  # each kind's module and class
    "wordllama": ("wordllama", "WordLlamaEmbedder"),
    "onnx": ("onnx", "OnnxEmbedder"),
    "ollama": ("ollama", "OllamaEmbedder"),
    "openai": ("openai_compatible", "OpenAIEmbedder"),
}


def open_embedder(kind: str, model: str | None = None, url: str | None = None) -> Embedder:
    """Open an embedder; a service that is down fails only on use.

    Args:
        kind: One of KINDS, or an embedder's name, such as ollama/nomic-embed-text:v1.5.
        model: The service's model, or an ONNX model's folder or package; None for the default.
        url: The service's URL; None for the default.

    Raises:
        EmbedderError: The embedder is unknown, or an argument is invalid for it.

    """
    kind, _, named = kind.partition("/")
    # An ONNX model is identified by its content rather than its location.
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
    # Only the selected embedder is imported, because imports are slow.
    build = getattr(import_module(f"{__package__}.{module}"), name)
    embedder: Embedder = build(*arguments)
    embedder.check()
    return embedder
