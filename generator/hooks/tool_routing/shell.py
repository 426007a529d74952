"""Keep the executable parts of a shell command, and drop its quoted text.

A commit message, an echoed sentence or a heredoc may contain any command or URL. Quoting follows
the POSIX shell, with bash's `$'...'` and `<<<`.
"""

# --- rendered from here on ---


def strip_texts(command: str) -> str:
    r"""Return a shell command without comments, heredoc bodies and quoted texts with white space.

    An ellipsis replaces each quoted text with white space, except for the commands in its $(...);
    other quoted words stay. A line continued with \ counts as one line. If a quote or bracket is
    not closed, its line and everything after it are omitted.
    """
    import re

    bare = re.compile(
        r"""(?:[^\\'"`()<\#\n$]|\\.|\$(?![('])|(?<=[^\s;&|(`])\#)+"""
        r"""|(?P<text>\$'(?:[^'\\]|\\.)*'|'[^']*')"""
        r"""|<<<|(?P<heredoc><<-?[ \t]*(?:[^\s;&|<>()'"\\]|\\.|'[^']*'|"[^"]*")+)"""
        r"""|(?P<comment>\#[^\n]*)|(?P<opener>\$?\(\(?|["'`])|.""",
        re.DOTALL,
    )
    quoted = re.compile(r"""(?:[^\\"`$]|\\.|\$(?!\())+|(?P<opener>\$\(\(?|`)|.""", re.DOTALL)
    kept: list[str] = []
    opened: list[tuple[str, list[int]]] = [("", [])]  # closers, and the quoted texts in a word
    heredocs: list[str] = []
    position = readable = 0
    while position < len(command):
        closer, texts = opened[-1]
        arithmetic = closer[1:] != ""  # in "))" or a bracket inside it, << is a bit shift
        found = (quoted if closer == '"' else bare).match(command, position)
        piece, kind = (found[0], found.lastgroup) if found else (command[position], None)
        position += len(piece)
        kept.append(piece if kind == "text" else piece.replace("\\\n", ""))
        if closer.startswith(piece):
            close(opened, kept)
        elif kind == "opener":
            opened.append((piece.lstrip("$").replace("(", ")") + " " * arithmetic, []))
        elif closer == '"' or kind == "text":
            texts.append(len(kept) - 1)
        elif kind == "comment":
            kept.pop()
        elif kind == "heredoc" and not arithmetic:
            heredocs.append(piece)
        elif any(character.isspace() or character in ";&|<>" for character in kept[-1]):
            elide(kept, texts)
            if piece == "\n":
                position = skip_heredocs(command, position, heredocs)
                heredocs = []
                readable = len(kept) if len(opened) == 1 else readable
    elide(kept, opened[-1][1])
    return "".join(kept if len(opened) == 1 else kept[:readable])


def close(opened: "list[tuple[str, list[int]]]", kept: "list[str]") -> None:
    """Close the innermost bracket or quote; a quoted text becomes part of the word around it."""
    closer, texts = opened.pop()
    if closer == '"':
        opened[-1][1].extend(texts)
    else:
        elide(kept, texts)
    if closer == "))":
        opened.append((")", []))


def elide(kept: "list[str]", texts: "list[int]") -> None:
    """Replace a word's quoted texts by ellipses if one contains white space."""
    if any(character.isspace() for text in texts for character in kept[text]):
        for text in texts:
            kept[text] = "…"
    texts.clear()


def skip_heredocs(command: str, position: int, heredocs: "list[str]") -> int:
    """Return the end of these heredocs' bodies, the first of which starts at the position.

    Each heredoc is an operator with its delimiter as in the command, such as <<-'EOF'.
    """
    for heredoc in heredocs:
        indented = heredoc.startswith("<<-")
        word = "".join(c for c in heredoc[2 + indented :].strip() if c not in "'\"\\")
        line = None
        while line != word and position < len(command):
            end = command.find("\n", position)
            end = len(command) if end < 0 else end
            line = command[position:end].lstrip("\t" if indented else "")
            position = min(end + 1, len(command))
    return position
