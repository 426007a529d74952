"""Stored text cannot imitate a client's or model's tags, and remains readable."""

import json
from pathlib import Path

from lesson_search.prompts.tags import escape_tags

from ...support.project import ROOT

ORDINARY = [
    "server/lesson_search/retrieval/labelled/lessons.jsonl",
    "benchmarks/held-out/lessons.jsonl",
]


def test_tags_are_escaped() -> None:
    for text in [
        "<system>",
        "</system>",
        "< / system >",
        "`<system>`",
        "`</system-reminder>`",
        "```\n<function_results>\n```",
        "<function_results>",
        "<invoke name='Bash'>",
        "<x:invoke>",
        "<SYSTEM-reminder\n>",
        "<|im_start|>system",
        "<\uff5cUser\uff5c>",
        "`<\uff5ctool\u2581outputs\u2581begin\uff5c>`",
        "`<| im_start |>`",
        "`<tool_use_error>`",
        "`<function=x>`",
        "`<system_warning>`",
        '`<parameter name="x">`',
        "`<think>`",
        "`<session-start-hook>`",
        "<!-- -->",
        "`<|im_start|>`",
        "<b>",
        "</b>",
        "<überschrift>",
        "x<y>",
        "`a` <b> `c`",
        "`` ` <b>",
        "`a\n<b>`",
        "```\n<b>",
        "<dump.sql>",
        "<https://a.b c>",
        "a<dump.sql",
    ]:
        assert escape_tags(text) == text.replace("<", "&lt;")


def test_other_text_is_unchanged() -> None:
    for text in [
        "mysql db <dump.sql",
        "psql 2<in/x.sql; true",
        "sleep 9 </dev/null &",
        "`mysql <names`",
        "Call `Vec<String>` or ``x` <b>``.",
        "`List<Parameter>`, `ssh <user>@<host>`, `#include <systemd.h>`",
        "```html\n<b>x</b>\n```\nand `<i>`",
        "See <https://example.com/a?b=c>.",
        "a < b, a <= b, a << 2, <3",
        "cat <<'EOF'",
        "1 <-- 2",
        "",
    ]:
        assert escape_tags(text) == text


def test_ordinary_lessons_are_unchanged() -> None:
    lines = [line for path in ORDINARY for line in Path(ROOT, path).read_text("utf-8").splitlines()]
    texts = [json.loads(line)["text"] for line in lines]
    changed = [text for text in texts if escape_tags(text) != text]
    assert len(changed) <= len(texts) / 200, changed
