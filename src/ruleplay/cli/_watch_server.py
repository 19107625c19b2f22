"""Serve a page on this computer only; it reads, and answers nothing but its own page."""

import json
import threading
import time
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from typing import Any

from ruleplay.cli._output import finite
from ruleplay.errors import ConfigError, RuleplayError

LOOPBACK = "127.0.0.1"
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


class Handler(BaseHTTPRequestHandler):
    """Answers GET and HEAD for a fixed set of addresses."""

    server: WatchServer
    server_version, sys_version = "ruleplay", ""
    timeout = 10

    def do_GET(self) -> None:
        """Send a page, a part of it, or the state."""
        if not self.server.is_own(self.headers.get("Host")):
            self._send(HTTPStatus.MISDIRECTED_REQUEST, "text/plain", b"not this host\n")
        elif self.path == STATE:
            status, body = self.server.state()
            self._send(status, "application/json", body)
        elif self.path in FILES:
            name, kind = FILES[self.path]
            page = files("ruleplay.cli").joinpath("watch_page", name)
            self._send(HTTPStatus.OK, kind, page.read_bytes())
        else:
            self._send(HTTPStatus.NOT_FOUND, "text/plain", b"nothing here\n")

    def do_HEAD(self) -> None:
        """Send what GET would, without its content."""
        self.do_GET()

    def _send(self, status: HTTPStatus, kind: str, body: bytes) -> None:
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
