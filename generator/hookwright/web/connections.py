"""Ask a server by HTTP, but none of another user's on this machine."""

from http.client import HTTPConnection, HTTPResponse
from urllib.request import HTTPHandler, Request

from hookwright_console.peers import check_server_owner


class Connection(HTTPConnection):
    """A connection that is not used where another user's server is at the other end."""

    def connect(self) -> None:
        """Connect, or raise OtherUserError before anything is sent."""
        super().connect()
        check_server_owner(self.sock)


class ConnectionHandler(HTTPHandler):
    """Has an opener ask by such connections; a proxy may be anybody's."""

    def http_open(self, req: Request) -> HTTPResponse:
        """Return the response to a request."""
        return self.do_open(HTTPConnection if req.has_proxy() else Connection, req)
