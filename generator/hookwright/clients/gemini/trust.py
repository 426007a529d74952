"""Read which folders Gemini CLI trusts; in others it ignores the settings of the folder."""

from pathlib import Path

from hookwright.clients.json_objects import pick, read_object

FILE = "trustedFolders.json"  # in its folder, each folder with what the user answered
HERE, PARENT = "TRUST_FOLDER", "TRUST_PARENT"


def is_trusted(config: Path, folder: Path) -> bool:
    """Tell whether Gemini CLI trusts a folder, as far as its files say.

    Args:
        config: The client's own folder.
        folder: The folder that it would run in.

    """
    security = pick(pick(read_object(config / "settings.json"), "security"), "folderTrust")
    if security.get("enabled") is False:
        return True
    answers = read_object(config / FILE)
    trusted = {Path(path) for path, answer in answers.items() if answer == HERE}
    trusted |= {Path(path).parent for path, answer in answers.items() if answer == PARENT}
    return bool(trusted & {folder, *folder.parents})
