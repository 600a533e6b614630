# Made from _async_download.py by "npm run openapi"; changes by hand are lost.
"""Downloads files of exports and snapshots. Interrupted downloads are resumed, and files get their names when they are complete."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from types import TracebackType

from ._generated_transport import Transport
from ._errors import DownloadDamaged
from ._generated import ExportJob, SnapshotManifest
from ._requests import Request, prepare
from ._resource import Options

PIECE_BYTES = 1 << 20
PARTIAL_CONTENT = 206


class Part:
    """The received part of a file, in `PATH.part` until it is complete."""

    def __init__(self, path: Path, request: Request, accept: str) -> None:
        self.path = path
        self._request = request
        self._accept = accept
        self._file = path.open("ab")
        self._begins = True

    def __enter__(self) -> Part:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._file.close()

    def size(self) -> int:
        return os.fstat(self._file.fileno()).st_size

    def clear(self) -> None:
        self._file.truncate(0)

    def next_request(self) -> Request:
        """Requests the missing rest."""
        self._begins = True
        size = self.size()
        more = {"Range": f"bytes={size}-"} if size else {}
        headers = {**self._request.headers, "Accept": self._accept, "Accept-Encoding": "identity", **more}
        return Request(self._request.method, self._request.path, headers)

    def take(self, status: int, piece: bytes) -> None:
        if self._begins and status != PARTIAL_CONTENT:
            self.clear()  # the whole file comes, although a part of it was asked for
        self._begins = False
        self._file.write(piece)
        self._file.flush()

    def sync(self) -> None:
        os.fsync(self._file.fileno())


def digest_of(file: Path) -> str:
    digest = hashlib.sha256()
    with file.open("rb") as opened:
        while piece := opened.read(PIECE_BYTES):
            digest.update(piece)
    return digest.hexdigest()


def download(transport: Transport, export_id: str, file: Path) -> ExportJob:
    """Downloads the file of a ready export, resumes an earlier download, and verifies the digest. Raises DownloadDamaged and Refusal."""
    answer = transport.ask("getExport", {"id": export_id}, {}, Options())
    job: ExportJob = answer["data"]
    request = prepare("downloadExport", {"id": export_id}, {}, Options())
    fetch(transport, file, Part(partial(file), request, "text/csv"), job["sizeBytes"] or 0, str(job["sha256"]))
    return job


def download_snapshot(transport: Transport, snapshot_id: str, folder: Path) -> SnapshotManifest:
    """Downloads every file of a ready snapshot under its name in the manifest; existing files are kept."""
    manifest: SnapshotManifest = transport.ask("getSnapshotManifest", {"id": snapshot_id}, {}, Options())
    folder.mkdir(parents=True, exist_ok=True)
    restrictions = manifest["restrictions"]
    for one in [*manifest["files"], *([restrictions] if restrictions else [])]:
        file = folder / one["name"]
        if file.exists() and digest_of(file) == one["sha256"]:
            continue
        request = prepare("downloadSnapshotFile", {"id": snapshot_id, "name": one["name"]}, {}, Options())
        fetch(transport, file, Part(partial(file), request, "*/*"), one["sizeBytes"], one["sha256"])
    return manifest


def partial(file: Path) -> Path:
    """The path of a file until it is complete."""
    return file.with_name(f"{file.name}.part")


def fetch(transport: Transport, file: Path, unopened: Part, size: int, sha256: str) -> None:
    """Downloads the rest of a file of `size` bytes, verifies its digest, and gives it its name."""
    with unopened as part:
        resumed = part.size() > 0
        while True:
            if part.size() > size:
                part.clear()
            if part.size() == 0 or part.size() < size:
                transport.send(part.next_request, sink=part.take)
            if digest_of(part.path) == sha256:
                break
            part.clear()
            if not resumed:
                raise DownloadDamaged(f"{file.name} came with another digest than {sha256}")
            resumed = False  # what an earlier download left was of another file
        part.sync()
    os.replace(part.path, file)
