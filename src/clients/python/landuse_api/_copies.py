"""Copies that survive being killed at any moment: a page's changes and its cursor are stored together, or not at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar, cast

from ._errors import CopyOutOfDate
from ._flow import Flow
from ._generated import InvalidCursor, Removed, SyncProjectsMeta
from ._options import with_derived
from ._requests import Policy, ask, page_options
from ._resource import Options

RecordT = TypeVar("RecordT", covariant=True)


@dataclass(frozen=True)
class SyncPage(Generic[RecordT]):
    """A page of changes. In one transaction delete `removed`, store `records`, then store `cursor`."""

    removed: list[Removed]
    records: list[RecordT]
    cursor: str
    """Continue from here: now for the next page, or later for changes until then"""
    has_more: bool
    meta: SyncProjectsMeta


@dataclass(frozen=True)
class CopyResult:
    """The result of a run."""

    records: int
    """Number of records in the copy"""
    received: int
    removed: int
    credits_used: int
    cursor: str


class Copy(Protocol):
    """The storage of a copy."""

    name: str

    @property
    def cursor(self) -> str | None: ...

    def add(self, page: SyncPage[Any]) -> None:
        """Stores a page with its cursor, durably."""

    def finish(self) -> int:
        """Completes the copy after its last page. Returns its number of records."""

    def close(self) -> None: ...


def sync_page(policy: Policy, values: Mapping[str, object], cursor: str | None, options: Options, number: int) -> Flow[SyncPage[Any]]:
    """Requests the page after a cursor, or the first one without it."""
    query = with_derived(values) if cursor is None else {**with_derived(values), "cursor": cursor}
    answer = yield from ask(policy, "syncProjects", {}, query, page_options(options, number))
    meta = cast("SyncProjectsMeta", answer["meta"])
    sync = meta["sync"]
    return SyncPage(sync["removed"], answer["data"], sync["cursor"], sync["hasMore"], meta)


def fill(
    policy: Policy, copy: Copy, values: Mapping[str, object], options: Options, on_page: Callable[[SyncPage[Any]], None] | None
) -> Flow[CopyResult]:
    """Brings a copy up to date. Raises CopyOutOfDate, errors of requests and of the disk; a later run then continues."""
    received = removed = credits_used = number = 0
    more = True
    try:
        while more:
            number += 1
            page = yield from sync_page(policy, values, copy.cursor, options, number)
            copy.add(page)
            received += len(page.records)
            removed += len(page.removed)
            credits_used += page.meta["creditsUsed"]
            more = page.has_more
            if on_page:
                on_page(page)
        return CopyResult(copy.finish(), received, removed, credits_used, page.cursor)
    except InvalidCursor as error:
        raise CopyOutOfDate(
            f"{copy.name} cannot be brought up to date, since its filters, the licence or the service have changed: build it again with rebuild=True"
        ) from error
    finally:
        copy.close()
