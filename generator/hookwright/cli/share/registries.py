"""Push a documentation database to a registry, and pull one from there."""

import sys
import tempfile
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hookwright.cli.database_names import DatabaseName
from hookwright.cli.documentation_builds import build_or_explain, describe_built, tell_built
from hookwright.cli.options import AsJson, Commits, InProjectOrNew, Yes
from hookwright.cli.share.importing import describe, take
from hookwright.cli.share.packing import Force, FromProject, LicenseFile, pack
from hookwright.cli.terminal import agree, check_terminal
from hookwright_console.errors import RefusedError
from hookwright_console.terminal import dump, print_line, report_event, show_progress
from hookwright_documentation.sharing.pins import Pin
from hookwright_documentation.sharing.references import Reference, parse_reference

if TYPE_CHECKING:
    from hookwright_documentation.build import BuildResult
    from hookwright_documentation.sharing.archive import Archive
    from hookwright_documentation.sharing.registry import Artifact, PlainRegistry

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
    report = sys.stdout if as_json else None

    def run() -> int:
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
        if report:
            row = packed.export_row() | {"reference": str(pinned), "digest": artifact.digest}
            print(dump(row, indent=2), file=report)
        return 0

    return build_or_explain(run, keeps_stdout=as_json)


def say_replaced(registry: "PlainRegistry", reference: Reference) -> str:
    """Return what the name leads to now, for the question."""
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
    from hookwright.cli.setup import SetupOptions

    report = sys.stdout if as_json else None

    def run() -> int:
        from hookwright_documentation.databases import find_folder
        from hookwright_documentation.sharing.registry import connecting, find_artifact

        find_folder(name)  # refused if it cannot be the name of one
        parsed = parse_reference(reference)
        check_terminal(yes=yes)
        with connecting(parsed) as registry:
            artifact = find_artifact(registry, parsed)
            archive = fetch(registry, parsed, artifact)
        pin = Pin(parsed, artifact.digest)
        print_line(f"verified {parsed.pin(artifact.digest)}")
        facts = {"sha256": archive.sha256, "reference": str(parsed), "digest": artifact.digest}
        return take(archive, name, project, SetupOptions(yes, commit, report, facts), pin.export())

    return build_or_explain(run, keeps_stdout=as_json)


def fetch(registry: "PlainRegistry", reference: Reference, artifact: "Artifact") -> "Archive":
    """Return the archive of an artifact, verified; raises ReportedError."""
    from hookwright_documentation.sharing.archive import read_archive
    from hookwright_documentation.sharing.registry import pull as pull_archive

    with tempfile.TemporaryFile() as file:
        with show_progress("Fetching") as progress:
            pull_archive(registry, reference, artifact, file, progress)
        file.seek(0)
        with show_progress("Verifying") as progress:
            return read_archive(file, str(reference), progress)


def follow(name: str, pin: Pin, *, yes: bool) -> dict[str, Any]:
    """Refresh a database that was pulled, if its tag has moved and the user agrees.

    Args:
        name: The name of the database.
        pin: Where it was pulled from.
        yes: Whether to follow the tag without asking.

    Returns:
        What was done, for scripts.

    Raises:
        ReportedError: The registry does not answer, or the user says no; the old one stays.

    """
    from hookwright_documentation.build import find_old, open_built
    from hookwright_documentation.damage import is_whole
    from hookwright_documentation.sharing.registry import connecting, find_artifact

    old = find_old(name)
    is_sound = old is not None and is_whole(old)
    reference, digest = pin.reference, pin.digest
    if is_sound and reference.digest:
        built = open_built(name)
    else:
        with connecting(reference) as registry:
            artifact = find_artifact(registry, reference)
            digest = artifact.digest
            is_same = is_sound and digest == pin.digest
            archive = None if is_same else fetch(registry, reference, artifact)
        built = replace_by(archive, name, pin, digest, yes=yes) if archive else open_built(name)
    if not built.is_new:
        print_line(f"{name}: {reference} is as it was pulled: {digest}")
    tell_built(built)
    return describe_built(built) | {"reference": str(reference), "digest": digest}


def replace_by(archive: "Archive", name: str, pin: Pin, digest: str, *, yes: bool) -> "BuildResult":
    """Build a database from what its tag leads to now, once the user agrees.

    Args:
        archive: The archive that it leads to.
        name: The name of the database.
        pin: Where it was pulled from.
        digest: Where the tag leads to now. Where that is the same, a damaged database is mended.
        yes: Whether to do it without asking.

    Raises:
        ReportedError: The archive has no pages, or the user says no; the old database stays.

    """
    from hookwright_documentation.build import find_recipe
    from hookwright_documentation.sharing.building import build_shared, choose_recipe

    reference = pin.reference
    if not archive.pages:
        raise RefusedError(f"{reference} has no pages any more: the old ones of {name} stay")
    known = find_recipe(name)  # the searches that go to it are this user's choice
    recipe, dropped = choose_recipe(archive, name, keywords=known.keywords if known else ())
    if digest != pin.digest:
        print_line(f"{reference} has moved from {pin.digest} to {digest}")
        describe(archive, recipe, dropped)
        if not yes and not sys.stdin.isatty():
            report_event({"question": f"{reference} has moved: replace {name} by it?"})
            raise RefusedError(
                f"{reference} has moved, and {name} stays as it is: add --yes to replace it"
            )
        agree(f"Replace {name} by it?", yes=yes)
    return build_shared(recipe, archive, Pin(reference, digest).export())
