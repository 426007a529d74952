"""Fill what a call says into the message of the route that it matches.

An agent may paste the message into a shell, and the text that fills it comes from a URL, which
anybody can write. Where a placeholder may stand is decided when the routes are rendered.
"""

from typing import TYPE_CHECKING

from runtime.invisible import INVISIBLE

if TYPE_CHECKING:
    import re
    from typing import Any

# --- rendered from here on ---


def fill_placeholders(route: "dict[str, Any]", match: "re.Match[str]") -> str:
    r"""Return a route's message with each {name} replaced by what the group of that name matched.

    If the placeholder is a word by itself, a \ goes before each character that a shell could
    interpret. Elsewhere there must be no such character; those of a URL are percent-encoded. A text
    that is not safe, or too long, is left out, and the NAME stands in its place.
    """
    import re

    unsafe = r"(?i)[-=~+]|(?:.*(?:[/\\]|%2f|%5c))?(?:\.|%2e){2}(?:[/\\?#;]|%2f|%5c|$)"
    longest = 2_000  # characters of a text that a command takes
    groups = match.groupdict("")
    left: dict[str, str] = {}

    def write(placeholder: "re.Match[str]") -> str:
        name = placeholder[1]
        if name not in groups:
            return placeholder[0]
        if len(groups[name]) > longest:
            return left.setdefault(name.upper(), name.upper())
        text = "".join(filter(str.isprintable, re.sub(INVISIBLE, "", groups[name])))
        more = "" if name in route.get("scopes", "").split() else "|@|.*=@|.*@[./~]"
        safe = name not in route.get("code", "").split() and not re.match(unsafe + more, text)
        if name in route.get("words", "").split():
            text = re.sub(r"[^\w@%+=:,./-]", r"\\\g<0>", text)
            text = re.sub(r"^(\w+\+?)=", r"\1\\=", text)  # which could set a variable
        else:
            if re.search("[^!-~]|[!\"'()*<>^`{|}]", text) and re.match("(?i)https?:", match.string):
                from urllib.parse import quote

                text = quote(text, "@%+:,/=$&;?#[]\\")  # what these mean would be another thing
            safe = safe and not re.search("[^A-Za-z0-9_@%+:,./=-]", text)
        return text if safe else left.setdefault(name.upper(), name.upper())

    message = re.sub(r"(?<!\$)\{(\w+)\}", write, route["message"].strip())
    names = " and ".join(left)
    note = f"\n\nFill in {names} yourself: what the call has there is not safe in a command."
    return message + note if left else message
