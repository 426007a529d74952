"""The opencode plugin passes the hooks' answers to the model and tolerates any failure."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from ..support.project import MESSAGE, URL

NODE = shutil.which("node")
SCENE = """
import {{ Hookwright }} from {plugin};
const hooks = await Hookwright({{}});
const told = [];
for (const [event, input, output] of {calls}) {{
  try {{
    await hooks[event](input, output);
    told.push(output);
  }} catch (error) {{
    told.push(error.message);
  }}
}}
console.log(JSON.stringify(told));
"""

pytestmark = pytest.mark.skipif(not NODE, reason="no node is on PATH")


def run_plugin(
    project: Path, home: Path, *calls: tuple[str, dict[str, Any], dict[str, Any]]
) -> Any:
    plugin = home / "hookwright.mjs"
    text = (project / "clients" / "opencode" / "hookwright.js").read_text("utf-8")
    folder = json.dumps(str(project / "clients" / "opencode" / "hooks"))
    plugin.write_text(
        text.replace('fileURLToPath(new URL("hooks", import.meta.url))', folder), "utf-8"
    )
    scene = SCENE.format(plugin=json.dumps(str(plugin)), calls=json.dumps(calls))
    return json.loads(run(scene, home))


def run(scene: str, home: Path, path: str = "/usr/bin:/bin") -> str:
    completed = subprocess.run(
        [str(NODE), "--input-type=module", "-e", scene],
        capture_output=True,
        check=True,
        text=True,
        env={"PATH": path, "HOME": str(home), "XDG_CONFIG_HOME": str(home)},
    )
    assert completed.stderr == ""
    return completed.stdout


# Inputs that JSON cannot express, and the resulting events.
HOSTILE = """
import {{ Hookwright }} from {plugin};
const hooks = await Hookwright({{}});
const circular = {{ command: "git clean -fd" }};
circular.self = circular;
const getter = {{ get args() {{ throw new Error("no args"); }}, get parts() {{ throw 1; }} }};
const secret = {{ get command() {{ throw new Error("no command"); }} }};
const frozen = Object.freeze({{ parts: Object.freeze([{{ type: "text", text: "how to" }}]) }});
const missing = [undefined, null, 5n, [], getter];
const inputs = [...missing, {{ tool: "bash" }}, {{ tool: 5n }},
  {{ tool: "bash", sessionID: circular }}];
const args = [...missing, circular, secret, {{ command: 5n }}, {{ command: circular }}];
const parts = [...missing, [null], [5n], [circular], [{{ type: "text", text: circular }}],
  [{{ type: "text", text: 5n }}], [{{ type: "text", get text() {{ throw 1; }} }}]];
const outputs = [...missing, frozen, ...args.map((one) => ({{ args: one }})),
  ...parts.map((one) => ({{ parts: one }})), Object.freeze({{ output: "done" }})];
let number = 0;
for (const event of Object.keys(hooks)) {{
  for (const input of inputs) {{
    for (const output of outputs) {{
      number += 1;
      try {{
        await hooks[event](input, output);
      }} catch (error) {{
        console.log(event, number, String(error));
      }}
    }}
  }}
}}
console.log(number);
"""


def build_call(tool: str, **args: str) -> tuple[str, dict[str, Any], dict[str, Any]]:
    return "tool.execute.before", {"tool": tool, "sessionID": "s", "callID": "c"}, {"args": args}


def test_denial_is_an_error_and_a_warning_is_appended(dialects: Path, tmp_path: Path) -> None:
    search = build_call("websearch", query="gitlab ci")
    result = {"title": "", "output": "done", "metadata": {}}
    after = ("tool.execute.after", {"tool": "bash", "sessionID": "s", "callID": "c"}, result)
    results = run_plugin(
        dialects,
        tmp_path,
        build_call("webfetch", url=URL),
        search,
        search,
        build_call("bash", command="git clean -fd"),
        after,
        after,
        build_call("read", filePath=URL),
    )
    assert results[0] == MESSAGE
    assert results[1].startswith(
        "Query matches 'gitlab' - using RAG database instead\nCall this MCP"
    )
    assert results[2] == search[2]
    assert results[4]["output"] == "done\n\nThis deletes"
    assert results[5]["output"] == "done"
    assert results[6] == {"args": {"filePath": URL}}


def test_hostile_inputs_do_not_break_calls(dialects: Path, tmp_path: Path) -> None:
    folder = tmp_path / "clients" / "opencode"  # without scripts or Python, which start slowly
    folder.mkdir(parents=True)
    shutil.copy(dialects / "clients" / "opencode" / "hookwright.js", folder / "hookwright.mjs")
    printed = run(HOSTILE.format(plugin=json.dumps(str(folder / "hookwright.mjs"))), tmp_path, "")
    assert printed.strip() == str(3 * 8 * 27)


@pytest.mark.long
def test_failed_calls_are_forgotten(dialects: Path, tmp_path: Path) -> None:
    names = [f"c{number}" for number in range(101)]
    started = [build_call("bash", command="git clean -fd") for _ in names]
    for (_, fields, _), name in zip(started, names, strict=True):
        fields["callID"] = name
    ended = [
        ("tool.execute.after", {"tool": "bash", "callID": name}, {"output": "done"})
        for name in (names[0], names[1], names[-1])
    ]
    results = run_plugin(dialects, tmp_path, *started, *ended)[-3:]
    assert [result["output"] for result in results] == ["done", *["done\n\nThis deletes"] * 2]


def test_prompt_without_a_server_is_unchanged(dialects: Path, tmp_path: Path) -> None:
    text = {"id": "prt_1", "type": "text", "text": "how to cache gems", "messageID": "m"}
    messages: list[dict[str, Any]] = [{"message": {}, "parts": parts} for parts in ([text], [])]
    calls = [("chat.message", {"sessionID": "s"}, message) for message in messages]
    assert run_plugin(dialects, tmp_path, *calls) == messages


def test_missing_script_lets_calls_through(tmp_path: Path, dialects: Path) -> None:
    folder = tmp_path / "clients" / "opencode"
    folder.mkdir(parents=True)
    shutil.copy(dialects / "clients" / "opencode" / "hookwright.js", folder)
    assert run_plugin(tmp_path, tmp_path, build_call("webfetch", url=URL)) == [
        {"args": {"url": URL}}
    ]
