"""Read providers from Terraform configurations and lock files."""

import re
from collections import deque
from collections.abc import Iterator

from hookwright_documentation.stack.manifest import (
    PROVIDERS,
    Dependency,
    Manifest,
    UnreadableError,
    read_exact,
)

MAX_DEPTH = 50  # maximum nesting of blocks
REQUIRED = "required_providers"
PROVIDER = "provider "  # start of the header of a provider block
ADDRESS = re.compile(r"(?:registry\.(?:terraform\.io|opentofu\.org)/)?([\w-]+/)?([\w-]+)")
# Comments, followed by groups for quoted strings, names and punctuation.
PART = re.compile(
    r'#[^\n]*|//[^\n]*|/\*.*?(?:\*/|\Z)|"((?:[^"\\\n]|\\.)*)"?|([\w-]+)|([{}=])', re.DOTALL
)
Block = tuple[str, ...]  # a block's header and those of its enclosing blocks


def read_blocks(text: str) -> Iterator[tuple[Block, str, str]]:
    """Yield each block when it starts, and each string assigned in a block with its name."""
    blocks: Block = ()
    before: deque[str] = deque(maxlen=2)
    for found in PART.finditer(text):
        quoted, word, sign = found.groups()
        if sign == "{":
            if len(blocks) == MAX_DEPTH:
                raise UnreadableError(f"it is over {MAX_DEPTH} blocks deep")
            blocks = (*blocks, before[0] if "=" in before else " ".join(before))
            yield blocks, "", ""
            before.clear()
        elif sign == "}":
            blocks = blocks[:-1]
            before.clear()
        elif quoted is not None and "=" in before:
            if blocks:
                yield blocks, before[0], quoted
            before.clear()
        elif found.lastindex:
            before.append(quoted or word or sign or "")


def read_terraform(manifest: Manifest) -> Iterator[Dependency]:
    required: dict[Block, dict[str, str]] = {}
    for blocks, name, value in read_blocks(manifest.text):
        header = blocks[-1]
        if not name and header.startswith(PROVIDER):
            yield from build(header.removeprefix(PROVIDER))
        elif REQUIRED in blocks[-2:-1]:
            fields = required.setdefault(blocks, {"source": header})
            fields |= {name: value} if name else {}
    for fields in required.values():
        yield from build(fields["source"], fields.get("version", ""))


def read_lock(manifest: Manifest) -> Iterator[Dependency]:
    for blocks, name, value in read_blocks(manifest.text):
        if name == "version" and blocks[-1].startswith(PROVIDER):
            yield from build(blocks[-1].removeprefix(PROVIDER), value, is_direct=False)


def build(address: str, version: str = "", *, is_direct: bool = True) -> Iterator[Dependency]:
    """Yield the provider with a Terraform registry address such as hashicorp/aws or aws."""
    if found := ADDRESS.fullmatch(address):
        name = f"{found[1] or ''}{found[2]}".lower()
        yield Dependency(PROVIDERS, name, read_exact(version), is_direct)
