"""A Hugging Face Hub on loopback: enough of it to load, stream, push, and to fail on demand.

Start it by hand over a folder root/{datasets,spaces,models}/NAMESPACE/NAME::

    python -m tests.hub.server ROOT [PORT]
    HF_ENDPOINT=http://127.0.0.1:PORT python -c "..."
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from tests.hub.store import KINDS, Repository, Store

__all__ = ["READER", "WRITER", "Fault", "Hub"]

WRITER = "hf_writer"
READER = "hf_reader"
WHEN = "2026-01-01T00:00:00.000Z"
OF_TYPE = {"dataset": "datasets", "space": "spaces", "model": "models"}
MESSAGES = {
    401: "Invalid credentials in Authorization header",
    403: "Forbidden: you must have write access",
    404: "Repository not found",
    429: "Too many requests",
    500: "Internal error",
}


@dataclass
class Fault:
    """What goes wrong: requests whose ``METHOD path`` the pattern is found in, so many times (always where it is None).

    The kind is a status, ``cut`` (half of the body, then nothing) or ``slow`` (a second late).
    """

    pattern: str
    kind: int | str
    times: int | None = None


class Hub:
    """A running server; ``url`` is its HF_ENDPOINT, ``log`` what it was asked, ``faults`` what goes wrong."""

    def __init__(self, root: Path, port: int = 0) -> None:
        self.root = root
        self.store = Store(root)
        self.log: list[str] = []
        self.faults: list[Fault] = []
        self.lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", port), type("Handler", (_Handler,), {"hub": self}))
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Hub:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def fail(self, pattern: str, kind: int | str, times: int | None = None) -> Fault:
        """Let requests fail from now on."""
        fault = Fault(pattern, kind, times)
        self.faults.append(fault)
        return fault

    def heal(self) -> None:
        """Let nothing fail any more, and forget what was asked."""
        self.faults.clear()
        self.log.clear()

    def fault_of(self, request: str) -> int | str | None:
        """Return how a request is to fail, and count it."""
        with self.lock:
            self.log.append(request)
            for fault in self.faults:
                if fault.times != 0 and re.search(fault.pattern, request):
                    fault.times = None if fault.times is None else fault.times - 1
                    return fault.kind
        return None


class _Handler(BaseHTTPRequestHandler):
    hub: Hub
    protocol_version = "HTTP/1.1"
    cut = False

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_GET(self) -> None:
        self._serve()

    def do_HEAD(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self._serve()

    def do_PUT(self) -> None:
        self._serve()

    def _serve(self) -> None:
        parts = urlsplit(self.path)
        self.query = {key: values[-1] for key, values in parse_qs(parts.query).items()}
        self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        fault = self.hub.fault_of(f"{self.command} {unquote(self.path)}")
        self.cut = fault == "cut"
        if fault == "slow":
            time.sleep(1)
        if isinstance(fault, int):
            self._refuse(fault)
            return
        for method, pattern, action in ROUTES:
            found = re.fullmatch(pattern, parts.path)
            if found and self.command in method:
                action(self, *[unquote(part) if part is not None else "" for part in found.groups()])
                return
        self._refuse(404, "EntryNotFound")

    # ---- answers

    def _send(self, status: int, data: bytes = b"", headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for key, value in (headers or {}).items():
            self.send_header(key, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command == "HEAD":
            return
        if self.cut:
            self.wfile.write(data[: len(data) // 2])
            self.wfile.flush()
            self.close_connection = True
            self.connection.close()
            return
        self.wfile.write(data)

    def _json(self, value: Any, status: int = 200) -> None:
        self._send(status, json.dumps(value).encode(), {"Content-Type": "application/json"})

    def _refuse(self, status: int, code: str = "", headers: dict[str, str] | None = None) -> None:
        more = {"X-Error-Code": code} if code else {}
        if status == 429:
            more["Retry-After"] = "1"
        message = MESSAGES.get(status, "")
        more |= {"X-Error-Message": message, "Content-Type": "application/json", **(headers or {})}
        self._send(status, json.dumps({"error": message}).encode(), more)

    # ---- who asks, and for what

    def _may_write(self) -> bool:
        token = (self.headers.get("Authorization") or "").removeprefix("Bearer ")
        if token == WRITER:
            return True
        self._refuse(403 if token == READER else 401)
        return False

    def _repository(self, kind: str, name: str) -> Repository | None:
        found = self.hub.store.find(kind or "models", name)
        if found is None:
            self._refuse(401, "RepoNotFound")
        return found

    def _at(self, kind: str, name: str, revision: str) -> tuple[Repository, str, Path] | None:
        repository = self._repository(kind, name)
        if repository is None:
            return None
        found = self.hub.store.revision(repository, revision or "main")
        if found is None:
            self._refuse(404, "RevisionNotFound")
            return None
        return repository, *found

    # ---- reading

    def info(self, kind: str, name: str, revision: str) -> None:
        """Tell a repository's commit and files."""
        found = self._at(kind, name, revision)
        if found is None:
            return
        names = self.hub.store.names(found[2])
        self._json(
            {
                "id": name, "_id": hashlib.md5(name.encode()).hexdigest()[:24], "author": name.split("/")[0], "sha": found[1],
                "lastModified": WHEN, "createdAt": WHEN, "private": False, "gated": False, "disabled": False, "downloads": 0,
                "likes": 0, "tags": [], "siblings": [{"rfilename": one} for one in names],
            }
        )  # fmt: skip

    def tree(self, kind: str, name: str, revision: str, below: str) -> None:
        """List a folder of a revision."""
        found = self._at(kind, name, revision)
        if found is None:
            return
        entries = self.hub.store.tree(found[2], below, self.query.get("recursive", "").lower() in ("1", "true"))
        if entries is None:
            self._refuse(404, "EntryNotFound", {"X-Repo-Commit": found[1]})
        else:
            self._json(entries)

    def paths_info(self, kind: str, name: str, revision: str) -> None:
        """Tell of some paths of a revision; of those that are not there, nothing."""
        found = self._at(kind, name, revision)
        if found is None:
            return
        is_json = (self.headers.get("Content-Type") or "").startswith("application/json")
        asked = json.loads(self.body)["paths"] if is_json else parse_qs(self.body.decode()).get("paths", [])
        asked = [asked] if isinstance(asked, str) else asked
        self._json([self.hub.store.entry(found[2], one) for one in asked if (found[2] / one).exists()])

    def resolve(self, kind: str, name: str, revision: str, path: str) -> None:
        """Send a file of a revision, or a part of it."""
        found = self._at(kind, name, revision)
        if found is None:
            return
        commit, folder = found[1:]
        if not (folder / path).is_file() or ".." in path:
            self._refuse(404, "EntryNotFound", {"X-Repo-Commit": commit})
            return
        data = (folder / path).read_bytes()
        entry = self.hub.store.entry(folder, path)
        tag = entry["lfs"]["oid"] if "lfs" in entry else entry["oid"]
        headers = {
            "ETag": f'"{tag}"', "X-Repo-Commit": commit, "Accept-Ranges": "bytes", "Content-Type": "application/octet-stream"
        }  # fmt: skip
        if "lfs" in entry:
            headers |= {"X-Linked-Etag": f'"{tag}"', "X-Linked-Size": str(len(data))}
        span = re.fullmatch(r"bytes=(\d*)-(\d*)", self.headers.get("Range") or "")
        if span and (span[1] or span[2]):
            first = int(span[1]) if span[1] else max(0, len(data) - int(span[2]))
            last = min(int(span[2]) if span[1] and span[2] else len(data) - 1, len(data) - 1)
            if first >= len(data):
                self._send(416, b"", {"Content-Range": f"bytes */{len(data)}"})
                return
            headers["Content-Range"] = f"bytes {first}-{last}/{len(data)}"
            self._send(206, data[first : last + 1], headers)
            return
        self._send(200, data, headers)

    # ---- writing

    def whoami(self) -> None:
        """Tell whose token it is."""
        if self._may_write():
            self._json({"type": "user", "name": "provise", "orgs": [], "auth": {"accessToken": {"role": "write"}}})

    def create(self) -> None:
        """Make a repository."""
        if not self._may_write():
            return
        asked = json.loads(self.body)
        kind = OF_TYPE[asked.get("type") or "model"]
        name = f"{asked.get('organization') or 'provise'}/{asked['name']}"
        url = f"{self.hub.url}/{'' if kind == 'models' else kind + '/'}{name}"
        self._json({"url": url, "name": name}, 200 if self.hub.store.create(kind, name) else 409)

    def validate(self) -> None:
        """Look at a card's head as the Hub does, in short."""
        import yaml

        content = json.loads(self.body)["content"]
        found = re.match(r"\A---\n(.*?)\n---", content, re.DOTALL)
        try:
            head = yaml.safe_load(found[1]) if found else {}
        except yaml.YAMLError:
            head = None
        fault = head is None or (head.get("license") == "other" and not head.get("license_name"))
        self._json(
            {"errors": [{"message": '"license_name" is required'}] if fault else [], "warnings": []},
            400 if fault else 200,
        )

    def preupload(self, kind: str, name: str, revision: str) -> None:
        """Tell how each file is to be uploaded, and what the Hub has of it."""
        found = self._may_write() and self._at(kind, name, revision)
        if not found:
            return
        files = []
        for one in json.loads(self.body)["files"]:
            file = {"path": one["path"], "uploadMode": self.hub.store.mode(one["path"]), "shouldIgnore": False}
            if (found[2] / one["path"]).is_file():
                file["oid"] = self.hub.store.entry(found[2], one["path"])["oid"]
            files.append(file)
        self._json({"files": files})

    def commit(self, kind: str, name: str, revision: str) -> None:
        """Change a repository, or open a pull request."""
        found = self._may_write() and self._at(kind, name, revision)
        if not found:
            return
        pull = self.query.get("create_pr", "").lower() in ("1", "true")
        done = self.hub.store.commit(found[0], self.body.split(b"\n"), pull_request=pull)
        base = f"{self.hub.url}/{'' if kind == 'models' else kind + '/'}{name}"
        told = {"success": True, "commitOid": done["commitOid"], "commitUrl": f"{base}/commit/{done['commitOid']}"}
        if pull:
            told["pullRequestUrl"] = f"{base}/discussions/{done['number']}"
        self._json(told)

    def batch(self, kind: str, name: str) -> None:
        """Tell where large files are to be put; those that are there already are not asked for."""
        if not self._may_write():
            return
        objects = []
        for one in json.loads(self.body)["objects"]:
            actions = {"upload": {"href": f"{self.hub.url}/large/{one['oid']}", "header": {}}}
            there = self.hub.store.large(one["oid"]).is_file()
            objects.append({"oid": one["oid"], "size": one["size"], **({} if there else {"actions": actions})})
        self._json({"transfer": "basic", "objects": objects})

    def put(self, digest: str) -> None:
        """Keep a large file, if it is what it should be."""
        if hashlib.sha256(self.body).hexdigest() != digest:
            self._refuse(400)
            return
        path = self.hub.store.large(digest)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(self.body)
        self._send(200)


_KIND = f"({'|'.join(KINDS)})"
_NAME = r"([^/]+/[^/]+)"
ROUTES: list[tuple[str, str, Callable[..., None]]] = [
    ("GET", rf"/api/{_KIND}/{_NAME}(?:/revision/(.+))?", _Handler.info),
    ("GET", rf"/api/{_KIND}/{_NAME}/tree/([^/]+)(?:/(.*))?", _Handler.tree),
    ("POST", rf"/api/{_KIND}/{_NAME}/paths-info/([^/]+)", _Handler.paths_info),
    ("HEAD GET", rf"(?:/{_KIND})?/{_NAME}/resolve/([^/]+)/(.+)", _Handler.resolve),
    ("GET", r"/api/whoami-v2", _Handler.whoami),
    ("POST", r"/api/repos/create", _Handler.create),
    ("POST", r"/api/validate-yaml", _Handler.validate),
    ("POST", rf"/api/{_KIND}/{_NAME}/preupload/([^/]+)", _Handler.preupload),
    ("POST", rf"/api/{_KIND}/{_NAME}/commit/([^/]+)", _Handler.commit),
    ("POST", rf"(?:/{_KIND})?/{_NAME}\.git/info/lfs/objects/batch", _Handler.batch),
    ("PUT", r"/large/([0-9a-f]{64})", _Handler.put),
]


if __name__ == "__main__":
    with Hub(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0) as running:
        print(running.url, flush=True)
        threading.Event().wait()
