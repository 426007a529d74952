"""Take descriptions out of annotations, where FastAPI and Typer keep them (PEP 727)."""

import ast
from typing import Any

import griffe


def separate_descriptions(function: griffe.Function) -> dict[str, str]:
    """Leave of each `Annotated[type, Doc("...")]` the type, and return the descriptions.

    Returns:
        The description of each parameter that has one, by its name.

    """
    described = {}
    for parameter in function.parameters:
        parts = list_parts(parameter.annotation)
        if not parts:
            continue
        parameter.annotation = parts[0]
        texts = (read_description(part) for part in parts[1:])
        if text := next(filter(None, texts), ""):
            described[parameter.name] = text
    return described


def list_parts(annotation: Any) -> list[Any]:
    if not isinstance(annotation, griffe.ExprSubscript):
        return []
    if str(annotation.left).rpartition(".")[2] != "Annotated":
        return []
    inner = annotation.slice
    return list(inner.elements) if isinstance(inner, griffe.ExprTuple) else []


def read_description(part: Any) -> str:
    if not isinstance(part, griffe.ExprCall) or not part.arguments:
        return ""
    if str(part.function).rpartition(".")[2] not in ("Doc", "doc"):
        return ""
    try:
        text = ast.literal_eval(str(part.arguments[0]))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return ""
    return text if isinstance(text, str) else ""
