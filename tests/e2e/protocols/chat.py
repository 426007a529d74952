"""OpenAI's chat completions, supported by Copilot, Qwen Code and opencode.

Reference: https://platform.openai.com/docs/api-reference/chat-streaming.
"""

import itertools
import json
from collections.abc import Iterator, Sequence

from ..model import Call, HookDecision, Json, Request, Result, read_task, write_events


class Chat(Request):
    """A request for a streamed chat completion."""

    place = "/chat/completions"

    @property
    def agent(self) -> str:
        users = itertools.takewhile(lambda message: message["role"] != "assistant", self._messages)
        return read_task(" ".join(read_content(user) for user in users if user["role"] == "user"))

    @property
    def turn(self) -> int:
        return sum(message["role"] == "assistant" for message in self._messages)

    @property
    def told(self) -> HookDecision:
        """The messages since the model's last turn."""
        messages: list[Json] = []
        for message in self._messages:
            messages = [] if message["role"] == "assistant" else [*messages, message]
        results = [message for message in messages if message["role"] == "tool"]
        results.sort(key=lambda message: str(message["tool_call_id"]))
        notes = [message for message in messages if message["role"] != "tool"]
        return HookDecision(
            tuple(Result(read_content(message)) for message in results),
            "\n".join(read_content(message) for message in notes),
        )

    @property
    def for_an_agent(self) -> bool:
        return bool(self.body.get("tools"))

    @property
    def _messages(self) -> list[Json]:
        messages: list[Json] = self.body["messages"]
        return messages

    def write(self, calls: Sequence[Call], text: str) -> Iterator[bytes]:
        tool_calls = [
            {
                "index": number,
                "id": self.name(number),
                "type": "function",
                "function": {"name": call.tool, "arguments": json.dumps(call.input)},
            }
            for number, call in enumerate(calls)
        ]
        message = {"tool_calls": tool_calls} if tool_calls else {"content": text}
        choice = {"index": 0, "delta": {"role": "assistant", **message}, "finish_reason": None}
        reason = "tool_calls" if tool_calls else "stop"
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        ends: list[Json] = [
            {"choices": [choice]},
            {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]},
            {"choices": [], "usage": usage},
        ]
        chunk = {"id": f"chat_{self.turn}", "object": "chat.completion.chunk", "created": 1}
        yield from write_events({**chunk, "model": "fake", **end} for end in ends)
        yield b"data: [DONE]\n\n"


def read_content(message: Json) -> str:
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content)
