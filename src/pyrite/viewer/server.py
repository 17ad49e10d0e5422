"""The viewer's server: one address of this machine, to which only its own pages may write."""

from __future__ import annotations

import json
import secrets
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from typing import Any
from urllib.parse import urlsplit

from pyrite.core import PyriteError, RecipeError
from pyrite.viewer.asked import Asked, url
from pyrite.viewer.given import Shelf
from pyrite.viewer.pages import Answer, Site

HOST = "127.0.0.1"
MOST_SENT = 16_384
"""Bytes of a decision; a longer request is refused unread."""
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""Sent with every answer: nothing but our own script and style is loaded or run, whatever a text holds."""


class ViewerServer(ThreadingHTTPServer):
    """The pages of a shelf on 127.0.0.1.

    Args:
        shelf: what is shown. port: the port; 0: a free one.

    Raises:
        RecipeError: the port is taken, or may not be used.
    """

    daemon_threads = True

    def __init__(self, shelf: Shelf, port: int = 0) -> None:
        self.site = Site(shelf, secrets.token_urlsafe(24))
        try:
            super().__init__((HOST, port), _Handler)
        except (OSError, OverflowError) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise RecipeError(
                f"port {port} cannot be used ({why})", fix="choose another --port, or leave it out"
            ) from error

    def server_bind(self) -> None:
        """Take the port without asking the network for this machine's name, as the library would."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = HOST, int(self.server_address[1])

    @property
    def address(self) -> str:
        """Where a browser finds it."""
        return f"http://{HOST}:{self.server_port}/"

    @property
    def hosts(self) -> tuple[str, str]:
        """What a request may call it; a page of another site, its name turned to this machine, calls it otherwise."""
        return f"{HOST}:{self.server_port}", f"localhost:{self.server_port}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that goes away in the middle of an answer is no fault."""


class _Handler(BaseHTTPRequestHandler):
    server: ViewerServer
    server_version, sys_version = "pyrite", ""
    timeout = 30

    def do_GET(self) -> None:
        """A page."""
        if self._at_home():
            parts = urlsplit(self.path)
            self._send(self.server.site.answer(parts.path, parts.query))

    def do_HEAD(self) -> None:
        """What a page would be, without its body."""
        self.do_GET()

    def do_POST(self) -> None:
        """A decision of a review: nothing else can be changed."""
        if not self._at_home():
            return
        site, given = self.server.site, self._given()
        if given is None:
            return
        if urlsplit(self.path).path != "/review":
            self._send(site.refuse(404, "There is no such page."))
        elif not secrets.compare_digest(given.text("token").encode(), site.token.encode()) or not self._own_page():
            self._send(site.refuse(403, "The request comes from no page of this viewer; load the page again."))
        else:
            self._decide(given)

    def _decide(self, given: Asked) -> None:
        site, wants_json = self.server.site, "application/json" in self.headers.get("Accept", "")
        try:
            queue = given.among("queue", site.shelf.queues)
            queue.decide(given.text("item"), given.text("decision"))
        except PyriteError as error:
            status = 400 if isinstance(error, RecipeError) else 500
            if wants_json:
                self._send_json(status, {"error": str(error)})
            else:
                self._send(site.refuse(status, str(error)))
            return
        if wants_json:
            self._send_json(200, {"decision": queue.decision(given.text("item")), "open": queue.open})
        else:
            kept = {name: given.text(name) for name in ("queue", "kind", "which", "page")}
            place = given.text("number") if given.text("number").isdigit() else "1"
            self._send(Answer(303, "text/plain", b""), Location=f"{url('/review', **kept)}#item-{place}")

    def _at_home(self) -> bool:
        if self.headers.get("Host", "") in self.server.hosts:
            return True
        self._send(self.server.site.refuse(421, f"This viewer is at {self.server.address} and nowhere else."))
        return False

    def _own_page(self) -> bool:
        origin = self.headers.get("Origin")
        return origin is None or origin in [f"http://{host}" for host in self.server.hosts]

    def _given(self) -> Asked | None:
        length = self.headers.get("Content-Length", "")
        if not length.isdigit() or int(length) > MOST_SENT:
            self._send(self.server.site.refuse(413, "The request is too long, or does not say how long it is."))
            return None
        try:
            return Asked.of(self.rfile.read(int(length)).decode("ascii"))
        except (UnicodeDecodeError, PyriteError):
            self._send(self.server.site.refuse(400, "The request is not fit."))
            return None

    def _send_json(self, status: int, value: dict[str, Any]) -> None:
        self._send(Answer(status, "application/json", json.dumps(value).encode()))

    def _send(self, answer: Answer, **headers: str) -> None:
        self.send_response(answer.status)
        self.send_header("Content-Type", f"{answer.media}; charset=utf-8")
        self.send_header("Content-Length", str(len(answer.body)))
        for name, value in {**HEADERS, **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.body)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """What the library refuses (a verb that is none, a line too long) gets a page like any other."""
        del message, explain
        # A request that could not be read has neither a verb nor headers.
        self.command = getattr(self, "command", None) or "GET"
        self.request_version = getattr(self, "request_version", "") or "HTTP/1.0"
        self._send(self.server.site.refuse(code, f"The request is not fit ({code})."))

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet: the terminal is the person's."""
