"""What the package index shows of this version: the README, with links that lead somewhere there.

The index has no files beside the README. A release names its repository in HOOKWRIGHT_REPOSITORY:
links lead to the files of its tag there. Other builds leave out pictures, and the targets of links.
"""

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

REPOSITORY = "HOOKWRIGHT_REPOSITORY"
# Every wheel and every project records the address. Tests build with a folder's.
ADDRESS = re.compile(r"(?:https://[\w.-]+(?::\d+)?|file://)/[^\s@?#]+")
# A link to a file, or a picture of one.
LINK = re.compile(r"(?P<picture>!?)\[(?P<text>[^\]\[]*)\]\((?P<path>[^()\s:]+)\)")
# A picture in HTML, which has one file for each colour scheme, and where such a tag names a file.
PICTURE = re.compile(r"<picture>.*?</picture>", re.DOTALL)
SOURCE = re.compile(r'(?P<name>\bsrc(?:set)?)="(?P<path>[^"\s:]+)"')


class PackageIndexHook(MetadataHookInterface):
    """Adds the README, and the addresses of the repository where these are known."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the fields `readme` and `urls` to the metadata."""
        repository, tag = os.environ.get(REPOSITORY, "").rstrip("/"), f"v{metadata['version']}"
        if repository and not ADDRESS.fullmatch(repository):
            raise ValueError(f"{REPOSITORY} must be an https address without user and query")
        readme = (Path(self.root) / "README.md").read_text("utf-8")
        text = point_links(readme, repository, tag)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
        pages = {"Repository": "", "Changelog": f"/blob/{tag}/CHANGELOG.md", "Issues": "/issues"}
        metadata["urls"] = {name: repository + page for name, page in pages.items() if repository}


def point_links(page: str, repository: str, tag: str) -> str:
    """Return a page whose links and pictures lead to the files of a tag.

    Args:
        page: The Markdown of the page, which lies at the root of the repository.
        repository: Its address, or "" where that is not known.
        tag: The tag.

    """

    def point(link: re.Match[str]) -> str:
        picture, text, path = link["picture"], link["text"], link["path"]
        if not repository:
            return "" if picture else text
        kind = "raw" if picture else "blob"
        return f"{picture}[{text}]({repository}/{kind}/{tag}/{path})"

    if repository:
        page = SOURCE.sub(rf'\g<name>="{repository}/raw/{tag}/\g<path>"', page)
    else:
        page = PICTURE.sub("", page)
    return LINK.sub(point, page)
