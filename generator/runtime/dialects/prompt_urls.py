"""Find the URLs that Gemini CLI fetches, which are part of the tool's prompt."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Decision = tuple[str, str]

FETCH = "web_fetch"

# --- rendered as urls ---


def find_urls(prompt: str) -> "list[str]":
    """Return the distinct URLs in a prompt, without trailing punctuation."""
    import re

    found = re.findall(r"(?i)\bhttps?://[^\s<>\"'`]+", prompt)
    return list(dict.fromkeys(url.rstrip(".,;:!?*_)]}") for url in found))


# --- rendered as fetches ---


def read_fetch(given: "dict[str, Any]") -> "tuple[str, str]":
    """Return a fetch's URL and the question about the page, or "" if there are several URLs."""
    urls = find_urls(given["prompt"])
    url = urls[0] if len(urls) == 1 else ""
    return url, given["prompt"].replace(url, " ")


# --- rendered as routes ---


def route_urls(
    route_call: "Callable[..., Decision | None]",
) -> "Callable[..., Decision | None]":
    """Return the decision about all URLs in a prompt, as `route_call` does for a single URL.

    A prompt with several URLs is denied if any of them is denied, and the reason lists those.
    """

    def route_each(
        event: "dict[str, Any]", trace: "list[Any]", steps: "tuple[Callable[..., Decision], ...]"
    ) -> "Decision | None":
        given = event["tool_input"]
        prompt = given.get("prompt", "") if event["tool_name"] == FETCH else ""
        urls = find_urls(prompt)
        if not urls:
            return route_call(event, trace, steps)
        reasons, contexts = [], []
        for url in urls:
            call = {**event, "tool_input": {**given, "url": url}}
            reason, context = route_call(call, trace, steps) or ("", "")
            name = f"{url}: " if len(urls) > 1 else ""
            reasons += [name + reason] if reason else []
            contexts += [name + context] if context else []
        return "\n\n".join(reasons), "\n\n".join(contexts)

    return route_each
