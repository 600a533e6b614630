# Made from _async_client.py by "npm run openapi"; changes by hand are lost.
"""The client of the Land Use Intelligence API."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Callable, Mapping
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, overload

import httpx

from ._generated_download import download, download_snapshot
from ._generated_jobs import settle, submit_and_settle
from ._generated_transport import Transport
from ._copies import Copy, CopyResult, SyncPage
from ._errors import CopyOutOfDate
from ._generated import (
    AiSearchData,
    Resources,
    CompactProject,
    CountProjectsInput,
    CreateExportInput,
    CreateSnapshotInput,
    EnrichmentJob,
    ExportJob,
    FullProject,
    InvalidCursor,
    Price,
    Snapshot,
    SnapshotManifest,
    StandardProject,
    SyncProjectsMeta,
)
from ._ndjson import NdjsonCopy
from ._options import QuestionArguments, Representation, SearchArguments, SyncArguments, after_page, split, with_derived
from ._requests import Policy, Retry, page_options
from ._resource import Options
from ._settings import Settings
from ._sqlite import SqliteCopy

if sys.version_info >= (3, 11):
    from typing import Unpack
elif TYPE_CHECKING:
    from typing_extensions import Unpack


class LandUse(Resources):
    """The client.

    Every operation of the reference is a method of its resource: `api.lists.create(name="Mine")`. Beside them are the loops over many pages, copies,
    and jobs from beginning to end. Use it in a `with`, or close it.
    """

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str | None = None,
        *,
        timeout: float = 60.0,
        retries: int = 5,
        retry_wait_max: float = 65.0,
        on_retry: Callable[[Retry], None] | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        """`api_key` and `base_url` default to LANDUSE_KEY and LANDUSE_URL. `timeout` and `retry_wait_max` are in seconds; a refusal
        that asks for a longer wait is raised. `on_retry` is called before each retry."""
        self._settings = Settings.of(api_key, base_url, timeout, Policy(retries, retry_wait_max, on_retry))
        self._transport = Transport(self._settings, transport)
        super().__init__(self._transport)

    @property
    def base_url(self) -> str:
        """Root URL of the service"""
        return self._settings.base_url

    @property
    def key_digest(self) -> str:
        """Describes the client without showing the key"""
        return hashlib.sha256(self._settings.api_key.encode()).hexdigest()

    def close(self) -> None:
        self._transport.close()

    def __enter__(self) -> LandUse:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def count(self, **filters: Unpack[CountProjectsInput]) -> Price:
        """The number of matching records, and their price; free."""
        return (self.projects.count(**filters))["data"]

    @overload
    def search(self, *, representation: Literal["compact"], **query: Unpack[SearchArguments]) -> Iterator[CompactProject]: ...

    @overload
    def search(self, *, representation: Literal["full"], **query: Unpack[SearchArguments]) -> Iterator[FullProject]: ...

    @overload
    def search(self, *, representation: Literal["standard"] = ..., **query: Unpack[SearchArguments]) -> Iterator[StandardProject]: ...

    def search(self, *, representation: str = "standard", **query: Unpack[SearchArguments]) -> Iterator[Any]:
        """The records of a search one by one, at most 10,000; pages are requested as the loop reaches them. Raises SearchTooWide if more match."""
        values, options = split(dict(query))
        following: dict[str, Any] | None = with_derived({**values, "representation": representation})
        number = 0
        while following is not None:
            number += 1
            answer = self._transport.ask("searchProjects", {}, following, page_options(options, number))
            for record in answer["data"]:
                yield record
            following = after_page(following, answer["meta"])

    @overload
    def sync(
        self, *, representation: Literal["compact"], cursor: str | None = ..., **query: Unpack[SyncArguments]
    ) -> Iterator[SyncPage[CompactProject]]: ...

    @overload
    def sync(
        self, *, representation: Literal["full"], cursor: str | None = ..., **query: Unpack[SyncArguments]
    ) -> Iterator[SyncPage[FullProject]]: ...

    @overload
    def sync(
        self, *, representation: Literal["standard"] = ..., cursor: str | None = ..., **query: Unpack[SyncArguments]
    ) -> Iterator[SyncPage[StandardProject]]: ...

    def sync(
        self, *, representation: str = "standard", cursor: str | None = None, **query: Unpack[SyncArguments]
    ) -> Iterator[SyncPage[Any]]:
        """Pages of changes and removals since `cursor`, or from the beginning without one, until nothing is new. For copies of your own; the copies below
        store their cursor themselves."""
        values, options = split(dict(query))
        following: dict[str, Any] = with_derived({**values, "representation": representation})
        number = 0
        while True:
            number += 1
            position = {} if cursor is None else {"cursor": cursor}
            answer = self._transport.ask("syncProjects", {}, {**following, **position}, page_options(options, number))
            meta: SyncProjectsMeta = answer["meta"]
            cursor = meta["sync"]["cursor"]
            yield SyncPage(meta["sync"]["removed"], answer["data"], cursor, meta["sync"]["hasMore"], meta)
            if not meta["sync"]["hasMore"]:
                return

    def sync_to_ndjson(
        self,
        path: str | PathLike[str],
        *,
        representation: Representation = "standard",
        rebuild: bool = False,
        on_page: Callable[[SyncPage[Any]], None] | None = None,
        **query: Unpack[SyncArguments],
    ) -> CopyResult:
        """Keeps a copy in a file, one record a line. The same call brings it up to date, and continues it after it was killed; its state is in `FILE.sync` and
        `FILE.journal`. `rebuild` starts over, and replaces the file at the end. Raises CopyError."""
        return self._keep_copy(NdjsonCopy, path, rebuild, on_page, {**query, "representation": representation})

    def sync_to_sqlite(
        self,
        path: str | PathLike[str],
        *,
        representation: Representation = "standard",
        rebuild: bool = False,
        on_page: Callable[[SyncPage[Any]], None] | None = None,
        **query: Unpack[SyncArguments],
    ) -> CopyResult:
        """Keeps a copy in a SQLite database: the table `records` with each record as JSON, and the view `projects` with a column for each field. A rebuild
        deletes rows that are no longer selected at its end. Raises CopyError."""
        return self._keep_copy(SqliteCopy, path, rebuild, on_page, {**query, "representation": representation})

    def _keep_copy(
        self,
        open_copy: Callable[[Path, str, Mapping[str, object], bool], Copy],
        path: str | PathLike[str],
        rebuild: bool,
        on_page: Callable[[SyncPage[Any]], None] | None,
        query: dict[str, Any],
    ) -> CopyResult:
        """Brings a copy up to date. Raises CopyOutOfDate, errors of requests and of the disk; a later run then continues."""
        values, _ = split(query)
        team = (self._transport.ask("getStart", {}, {}, Options()))["data"]["account"]["teamId"]
        copy = open_copy(Path(path), f"{self.base_url}#team={team}", values, rebuild)
        received = removed = credits_used = 0
        try:
            for page in self.sync(cursor=copy.cursor, **query):
                copy.add(page)
                received += len(page.records)
                removed += len(page.removed)
                credits_used += page.meta["creditsUsed"]
                if on_page:
                    on_page(page)
            return CopyResult(copy.finish(), received, removed, credits_used, page.cursor)
        except BaseException as error:
            copy.remove_if_empty()
            if not isinstance(error, InvalidCursor):
                raise
            raise CopyOutOfDate(
                f"{copy.name} cannot be brought up to date, since its filters, the licence or the service have changed: build it again with rebuild=True"
            ) from error
        finally:
            copy.close()

    def export_to(
        self,
        path: str | PathLike[str],
        *,
        timeout: float | None = None,
        on_progress: Callable[[ExportJob], None] | None = None,
        max_credits: int | None = None,
        idempotency_key: str | None = None,
        **body: Unpack[CreateExportInput],
    ) -> ExportJob | None:
        """Makes a CSV of all matches and downloads it to `path`; None if nothing matches. Raises JobFailure, WaitTimeout and DownloadDamaged."""
        options = Options(max_credits, idempotency_key)
        job: ExportJob | None = submit_and_settle(self._transport, "createExport", dict(body), options, timeout, on_progress)
        return None if job is None else self.download(job["id"], path)

    def download(self, export_id: str, path: str | PathLike[str]) -> ExportJob:
        """Downloads the file of a ready export to `path` and verifies its digest; continues an earlier download in `path.part`."""
        return download(self._transport, export_id, Path(path))

    def ask(
        self,
        query: str,
        *,
        timeout: float | None = None,
        on_progress: Callable[[AiSearchData], None] | None = None,
        max_credits: int | None = None,
        idempotency_key: str | None = None,
        **body: Unpack[QuestionArguments],
    ) -> AiSearchData:
        """Asks a question in plain words; the answer has records, each proven by quotes. Raises JobFailure and WaitTimeout."""
        options = Options(max_credits, idempotency_key)
        values = {"query": query, **body}
        job: AiSearchData = submit_and_settle(self._transport, "createAiSearch", values, options, timeout, on_progress)
        return job

    def wait_for_export(
        self, export_id: str, *, timeout: float | None = None, on_progress: Callable[[ExportJob], None] | None = None
    ) -> ExportJob:
        """Waits until the file of an export is ready, and returns the export. Raises JobFailure and WaitTimeout."""
        job: ExportJob = settle(self._transport, export_id, timeout, on_progress)
        return job

    def wait_for_enrichment(
        self, enrichment_id: str, *, timeout: float | None = None, on_progress: Callable[[EnrichmentJob], None] | None = None
    ) -> EnrichmentJob:
        """Waits until a look-up of contacts is settled, and returns it. Raises JobFailure and WaitTimeout."""
        job: EnrichmentJob = settle(self._transport, enrichment_id, timeout, on_progress)
        return job

    def wait_for_ai_search(
        self, search_id: str, *, timeout: float | None = None, on_progress: Callable[[AiSearchData], None] | None = None
    ) -> AiSearchData:
        """Waits until an AI search is settled, and returns it. Raises JobFailure and WaitTimeout."""
        job: AiSearchData = settle(self._transport, search_id, timeout, on_progress)
        return job

    def snapshot_to(
        self,
        folder: str | PathLike[str],
        *,
        timeout: float | None = None,
        on_progress: Callable[[Snapshot], None] | None = None,
        max_credits: int | None = None,
        idempotency_key: str | None = None,
        **body: Unpack[CreateSnapshotInput],
    ) -> SnapshotManifest | None:
        """Makes a snapshot of all matches and downloads its files to a folder. Returns the manifest, whose `sync.cursor` continues it, or None if nothing
        matches. Raises JobFailure, WaitTimeout and DownloadDamaged."""
        options = Options(max_credits, idempotency_key)
        snapshot: Snapshot | None = submit_and_settle(
            self._transport, "createSnapshot", dict(body), options, timeout, on_progress
        )
        return None if snapshot is None else self.download_snapshot(snapshot["id"], folder)

    def download_snapshot(self, snapshot_id: str, folder: str | PathLike[str]) -> SnapshotManifest:
        """Downloads the files of a ready snapshot and verifies their digests; files that exist are kept."""
        return download_snapshot(self._transport, snapshot_id, Path(folder))

    def wait_for_snapshot(
        self, snapshot_id: str, *, timeout: float | None = None, on_progress: Callable[[Snapshot], None] | None = None
    ) -> Snapshot:
        """Waits until the files of a snapshot are ready, and returns the snapshot. Raises JobFailure and WaitTimeout."""
        snapshot: Snapshot = settle(self._transport, snapshot_id, timeout, on_progress)
        return snapshot
