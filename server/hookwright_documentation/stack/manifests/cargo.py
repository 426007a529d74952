"""Read Cargo.toml."""

from collections.abc import Iterator

from hookwright_console.objects import pick
from hookwright_documentation.stack.manifest import (
    CRATES,
    Dependency,
    Manifest,
    read_exact,
    read_limits,
)
from hookwright_documentation.stack.manifests.tables import read_toml

TABLES = ("dependencies", "dev-dependencies", "build-dependencies")


def read_cargo(manifest: Manifest) -> Iterator[Dependency]:
    tables = read_toml(manifest.text)
    targets = pick(tables, "target")
    holders = [tables, pick(tables, "workspace"), *(pick(targets, name) for name in targets)]
    for holder in holders:
        for key in TABLES:
            for name, value in pick(holder, key).items():
                table = value if isinstance(value, dict) else {"version": value}
                if "path" not in table:
                    wanted = table.get("version")
                    if isinstance(wanted, str) and read_exact(wanted) == wanted.strip():
                        wanted = f"^{wanted.strip()}"  # a bare 1.2 also allows 1.9
                    named, limits = str(table.get("package", name)), read_limits(wanted)
                    yield Dependency(CRATES, named, read_exact(wanted), limits=limits)
