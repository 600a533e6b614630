"""Copies kept by another program, such as a pipeline: first a snapshot, then the changes since. That program stores the cursor with its rows."""

from __future__ import annotations

import gzip
import hashlib
import json
import logging
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from ._copies import SyncPage
from ._errors import CopyError, CopyOutOfDate, JobFailure, LandUseError, Refusal
from ._generated import InvalidCursor, SnapshotInProgress, Unauthorized
from ._generated_client import LandUse
from ._lock import lock
from ._options import Representation, with_derived
from ._resource import Options

REPRESENTATIONS = ("compact", "standard", "full")
BATCH_RECORDS = 1000


@dataclass(frozen=True)
class Selection:
    """The selection of a copy."""

    representation: Representation = "standard"
    filters: Mapping[str, Any] = field(default_factory=dict)
    """Filters by their names in a search"""

    def __post_init__(self) -> None:
        if self.representation not in REPRESENTATIONS:
            raise CopyError(f"representation is {self.representation!r}: it is one of {', '.join(REPRESENTATIONS)}")
        if not isinstance(self.filters, Mapping):
            raise CopyError(f"filters is {self.filters!r}: it is an object, such as {{'states': ['CO'], 'dateRange': 'all'}}")

    def name(self, url: str) -> str:
        """An identifier, equal for equal selections of one service; stored with the cursor to detect another selection."""
        return json.dumps({"url": url, "representation": self.representation, "filters": self.filters}, sort_keys=True, default=str)


class Following:
    """Follows one selection. Files of its snapshot stay in a folder until `resume`, so that a killed run can be continued."""

    def __init__(self, api: LandUse, selection: Selection, *, folder: str | os.PathLike[str] | None = None, max_credits: int | None = None) -> None:
        """`max_credits` is the highest price of the snapshot, and of each page after it."""
        self._api = api
        self._selection = selection
        self._max_credits = max_credits
        self.name = selection.name(api.base_url)
        self.folder = Path(folder) if folder else _usual_folder(api, self.name)

    def resume(self, name: str) -> None:
        """Continues a copy whose snapshot is stored elsewhere. Raises CopyOutOfDate if it is a copy of another selection."""
        if name != self.name:
            raise CopyOutOfDate(f"The copy is of {name}, and what is asked for is {self.name}: ask for the same again, or begin a new copy")
        self._forget_snapshot()

    def snapshot(self) -> tuple[str, Iterator[list[dict[str, Any]]]] | None:
        """Queues a snapshot, or continues that of a killed run, and downloads it. Returns its records and the cursor for `changes`; None if nothing matches.
        Raises JobFailure, DownloadDamaged, CopyError and the errors of requests."""
        self.folder.mkdir(parents=True, exist_ok=True)
        opened = (self.folder / "lock").open("w")
        if not lock(opened):
            opened.close()
            raise CopyError(f"Another process is taking the same snapshot in {self.folder}: run one at a time")
        try:
            manifest = self._downloaded()
        except BaseException:
            if [one.name for one in self.folder.iterdir()] == ["lock"]:
                shutil.rmtree(self.folder, ignore_errors=True)
            opened.close()
            raise
        if manifest is None:
            opened.close()
            return None
        self._say_what_is_missing(manifest["snapshotId"])
        return manifest["sync"]["cursor"], self._records([one["name"] for one in manifest["files"]], opened)

    def _say_what_is_missing(self, snapshot_id: str) -> None:
        """Logs the warnings of the snapshot, such as that a trial pays for its first 100 records only."""
        answer = self._api._transport.ask("getSnapshot", {"id": snapshot_id}, {}, Options())
        for warning in answer["meta"]["warnings"]:
            logging.getLogger("landuse_api").warning(warning["message"])

    def changes(self, cursor: str | None) -> Iterator[SyncPage[Any]]:
        """Pages of changes and removals since a cursor. Raises CopyOutOfDate if the service no longer accepts it."""
        try:
            yield from self._api.sync(
                representation=self._selection.representation, cursor=cursor, max_credits=self._max_credits, **self._selection.filters
            )
        except InvalidCursor as error:
            raise CopyOutOfDate(f"The service takes the cursor of this copy no longer, since the licence or the service has changed: begin a new copy ({error})") from error

    def _forget_snapshot(self) -> None:
        """Deletes the files of the snapshot, after their records were stored elsewhere; not those that another process is taking."""
        try:
            opened = (self.folder / "lock").open("a")
        except FileNotFoundError:
            return
        with opened:
            if lock(opened):
                shutil.rmtree(self.folder, ignore_errors=True)

    def _downloaded(self) -> Any:
        while True:
            try:
                key = self._request_key()
                return self._api.snapshot_to(self.folder, idempotency_key=key, max_credits=self._max_credits, **cast("Any", self._body()))
            except SnapshotInProgress as busy:
                self._wait_for_other(str(busy.details["snapshotId"]))
            except (JobFailure, Refusal):
                self._request_file().unlink(missing_ok=True)  # the next run makes a new request
                raise

    def _wait_for_other(self, snapshot_id: str) -> None:
        """Waits for another snapshot of the team, which may have only one at a time, whether it succeeds or fails."""
        try:
            self._api.wait_for_snapshot(snapshot_id)
        except JobFailure:
            return

    def _body(self) -> dict[str, Any]:
        shape = with_derived({"representation": self._selection.representation})
        return {"filters": dict(self._selection.filters), **shape, "format": "ndjson", "compression": "gzip"}

    def _request_file(self) -> Path:
        return self.folder / "request.json"

    def _request_key(self) -> str:
        """The Idempotency-Key of the snapshot. It is stored before the first request, so that a killed run does not make a second snapshot."""
        asked = {"url": self._api.base_url, "body": self._body()}
        try:
            kept = json.loads(self._request_file().read_text())
            if kept["asked"] == json.loads(json.dumps(asked, default=str)):
                return str(kept["key"])
        except (OSError, ValueError, KeyError, TypeError):
            pass  # there was no request, or the file is damaged
        key = secrets.token_hex(16)
        written = self._request_file().with_suffix(".new")
        written.write_text(json.dumps({"asked": asked, "key": key}, default=str))
        os.replace(written, self._request_file())
        return key

    def _records(self, names: list[str], opened: Any) -> Iterator[list[dict[str, Any]]]:
        with opened:
            for name in names:
                with gzip.open(self.folder / name, "rt", encoding="utf-8") as lines:
                    batch: list[dict[str, Any]] = []
                    for line in lines:
                        batch.append(json.loads(line))
                        if len(batch) == BATCH_RECORDS:
                            yield batch
                            batch = []
                    if batch:
                        yield batch
            self._request_file().unlink(missing_ok=True)  # all of it was handed over: the next snapshot is a new one


def _usual_folder(api: LandUse, name: str) -> Path:
    """The folder for a selection and a key, in the user's cache."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    digest = hashlib.sha256(f"{api.key_digest}\n{name}".encode()).hexdigest()
    return cache / "landuse" / digest[:32]


def explain(error: LandUseError | ValueError) -> str:
    """The whole text of an error: every problem with suggestions, and the remedy."""
    if isinstance(error, Unauthorized):
        return f"{error}. Check the key; {error.docs_url}"
    if not isinstance(error, Refusal):
        return str(error)
    problems = (error.details or {}).get("problems") or []
    lines = [f"{one['param'] or 'request'}: {one['message']}{_meant(one)}" for one in problems]
    return "\n".join([str(error), *(f"  {line}" for line in lines), f"See {error.docs_url}"])


def _meant(problem: Mapping[str, Any]) -> str:
    meant = problem.get("didYouMean")
    return f" (did you mean {meant}?)" if meant and str(meant) not in problem["message"] else ""
