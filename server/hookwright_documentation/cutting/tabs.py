"""Lay out tabs one after another, each below its label, whether it is chosen or not."""

from lxml import etree
from lxml.etree import _Element

from hookwright_documentation.cutting.trees import compile_path

PANELS = compile_path(".//*[@role='tabpanel']")
TABS = compile_path(".//*[@role='tab']")
TAB_LISTS = compile_path(".//*[@role='tablist']")
SETS = compile_path(".//div[contains(concat(' ', @class, ' '), ' tabbed-set ')]")
BLOCKS = compile_path(".//div[contains(concat(' ', @class, ' '), ' tabbed-block ')]")
LABELS = compile_path(".//label")
LEVELS = 3  # elements between a panel and what holds its tabs, too
LABEL = "rubric"  # the class of a title


def lay_out_tabs(main: _Element, html: str) -> None:
    """Put the labels of tabs into the panels that they open, and show these."""
    if "tabpanel" not in html and "tabbed-set" not in html:  # as most
        return
    for tabs in SETS(main):
        labels, blocks = LABELS(tabs), BLOCKS(tabs)
        pairs = zip(labels, blocks, strict=True) if len(labels) == len(blocks) else ()
        for label, block in pairs:
            insert_label(block, label)
            label.set("hidden", "hidden")
    panels = PANELS(main)
    labels = {tab.get("id"): tab for tab in TABS(main) if tab.get("id")} if panels else {}
    for panel in panels:
        label = labels.get(panel.get("aria-labelledby"))
        label = find_label(panel) if label is None else label
        if label is not None:
            panel.attrib.pop("hidden", None)
            panel.attrib.pop("style", None)
            insert_label(panel, label)
    for tabs in TAB_LISTS(main) if panels else ():
        tabs.set("hidden", "hidden")


def find_label(panel: _Element) -> _Element | None:
    """Return the tab at the place that a panel has among the others, or None."""
    around = panel.getparent()
    panels = [
        one for one in (around if around is not None else ()) if one.get("role") == "tabpanel"
    ]
    for _ in range(LEVELS):
        if around is None:
            return None
        if tabs := TABS(around):
            place = panels.index(panel)
            return tabs[place] if place < len(tabs) else None
        around = around.getparent()
    return None


def insert_label(panel: _Element, tab: _Element) -> None:
    label = etree.Element("p")
    label.set("class", LABEL)
    label.extend(list(tab))
    label.text, label.tail, panel.text = tab.text, panel.text, None
    panel.insert(0, label)
