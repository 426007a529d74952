"""Connect to a server by HTTP, but not to another user's on this machine."""

from http.client import HTTPConnection, HTTPResponse
from urllib.request import HTTPHandler, Request

from hookwright_console.peers import check_server_owner


class Connection(HTTPConnection):
    """A connection that refuses another user's server on this machine."""

    def connect(self) -> None:
        """Connect, or raise OtherUserError before anything is sent."""
        super().connect()
        check_server_owner(self.sock)


class ConnectionHandler(HTTPHandler):
    """Makes an opener use such connections, except to a proxy, which may be anybody's."""

    def http_open(self, req: Request) -> HTTPResponse:
        return self.do_open(HTTPConnection if req.has_proxy() else Connection, req)
