"""The package httpx without its command line, which would import rich and pygments: 0.2 s."""

from hookwright_console.unused_modules import leaving_out

with leaving_out({"httpx._main": {}}):
    import httpx

__all__ = ["httpx"]
