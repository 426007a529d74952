"""The embedders, by name."""

from importlib import import_module

from hookwright_console.errors import MisusedError
from hookwright_console.text import shorten
from hookwright_retrieval.embedders import Embedder

KINDS = {  # the module and class of each kind
    "wordllama": ("wordllama", "WordLlamaEmbedder"),
    "onnx": ("onnx", "OnnxEmbedder"),
    "ollama": ("ollama", "OllamaEmbedder"),
    "openai": ("openai_compatible", "OpenAIEmbedder"),
}


def open_embedder(kind: str, model: str | None = None, url: str | None = None) -> Embedder:
    """Open an embedder; if its service is down, only later calls fail.

    `kind` is one of KINDS, or the name of an embedder, such as ollama/nomic-embed-text:v1.5;
    `model` is the service's model, or the folder or package of an ONNX model. Raises MisusedError
    if the embedder is unknown, or does not support one of the arguments; or else EmbedderError.
    """
    kind, _, named = kind.partition("/")
    # The name of an ONNX embedder identifies the model's content, not its location.
    model = model or (named if kind != "onnx" else "") or None
    if kind not in KINDS:
        raise MisusedError(f"unknown embedder '{shorten(kind)}': choose one of {', '.join(KINDS)}")
    if kind == "wordllama" and (model or url):
        raise MisusedError(
            "wordllama has one model and no URL: choose onnx, ollama or openai for others"
        )
    if kind == "onnx" and url:
        raise MisusedError("onnx has no URL: choose the model with --model FOLDER")
    module, name = KINDS[kind]
    arguments = {"wordllama": (), "onnx": (model,)}.get(kind, (model, url))
    # Import only the selected embedder, because the imports are slow.
    build = getattr(import_module(f"{__package__}.{module}"), name)
    embedder: Embedder = build(*arguments)
    embedder.check()
    return embedder
