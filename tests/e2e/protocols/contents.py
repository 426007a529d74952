"""Google's contents (https://ai.google.dev/api/generate-content), used by Gemini CLI."""

import json
from collections.abc import Iterator, Sequence

from ..model import Call, HookDecision, Json, Request, Result, read_task


class Contents(Request):
    """A request for content; its path determines whether the response is streamed."""

    place = "enerateContent"

    @property
    def content_type(self) -> str:
        return "text/event-stream" if self._streamed else "application/json"

    @property
    def agent(self) -> str:
        return read_task(" ".join(part.get("text", "") for part in self._contents[0]["parts"]))

    @property
    def turn(self) -> int:
        return sum(content["role"] == "model" for content in self._contents)

    @property
    def told(self) -> HookDecision:
        """The messages since the model's last turn."""
        parts: list[Json] = []
        for content in self._contents:
            parts = [] if content["role"] == "model" else parts + content["parts"]
        answers = [part["functionResponse"] for part in parts if "functionResponse" in part]
        answers.sort(key=lambda answer: str(answer["id"]))
        results = [read_response(answer["response"]) for answer in answers]
        return HookDecision(tuple(results), "\n".join(part.get("text", "") for part in parts))

    @property
    def for_the_web(self) -> bool:
        return any("googleSearch" in tool for tool in self._tools)

    @property
    def for_an_agent(self) -> bool:
        return any("functionDeclarations" in tool for tool in self._tools)

    @property
    def _tools(self) -> list[Json]:
        return self.body.get("tools") or []

    @property
    def _contents(self) -> list[Json]:
        contents: list[Json] = self.body["contents"]
        return contents

    @property
    def _streamed(self) -> bool:
        return "stream" in self.path

    def write(self, calls: Sequence[Call], text: str) -> Iterator[bytes]:
        parts: list[Json] = [
            {"functionCall": {"id": self.name(number), "name": call.tool, "args": call.input}}
            for number, call in enumerate(calls)
        ]
        content = {"role": "model", "parts": parts or [{"text": text}]}
        answer = json.dumps(
            {
                "candidates": [{"content": content, "finishReason": "STOP", "index": 0}],
                "usageMetadata": {"promptTokenCount": 1, "totalTokenCount": 2},
            }
        )
        yield (f"data: {answer}\n\n" if self._streamed else answer).encode()


def read_response(response: Json) -> Result:
    return Result(str(response.get("error", response.get("output", response))), "error" in response)
