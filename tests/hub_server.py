"""A hub of one dataset repository on this machine, as far as `hf://` asks: listings, files by parts, commits."""

import base64
import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

REPO = "someone/gems"


class _Hub(BaseHTTPRequestHandler):
    """Answers what `huggingface_hub` asks of the repository `REPO`; its files are `server.files`."""

    protocol_version = "HTTP/1.1"
    server: "_Server"

    def log_message(self, *told: object) -> None:
        """Nothing is told of requests."""

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path)
        api, files = f"/api/datasets/{REPO}", self.server.files
        if path.startswith(f"{api}/tree/"):
            within = path.removeprefix(f"{api}/tree/").partition("/")[2]
            found = [self._told(name) for name in files if not within or name.startswith(f"{within}/")]
            self._say(found if found or not within else None)
        elif path == api or path.startswith(f"{api}/revision/"):
            self._say({"id": REPO, "sha": self.server.commit, "siblings": [{"rfilename": name} for name in files]})
        elif path.startswith(f"/datasets/{REPO}/resolve/"):
            self._file(path.removeprefix(f"/datasets/{REPO}/resolve/").partition("/")[2])
        else:
            self._say(None)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        action = urlsplit(self.path).path.removeprefix(f"/api/datasets/{REPO}/").partition("/")[0]
        if self.path == "/api/repos/create":
            self._say({"url": f"{self._here()}/datasets/{REPO}"})
        elif self.path == "/api/validate-yaml":
            self._say({"errors": [], "warnings": []})
        elif action == "paths-info":
            asked = json.loads(body)["paths"]
            folders = [{"type": "directory", "path": one, "oid": "0"} for one in asked if self._is_folder(one)]
            self._say([self._told(name) for name in asked if name in self.server.files] + folders)
        elif action == "preupload":
            asked = [one["path"] for one in json.loads(body)["files"]]
            held = {name: _git(self.server.files[name]) for name in asked if name in self.server.files}
            mode = {"uploadMode": "regular", "shouldIgnore": False}
            self._say({"files": [{"path": name, "oid": held.get(name), **mode} for name in asked]})
        else:
            for line in map(json.loads, body.splitlines()):
                if line["key"] == "file":
                    self.server.files[line["value"]["path"]] = base64.b64decode(line["value"]["content"])
                elif line["key"] == "deletedFile":
                    del self.server.files[line["value"]["path"]]
            self.server.commits += 1
            url = f"{self._here()}/datasets/{REPO}/commit/{self.server.commit}"
            self._say({"success": True, "commitOid": self.server.commit, "commitUrl": url})

    def _here(self) -> str:
        return "http://{}:{}".format(*self.server.server_address)

    def _is_folder(self, name: str) -> bool:
        return any(one.startswith(f"{name}/") for one in self.server.files)

    def _told(self, name: str) -> dict[str, object]:
        data = self.server.files[name]
        return {"type": "file", "path": name, "size": len(data), "oid": _git(data)}

    def _file(self, name: str) -> None:
        data = self.server.files.get(name)
        if data is None:
            self._say(None)
            return
        asked = self.headers.get("Range", "")
        start, _, stop = asked.removeprefix("bytes=").partition("-")
        part = data[int(start) : int(stop) + 1] if asked else data
        self._answer(206 if asked else 200, part, {"ETag": f'"{_git(data)}"'})

    def _say(self, value: object) -> None:
        missing = value is None
        headers = {"X-Error-Code": "EntryNotFound"} if missing else {}
        self._answer(
            404 if missing else 200, json.dumps({"error": "Entry not found"} if missing else value).encode(), headers
        )

    def _answer(self, status: int, data: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        told = {"Content-Length": str(len(data)), "X-Repo-Commit": self.server.commit, **headers}
        for name, value in told.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)


def _git(data: bytes) -> str:
    """What git calls a file."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Hub)
        self.files: dict[str, bytes] = {}
        self.commits = 0

    @property
    def commit(self) -> str:
        """A commit for each state."""
        return hashlib.sha1(str(self.commits).encode()).hexdigest()


@contextmanager
def hub() -> Iterator[str]:
    """The address of a hub whose repository is empty."""
    server = _Server()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
