"""The file of an export: resumed where it broke off, and kept under its name once it is whole."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from types import TracebackType

from ._errors import DownloadDamaged
from ._flow import Flow, Request
from ._generated import ExportJob
from ._requests import Policy, ask, call, prepare
from ._resource import Options

PIECE_BYTES = 1 << 20
PARTIAL_CONTENT = 206


class Part:
    """What of a file has come; it stands beside the file until it is whole."""

    def __init__(self, path: Path, request: Request) -> None:
        self.path = path
        self._request = request
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
        """Asks for what is still missing."""
        self._begins = True
        size = self.size()
        more = {"Range": f"bytes={size}-"} if size else {}
        headers = {**self._request.headers, "Accept": "text/csv", "Accept-Encoding": "identity", **more}
        return Request(self._request.method, self._request.path, headers)

    def take(self, status: int, piece: bytes) -> None:
        if self._begins and status != PARTIAL_CONTENT:
            self.clear()  # the whole file comes, although a part of it was asked for
        self._begins = False
        self._file.write(piece)
        self._file.flush()

    def digest(self) -> str:
        digest = hashlib.sha256()
        with self.path.open("rb") as opened:
            while piece := opened.read(PIECE_BYTES):
                digest.update(piece)
        return digest.hexdigest()

    def sync(self) -> None:
        os.fsync(self._file.fileno())


def download(policy: Policy, export_id: str, file: Path) -> Flow[ExportJob]:
    """Writes the file of a ready export, goes on where an earlier download broke off, and checks its digest. Raises DownloadDamaged and Refusal."""
    answer = yield from ask(policy, "getExport", {"id": export_id}, {}, Options())
    job: ExportJob = answer["data"]
    size, sha256 = job["sizeBytes"] or 0, job["sha256"]
    path = file.with_name(f"{file.name}.part")
    with Part(path, prepare("downloadExport", {"id": export_id}, {}, Options()).request) as part:
        resumed = part.size() > 0
        while True:
            if part.size() > size:
                part.clear()
            if part.size() == 0 or part.size() < size:
                yield from call(policy, part.next_request, repeatable=True, sink=part.take)
            if part.digest() == sha256:
                break
            part.clear()
            if not resumed:
                raise DownloadDamaged(f"The file of {export_id} came with another digest than {sha256}")
            resumed = False  # what an earlier download left was of another file
        part.sync()
    os.replace(path, file)
    return job
