"""The server: who may ask, who may write, and that nothing else is written."""

from __future__ import annotations

import hashlib
import http.client
import json
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pyrite.core import RecipeError
from pyrite.viewer import Shelf, ViewerServer
from pyrite.viewer.asked import url

Serve = Callable[..., ViewerServer]


def ask(server: ViewerServer, method: str, path: str, body: str | None = None, **headers: str) -> tuple[int, Any, str]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=60)
    try:
        connection.putrequest(method, path, skip_host="Host" in headers, skip_accept_encoding=True)
        for name, value in headers.items():
            connection.putheader(name.replace("_", "-"), value)
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body.encode() if body is not None else None)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read().decode()
    finally:
        connection.close()


def digests(*folders: Path) -> dict[str, str]:
    files = sorted(file for folder in folders for file in folder.rglob("*") if file.is_file())
    return {str(file): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def form(server: ViewerServer, **fields: str) -> str:
    return url("", **{"token": server.site.token, "queue": "0", **fields}).removeprefix("?")


def test_it_listens_on_this_machine_alone_and_sends_its_policy_with_everything(dataset: Path, serve: Serve) -> None:
    server = serve(dataset)
    assert server.server_address[0] == "127.0.0.1"
    for path, media in (
        ("/", "text/html"),
        ("/viewer.js", "text/javascript"),
        ("/viewer.css", "text/css"),
        ("/no", ""),
    ):
        status, headers, _ = ask(server, "GET", path)
        assert status == (404 if path == "/no" else 200)
        assert headers["Content-Type"].startswith(media)
        policy = headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'; style-src 'self'; script-src 'self'")
        assert "unsafe" not in policy
        assert "http" not in policy
        assert headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "evil.example:{port}", ""])
def test_a_request_by_another_name_is_refused(dataset: Path, audit: Path, serve: Serve, host: str) -> None:
    server = serve(dataset, audit)
    named = host.format(port=server.server_port)
    for method, body in (("GET", None), ("POST", form(server, item="pair-1", decision="relevant"))):
        status, _, text = ask(server, method, "/review", body, Host=named)
        assert status == 421
        assert "gold" not in text
    assert not (audit / "review.jsonl").exists()
    assert ask(server, "GET", "/", Host=f"localhost:{server.server_port}")[0] == 200


@pytest.mark.parametrize(
    "path",
    [
        "/../../../etc/passwd",
        "//etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/viewer.css/../server.py",
        "/document?id=/etc/passwd",
    ],
)
def test_an_address_never_becomes_a_path(dataset: Path, serve: Serve, path: str) -> None:
    status, _, text = ask(serve(dataset), "GET", path)
    assert status == 404
    assert "root:" not in text


def test_a_decision_is_saved_and_answered_for_a_script_or_for_a_form(dataset: Path, audit: Path, serve: Serve) -> None:
    server = serve(dataset, audit)
    before = digests(dataset)
    origin = f"http://127.0.0.1:{server.server_port}"
    status, _, text = ask(
        server,
        "POST",
        "/review",
        form(server, item="pair-1", decision="relevant"),
        Origin=origin,
        Accept="application/json",
    )
    assert (status, json.loads(text)) == (200, {"decision": "relevant", "open": 2})
    fields = {"item": "leak-1", "decision": "unsure", "number": "3", "which": "all", "page": "1"}
    status, headers, _ = ask(server, "POST", "/review", form(server, **fields))
    assert (status, headers["Location"]) == (303, "/review?queue=0&which=all&page=1#item-3")
    lines = (audit / "review.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["decision"] for line in lines] == ["relevant", "unsure"]
    assert digests(dataset) == before


@pytest.mark.parametrize(
    ("fields", "headers", "status"),
    [
        ({"token": "guessed"}, {}, 403),
        ({"token": ""}, {}, 403),
        ({}, {"Origin": "http://evil.example"}, 403),
        ({}, {"Origin": "null"}, 403),
        ({"item": "nothing"}, {}, 400),
        ({"decision": "maybe"}, {"Accept": "application/json"}, 400),
        ({"queue": "7"}, {}, 500),
        ({"item": "x" * 20_000}, {}, 413),
    ],
)
def test_what_comes_from_elsewhere_or_is_not_fit_changes_nothing(
    dataset: Path, audit: Path, serve: Serve, fields: dict, headers: dict, status: int
) -> None:
    server = serve(dataset, audit)
    before = digests(dataset, audit)
    body = form(server, **{"item": "pair-1", "decision": "relevant", **fields})
    if fields.get("token") == "":
        body = body.replace(f"token={server.site.token}", "token=")
    assert ask(server, "POST", "/review", body, **headers)[0] == status
    assert digests(dataset, audit) == before


def test_nothing_but_a_review_can_be_posted(dataset: Path, audit: Path, serve: Serve) -> None:
    server = serve(dataset, audit)
    assert ask(server, "POST", "/queries", form(server))[0] == 404
    assert ask(server, "POST", "/review")[0] == 413
    assert ask(server, "POST", "/review", "\u00e9")[0] in (400, 413)
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"):
        status, headers, text = ask(server, method, "/review", "x=1")
        assert (status, "Content-Security-Policy" in headers) == (501, True)
        assert "The request is not fit" in text


def test_looking_at_everything_writes_nothing(
    dataset: Path, results: Path, mined: Path, audit: Path, serve: Serve
) -> None:
    folders = (dataset, results, mined, audit)
    before, server = digests(*folders), serve(*folders)
    for path in ("/", "/queries", "/query?id=q1", "/results", "/compare", "/mined", "/row?row=1", "/review"):
        assert ask(server, "GET", path)[0] == 200, path
    assert digests(*folders) == before


def test_a_head_has_no_body_and_a_line_that_is_none_is_answered(dataset: Path, serve: Serve) -> None:
    server = serve(dataset)
    status, headers, text = ask(server, "HEAD", "/")
    assert (status, text) == (200, "")
    assert int(headers["Content-Length"]) > 500
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=60) as line:
        line.sendall(b"\x16\x03\x01 nonsense\r\n\r\n")
        assert b"The request is not fit" in line.makefile("rb").read()


def test_a_port_that_is_taken_is_one_sentence(dataset: Path, serve: Serve) -> None:
    with pytest.raises(RecipeError, match=r"cannot be used .*; choose another --port"):
        ViewerServer(Shelf(), serve(dataset).server_port)
