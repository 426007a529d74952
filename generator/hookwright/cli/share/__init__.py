"""The command `share`: share documentation databases and recipes."""

import typer

from hookwright.cli.share import archives, check

share_app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)
share_app.command("export")(archives.export_archive)
share_app.command("import")(archives.import_archive)
share_app.command("push")(archives.push)
share_app.command("pull")(archives.pull)
share_app.command("check")(check.check)


@share_app.callback()
def share() -> None:
    """Share documentation databases and recipes."""
