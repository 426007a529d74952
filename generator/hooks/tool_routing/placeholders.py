"""Insert parts of a call into the matching route's message.

An agent may paste the message into a shell, and the inserted text comes from a URL that anybody can
write. Placeholder positions are checked when the routes are rendered.
"""

from typing import TYPE_CHECKING

from runtime.invisible import INVISIBLE

if TYPE_CHECKING:
    import re
    from typing import Any

# --- rendered from here on ---


def fill_placeholders(route: "dict[str, Any]", match: "re.Match[str]") -> str:
    r"""Return a route's message with each {name} replaced by the text that its group matched.

    If a placeholder is a whole word, shell metacharacters in its text are escaped with \.
    Elsewhere, they are percent-encoded in a URL and otherwise not allowed. An unsafe or overlong
    text is replaced by the placeholder's name in capitals.
    """
    import re

    unsafe = r"(?i)[-=~+]|(?:.*(?:[/\\]|%2f|%5c))?(?:\.|%2e){2}(?:[/\\?#;]|%2f|%5c|$)"
    longest = 2_000  # maximum characters of an inserted text
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
            text = re.sub(r"^(\w+\+?)=", r"\1\\=", text)  # might set a variable
        else:
            if re.search("[^!-~]|[!\"'()*<>^`{|}]", text) and re.match("(?i)https?:", match.string):
                from urllib.parse import quote

                text = quote(text, "@%+:,/=$&;?#[]\\")  # encoding these would change their meaning
            safe = safe and not re.search("[^A-Za-z0-9_@%+:,./=-]", text)
        return text if safe else left.setdefault(name.upper(), name.upper())

    message = re.sub(r"(?<!\$)\{(\w+)\}", write, route["message"].strip())
    names = " and ".join(left)
    note = f"\n\nFill in {names} yourself: the call's value is not safe in a shell command."
    return message + note if left else message
