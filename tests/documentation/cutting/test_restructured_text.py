"""reStructuredText files are converted like pages, regardless of the extensions they use."""

import pytest

from hookwright_documentation.cutting import split
from hookwright_documentation.pages import FetchedPage, Page

from ...support.converted_pages import convert_page

URL = "https://docs.acme.example/x.rst"
SPHINX = """\
.. _start:

=====
Guide
=====

Use :func:`~acme.get` or ``get()``, see :doc:`the intro </intro>` and :setting:`DEBUG`.

.. currentmodule:: acme

.. class:: Client(url, *, timeout=3)

   Asks the server.

   .. method:: get(path)
               get(path, query)

      Return an answer.

      .. versionadded:: 2.0

         As a method.

      .. code-block:: python
         :emphasize-lines: 1
         :caption: x.py

         client.get("/x")

.. tab-set::

   .. tab-item:: Linux
      :sync: one

      Install it with apt.

.. toctree::
   :maxdepth: 2

   hidden/page
"""


def cut(text: str) -> Page | None:
    body = text.encode("utf-8", "surrogatepass")
    return convert_page(FetchedPage(URL, "text/x-rst; charset=utf-8", body), "2026-01-01")


def test_sphinx_markup_is_converted() -> None:
    """Definitions get the anchors Sphinx assigns; text in Sphinx-only markup is kept."""
    page = cut(SPHINX)
    assert page
    assert page.title == "Guide"
    passages = {word.anchor: word for word in split(page)}
    assert list(passages) == ["start", "acme.Client", "acme.Client.get"]
    assert "Use `get` or `get()`, see the intro and `DEBUG`." in passages["start"].text
    assert "Install it with apt." in page.text
    assert "hidden/page" not in page.text
    assert passages["acme.Client.get"].headings[-1] == "get(path), get(path, query)"
    assert "Added in version 2.0" in passages["acme.Client.get"].text
    assert '```\nclient.get("/x")\n```' in passages["acme.Client.get"].text


@pytest.mark.parametrize(
    "text",
    [
        "Title\n=====\n\n.. include:: /etc/passwd\n\nWords.\n",
        "Title\n=====\n\n.. raw:: html\n   :file: /etc/passwd\n\nWords.\n",
        "Title\n=====\n\n.. raw:: html\n\n   <script>alert(1)</script>root:\n\nWords.\n",
        "Title\n=====\n\n.. csv-table:: x\n   :file: /etc/passwd\n\nWords.\n",
        "Title\n=====\n\n.. literalinclude:: /etc/passwd\n\nWords.\n",
        "Title\n=====\n\n.. role:: r(raw)\n   :format: html\n\n:r:`<b>x</b>`\n\nWords.\n",
    ],
)
def test_file_and_raw_directives_are_ignored(text: str) -> None:
    page = cut(text)
    assert page
    assert "Words." in page.text
    assert "root:" not in page.text


@pytest.mark.parametrize(
    "text",
    [
        "Title\n=====\n\n" + "".join("  " * n + "* x\n\n" for n in range(200)),
        "Title\n=====\n\nWords *a `b |c|_ :x:`y\n\n.. class::\n\n.. function::\n",
        "Words\n" + "=" * 20_000 + "\n",
        "Words " + "`" * 20_000,
        "Words\n\n.. |x| replace:: |x|\n\n|x|\n",
        ".. class:: A\n\n   .. class:: B\n\n      Words [\n",
    ],
)
def test_malformed_text_is_kept_as_text(text: str) -> None:
    page = cut(text)
    assert page
    assert "x" in page.text or "Words" in page.text
