"""Push a documentation database to a registry, and pull one from there."""

from typing import TYPE_CHECKING, Annotated

import typer

from hookwright.cli.docs import DatabaseName
from hookwright.cli.options import AsJson, Commits, InProjectOrNew, Yes
from hookwright.cli.share.importing import take
from hookwright.cli.share.packing import Force, FromProject, LicenseFile, pack
from hookwright.cli.terminal import agree, building
from hookwright_console.errors import RefusedError
from hookwright_console.prompts import check_terminal
from hookwright_console.terminal import print_line, show_progress
from hookwright_documentation.sharing.references import Pin, Reference, parse_reference

if TYPE_CHECKING:
    from hookwright_documentation.sharing.registry import PlainRegistry

InRegistry = Annotated[
    str,
    typer.Argument(metavar="REF", help="Its name there, such as ghcr.io/acme/django:5.2."),
]


def push(
    name: DatabaseName,
    reference: InRegistry,
    *,
    license_file: LicenseFile = None,
    project: FromProject = None,
    force: Force = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> int:
    """Push the pages of a database to a registry that others pull from."""
    with building(as_json=as_json) as report:
        from hookwright_documentation.sharing import registry as registries

        parsed = parse_reference(reference)
        if parsed.digest:
            raise RefusedError(f"{parsed} is named by its digest: give a tag to push to")
        check_terminal(yes=yes)
        packed = pack(name, project, license_file, force=force)
        with registries.connecting(parsed) as registry:
            agree(f"Push it to {parsed}?{say_replaced(registry, parsed)}", yes=yes)
            with show_progress("Pushing") as progress:
                artifact = registries.push(registry, parsed, packed.content, progress)
        pinned = parsed.pin(artifact.digest)
        print_line(f"pushed {pinned}")
        report(packed.export_row() | {"reference": str(pinned), "digest": artifact.digest})
    return 0


def say_replaced(registry: "PlainRegistry", reference: Reference) -> str:
    from hookwright_documentation.sharing.registry import MissingArtifactError, find_artifact

    try:
        return f" It leads to {find_artifact(registry, reference).digest} now."
    except MissingArtifactError:
        return ""
    except RefusedError:
        return " It leads to something else now."


def pull(
    name: Annotated[str, typer.Argument(help="The name of the database here.")],
    reference: InRegistry,
    *,
    project: InProjectOrNew = None,
    yes: Yes = False,
    commit: Commits = True,
    as_json: AsJson = False,
) -> int:
    """Pull a database from a registry.

    Its pages are indexed here, and searches are sent to them. It is verified like an archive, and
    pinned: hookwright refresh shows what changed before it follows a tag that has moved.
    """
    with building(as_json=as_json) as report:
        from hookwright_documentation.databases import find_database_folder
        from hookwright_documentation.refresh import fetch
        from hookwright_documentation.sharing.registry import connecting, find_artifact

        find_database_folder(name)  # refused if it cannot be the name of one
        parsed = parse_reference(reference)
        check_terminal(yes=yes)
        with connecting(parsed) as registry:
            artifact = find_artifact(registry, parsed)
            archive = fetch(registry, parsed, artifact)
        pin = Pin(parsed, artifact.digest)
        print_line(f"verified {parsed.pin(artifact.digest)}")
        row = take(archive, name, project, pin.export(), yes=yes, commits=commit)
        pulled = {"reference": str(parsed), "digest": artifact.digest}
        report(row | {"sha256": archive.sha256} | pulled)
    return 0
