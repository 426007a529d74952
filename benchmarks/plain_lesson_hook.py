"""A lesson hook that queries the server with urllib and formats the lessons itself, for comparison.

It is the obvious first version: parse the event, post the prompt, parse the answer, and print a
list.
"""

import json
import os
import sys
import urllib.request

MIN_SCORE = 0.55
MIN_LENGTH = 10  # minimum length of a prompt to look up, in characters


def main() -> int:
    """Print the lessons for the prompt of the event on stdin; return the exit code."""
    prompt = json.load(sys.stdin).get("prompt", "")
    if len(prompt) < MIN_LENGTH:
        return 0
    query = {"prompt": prompt, "top_k": 3, "min_score": MIN_SCORE}
    request = urllib.request.Request(
        f"http://127.0.0.1:{os.environ['LESSON_PORT']}/api/query",
        json.dumps(query).encode(),
        {"Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=2) as response:  # noqa: S310
            lessons = json.load(response)["lessons"]
    except (OSError, ValueError):
        return 0
    if lessons:
        print("## Relevant Lessons from Past Experience\n")
    for lesson in lessons:
        categories = ", ".join(lesson["categories"])
        percent = int(lesson["score"] * 100)
        print(f"- **[{categories}]** (relevance: {percent}%): {lesson['text']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
