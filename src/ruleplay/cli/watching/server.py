"""Serve a page on this computer only; it reads, and answers nothing but its own page."""

import io
import json
import socket
import sys
import threading
import time
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from typing import Any

from ruleplay.cli.terminal.output import finite
from ruleplay.errors import ConfigError, RuleplayError

LOOPBACK = "127.0.0.1"
DEADLINE = 10.0  # seconds for a request, and for each part of an answer
PAUSE = 0.5  # seconds for which an answer stays good
STATE = "/state.json"
FILES = {
    "/": ("index.html", "text/html; charset=utf-8"),
    "/watch.css": ("watch.css", "text/css; charset=utf-8"),
    "/watch.js": ("watch.js", "text/javascript; charset=utf-8"),
}
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}

Read = Callable[[], dict[str, Any]]


class WatchServer(ThreadingHTTPServer):
    """A server of one page and of what `read` returns."""

    daemon_threads = True

    def __init__(self, read: Read, port: int = 0) -> None:
        self._read, self._lock = read, threading.Lock()
        self._answer, self._until = (HTTPStatus.OK, b""), 0.0
        try:
            super().__init__((LOOPBACK, port), Handler)
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise ConfigError(f"--port {port} cannot be used: {reason}") from None

    @property
    def url(self) -> str:
        """Return the address of the page."""
        return f"http://{LOOPBACK}:{self.server_port}/"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing about clients that go away or are too slow; tell of mistakes of ours."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)

    def is_own(self, host: str | None) -> bool:
        """Tell whether a request was meant for this server, whatever a name resolves to."""
        return host in {f"{name}:{self.server_port}" for name in (LOOPBACK, "localhost")}

    def state(self) -> tuple[HTTPStatus, bytes]:
        """Return the state as JSON; many who ask at once cost one look."""
        with self._lock:
            if time.monotonic() >= self._until:
                self._answer = self._look()
                self._until = time.monotonic() + PAUSE
            return self._answer

    def _look(self) -> tuple[HTTPStatus, bytes]:
        status, document = HTTPStatus.OK, {}
        try:
            document = self._read()
        except (RuleplayError, OSError) as error:
            status, document = HTTPStatus.SERVICE_UNAVAILABLE, {"error": str(error)}
        return status, json.dumps(finite(document), allow_nan=False).encode()


class Punctual(io.RawIOBase):
    """What a client sends before its time is up; whoever reads later gets TimeoutError."""

    def __init__(self, connection: socket.socket, seconds: float) -> None:
        self._connection, self._until = connection, time.monotonic() + seconds

    def readable(self) -> bool:
        """Tell that it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Wait for bytes as long as there is time left."""
        left = self._until - time.monotonic()
        if left <= 0.0:
            raise TimeoutError("the request took too long")
        self._connection.settimeout(left)
        return self._connection.recv_into(buffer)


class Handler(BaseHTTPRequestHandler):
    """Answers GET and HEAD for a fixed set of addresses."""

    server: WatchServer
    server_version, sys_version = "ruleplay", ""
    timeout = DEADLINE  # of each single answer

    def setup(self) -> None:
        """Give the whole request a deadline, however often the client sends a little."""
        super().setup()
        self.rfile = io.BufferedReader(Punctual(self.connection, DEADLINE))

    def do_GET(self) -> None:
        """Send a page, a part of it, or the state."""
        if not self.server.is_own(self.headers.get("Host")):
            self._send(HTTPStatus.MISDIRECTED_REQUEST, "text/plain", b"not this host\n")
        elif self.path == STATE:
            status, body = self.server.state()
            self._send(status, "application/json", body)
        elif self.path in FILES:
            name, kind = FILES[self.path]
            page = files("ruleplay.cli.watching").joinpath("page", name)
            self._send(HTTPStatus.OK, kind, page.read_bytes())
        else:
            self._send(HTTPStatus.NOT_FOUND, "text/plain", b"nothing here\n")

    def do_HEAD(self) -> None:
        """Send what GET would, without its content."""
        self.do_GET()

    def _send(self, status: HTTPStatus, kind: str, body: bytes) -> None:
        self.connection.settimeout(DEADLINE)
        self.send_response(status)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: the page asks once a second."""
