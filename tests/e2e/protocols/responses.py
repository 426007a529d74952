"""OpenAI's responses (platform.openai.com/docs/api-reference/responses), used by Codex."""

import json
from collections.abc import Iterator, Sequence

from ..model import Call, HookDecision, Json, Request, Result, write_events


class Responses(Request):
    """A request for a streamed response."""

    place = "/responses"

    @property
    def agent(self) -> str:
        name: str = json.loads(self.headers["x-codex-turn-metadata"]).get("agent_name", "/root")
        return name.removeprefix("/root")

    @property
    def turn(self) -> int:
        outputs = [item for item in self._items if is_model_output(item)]
        identities = (str(item.get("call_id") or item.get("id")) for item in outputs)
        return len({identity.rpartition("_")[0] for identity in identities})

    @property
    def told(self) -> HookDecision:
        """The messages since the model's last turn."""
        items = self._items
        outputs = [number for number, item in enumerate(items) if is_model_output(item)]
        since = [
            item for item in items[outputs[-1] if outputs else 0 :] if not is_model_output(item)
        ]
        results = [item for item in since if item["type"] == "function_call_output"]
        results.sort(key=lambda item: str(item["call_id"]))
        notes = [item for item in since if item["type"] != "function_call_output"]
        return HookDecision(
            tuple(Result(read_item(item)) for item in results),
            "\n".join(read_item(item) for item in notes),
        )

    @property
    def for_an_agent(self) -> bool:
        return True

    @property
    def _items(self) -> list[Json]:
        items: list[Json] = self.body["input"]
        return items

    def write(self, calls: Sequence[Call], text: str) -> Iterator[bytes]:
        tool_calls = [
            {
                "type": "function_call",
                "call_id": self.name(number),
                **split_name(call.tool),
                "arguments": json.dumps(call.input),
            }
            for number, call in enumerate(calls)
        ]
        content = [{"type": "output_text", "text": text}]
        message = {"type": "message", "id": self.name(0), "role": "assistant", "content": content}
        return write_events(self._stream(tool_calls or [message]))

    def _stream(self, items: Sequence[Json]) -> Iterator[Json]:
        response = {"id": f"resp_{self.turn}"}
        usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
        yield {"type": "response.created", "response": response}
        for index, item in enumerate(items):
            yield {"type": "response.output_item.done", "output_index": index, "item": item}
        yield {"type": "response.completed", "response": {**response, "usage": usage}}


def split_name(tool: str) -> Json:
    namespace, _, name = tool.rpartition(".")
    return {"namespace": namespace, "name": name} if namespace else {"name": name}


def is_model_output(item: Json) -> bool:
    return item["type"] == "function_call" or item.get("role") == "assistant"


def read_item(item: Json) -> str:
    content = item.get("content") or item.get("output") or ""
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content)
