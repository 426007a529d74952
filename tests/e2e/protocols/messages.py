"""Anthropic's messages (docs.anthropic.com/en/api/messages-streaming), used by Claude Code."""

import json
from collections.abc import Iterator, Sequence

from ..model import Call, HookDecision, Json, Request, Result, write_events


class Messages(Request):
    """A request for a message."""

    place = "/v1/messages"

    @property
    def agent(self) -> str:
        return self.headers.get("x-claude-code-agent-id", "")

    @property
    def for_the_web(self) -> bool:
        return any(tool.get("type", "").startswith("web_search") for tool in self._tools)

    @property
    def for_an_agent(self) -> bool:
        return bool(self._tools) and not self.for_the_web

    @property
    def turn(self) -> int:
        return sum(message["role"] == "assistant" for message in self.body["messages"])

    @property
    def told(self) -> HookDecision:
        """The messages since the model's last turn."""
        blocks: list[Json] = []
        for message in self.body["messages"]:
            blocks = [] if message["role"] == "assistant" else blocks + list_blocks(message)
        results = [block for block in blocks if block["type"] == "tool_result"]
        # Results arrive in order of completion; their IDs sort in call order.
        results.sort(key=lambda block: str(block["tool_use_id"]))
        return HookDecision(
            tuple(Result(read_text(block), block.get("is_error", False)) for block in results),
            "\n".join(block["text"] for block in blocks if block["type"] == "text"),
        )

    @property
    def _tools(self) -> list[Json]:
        return self.body.get("tools") or []

    def write(self, calls: Sequence[Call], text: str) -> Iterator[bytes]:
        blocks = [
            {"type": "tool_use", "id": self.name(number), "name": call.tool, "input": call.input}
            for number, call in enumerate(calls)
        ]
        identity = f"msg_{self.agent}_{self.turn}"
        return write_events(stream_message(identity, blocks or [{"type": "text", "text": text}]))


def stream_message(identity: str, blocks: Sequence[Json]) -> Iterator[Json]:
    """Yield the streaming events of a message with these blocks.

    The client merges messages with the same ID.
    """
    calls = any(block["type"] == "tool_use" for block in blocks)
    usage = {"input_tokens": 1, "output_tokens": 1}
    message = {"id": identity, "type": "message", "role": "assistant", "model": "fake"}
    yield {"type": "message_start", "message": {**message, "content": [], "usage": usage}}
    for index, block in enumerate(blocks):
        start, delta = split_block(block)
        yield {"type": "content_block_start", "index": index, "content_block": start}
        yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    stop = {"stop_reason": "tool_use" if calls else "end_turn", "stop_sequence": None}
    yield {"type": "message_delta", "delta": stop, "usage": usage}
    yield {"type": "message_stop"}


def split_block(block: Json) -> tuple[Json, Json]:
    if block["type"] == "text":
        return {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
    piece = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    return {**block, "input": {}}, piece


def list_blocks(message: Json) -> list[Json]:
    """Return the blocks of a message or tool result; a plain string is one text block."""
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def read_text(result: Json) -> str:
    return "\n".join(block.get("text", "") for block in list_blocks(result))
