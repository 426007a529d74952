"""A small documentation folder, for database tests."""

from pathlib import Path

PREFIX = "https://docs.acme.example/guide/"
TOPICS = {
    "install": "Run the installer from an empty directory and answer its three questions.",
    "session": "Sessions are kept in signed cookies, so that nobody can change them unnoticed.",
    "template": "Templates are rendered by an engine which escapes every value that it prints.",
    "deploy": "Put a proxy in front of the application, and let it terminate the encryption.",
}
PAGE = """<!doctype html><html lang="en"><head><title>{title}</title></head><body>
<main><h1 id="{name}">{title}</h1><p>{text}</p>
<h2 id="{name}-more">More about {name}</h2><p>See also the <a href="{other}.html">{other}</a> page
for what every {name} needs in production and in development.</p></main></body></html>
"""


def write_site(folder: Path, topics: "dict[str, str] | None" = None) -> Path:
    folder.mkdir(exist_ok=True, parents=True)
    topics = TOPICS if topics is None else topics
    names = list(topics)
    for number, (name, text) in enumerate(topics.items()):
        title, other = f"How to {name}", names[number - 1]
        page = PAGE.format(name=name, title=title, text=text, other=other)
        (folder / f"{name}.html").write_text(page)
    return folder
