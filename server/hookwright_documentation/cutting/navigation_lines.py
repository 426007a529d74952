"""Recognise lines by which a site leads around or asks for something."""

import re

from hookwright_documentation.cutting.markdown import strip_markup

MAX_LENGTH = 120  # characters
MENU = r"""
      copy(?:\ (?:page|link|code|url|to\ clipboard|as\ markdown|page\ as\ markdown))? | copied!?
    | (?:open|view|ask|chat|discuss|edit|explain|summarize)\ (?:this\ page\ )?
      (?:in|on|as|with|page|this|source|about)
      (?:\ (?:chatgpt|claude|gemini|grok|perplexity|copilot|cursor|vs\ ?code|markdown
      |plain\ text|github|gitlab|bitbucket|page|ai|this|on|in))+
    | edit(?:\ page)? | (?:view|show|page)\ source | suggest\ (?:an\ )?edits?
    | (?:report|raise)\ (?:an\ issue|a\ bug)(?:\ on\ (?:this\ page|github))?
    | skip\ to\ (?:main\ )?(?:content|navigation) | (?:back\ |go\ )?to\ top | scroll\ to\ top
    | on\ this\ page | accept\ (?:all\ )?cookies
    | (?:was\ this\ (?:page|article|section)\ helpful
      |did\ this\ (?:page|article)\ help(?:\ you)?)
      (?:\W*yes\W*no)?
"""
WAY = r"""
      in\ this\ article | table\ of\ contents | advertisement | \d+\ min(?:ute)?s?\ read
    | (?:prev(?:ious)?|next|home|up|top|index|modules)
      (?:\W+(?:prev(?:ious)?|next|home|up|top|index|modules))*
    | (?:next|previous)\ (?:page|article|topic|chapter):?.{0,60}
"""
MENUS = re.compile(rf"\W*(?:{MENU})\W*", re.IGNORECASE | re.VERBOSE)
NAVIGATION = re.compile(rf"\W*(?:{MENU}|{WAY})\W*", re.IGNORECASE | re.VERBOSE)
FIRST = re.compile(
    r"\W*(?:copy|copied|open|view|ask|chat|discuss|edit|explain|summarize|suggest|show|page|report"
    r"|raise|skip|back|go|to|top|scroll|on|in|table|was|did|prev|next|home|up|index|modules|accept"
    r"|advertisement|\d)",
    re.IGNORECASE,
)


def is_navigation_line(paragraph: str, *, within: bool) -> bool:
    """Return whether a paragraph is nothing but navigation."""
    if len(paragraph) > 3 * MAX_LENGTH or not FIRST.match(paragraph):  # as most
        return False
    plain = strip_markup(paragraph).strip()
    if within:
        return " " in plain and bool(MENUS.fullmatch(plain))
    return bool(NAVIGATION.fullmatch(plain))
