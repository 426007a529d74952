"""Recognise lines by which a site leads around or asks for something."""

import re

from hookwright_documentation.cutting.markdown import strip_markup

MAX_LENGTH = 120  # characters
NAVIGATION = re.compile(
    r"""\W*(?:
      copy(?:\ (?:page|link|code|url|to\ clipboard|as\ markdown|page\ as\ markdown))?
    | copied!?
    | (?:open|view|ask|chat|discuss|edit|explain|summarize)\ (?:this\ page\ )?
      (?:in|on|as|with|page|this|source|about)(?:\ (?:this\ page|chatgpt|claude|gemini|grok|perplexity
      |copilot|cursor|vs\ ?code|markdown|plain\ text|github|gitlab|bitbucket|page|ai|this|on|in))+
    | edit(?:\ page)? | (?:view|show|page)\ source | suggest\ (?:an\ )?edits?
    | (?:report|raise)\ (?:an\ issue|a\ bug)(?:\ on\ (?:this\ page|github))?
    | skip\ to\ (?:main\ )?(?:content|navigation) | (?:back\ |go\ )?to\ top | scroll\ to\ top
    | on\ this\ page | in\ this\ article | table\ of\ contents
    | (?:was\ this\ (?:page|article|section)\ helpful|did\ this\ (?:page|article)\ help(?:\ you)?)
      \W*(?:yes\W*no)?
    | (?:prev(?:ious)?|next|home|up|top|index|modules)(?:\W+(?:prev(?:ious)?|next|home|up|top|index
      |modules))*
    | (?:next|previous)\ (?:page|article|topic|chapter):?.{0,60}
    | accept\ (?:all\ )?cookies | advertisement | \d+\ min(?:ute)?s?\ read
    )\W*""",
    re.IGNORECASE | re.VERBOSE,
)


def is_navigation_line(paragraph: str) -> bool:
    """Return whether a paragraph is nothing but navigation."""
    return len(paragraph) <= 3 * MAX_LENGTH and bool(
        NAVIGATION.fullmatch(strip_markup(paragraph)[: MAX_LENGTH + 1])
    )
