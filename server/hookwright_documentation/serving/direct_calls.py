"""Answer a call of a tool as one request with one response.

The SDK makes a session with streams and tasks for each request without one, which takes longer than
the search. A call of a tool needs none: the SDK's own models read it and write its answer here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_types import (
    INVALID_REQUEST,
    CallToolRequestParams,
    ErrorData,
    JSONRPCError,
    JSONRPCRequest,
    JSONRPCResponse,
)
from mcp_types.methods import serialize_server_result, validate_client_request
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from pydantic import ValidationError
from pydantic_core import from_json

from hookwright_documentation.serving.mcp_server import run_tool
from hookwright_documentation.serving.tools import TOOLS, word_value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hookwright_documentation.serving.tool_runner import ToolRunner

METHOD = "tools/call"
VERSION = "mcp-protocol-version"  # the header
JSON = "application/json"


def read_call(headers: Mapping[str, str], body: bytes) -> JSONRPCRequest | None:
    """Return a call of one of our tools, or None for what the SDK has to answer.

    Args:
        headers: The headers of the request, by their names in lower case.
        body: Its body.

    """
    plain = JSON in headers.get("accept", "") and headers.get("content-type", "") == JSON
    if not plain or headers.get(VERSION) not in HANDSHAKE_PROTOCOL_VERSIONS:
        return None
    try:
        request = JSONRPCRequest.model_validate_json(body)
        if request.method != METHOD:
            return None
        validate_client_request(METHOD, headers[VERSION], request.params)
    except ValidationError:
        return None
    return request if (request.params or {}).get("name") in TOOLS else None


async def answer_call(headers: Mapping[str, str], body: bytes, runner: ToolRunner) -> bytes | None:
    """Return the body of the answer to a call of a tool, or None for what the SDK has to answer.

    Args:
        headers: The headers of the request, by their names in lower case.
        body: Its body.
        runner: What runs the tools.

    """
    request = read_call(headers, body)
    if request is None:
        return None
    parameters = CallToolRequestParams.model_validate(request.params, by_name=False)
    result = await run_tool(runner, parameters)
    dumped = result.model_dump(mode="json", by_alias=True, exclude_none=True)
    shaped = serialize_server_result(METHOD, headers[VERSION], dumped)
    response = JSONRPCResponse(jsonrpc="2.0", id=request.id, result=shaped)
    return response.model_dump_json(by_alias=True, exclude_unset=True).encode()


def answer_wrong_id(body: bytes) -> bytes | None:
    """Return the error for a request whose ID is no string and no integer, or None.

    The SDK takes such a request for a notification, and its sender would wait for an answer.

    Args:
        body: The body of the request.

    """
    try:
        message = from_json(body)
    except ValueError:
        return None  # the SDK says what is wrong with it
    if not isinstance(message, dict) or not {"id", "method"} <= message.keys():
        return None
    number = message["id"]
    if isinstance(number, str | int) and not isinstance(number, bool):
        return None
    reason = f"id: expected a string or an integer, got {word_value(number)}"
    error = ErrorData(code=INVALID_REQUEST, message=reason)
    response = JSONRPCError(jsonrpc="2.0", id=None, error=error)
    return response.model_dump_json(by_alias=True, exclude_unset=True).encode()
