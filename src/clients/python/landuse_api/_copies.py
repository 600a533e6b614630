"""Copies that survive being killed at any moment: what a page changed and the cursor behind it are kept together, or not at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar, cast

from ._errors import CopyOutOfDate
from ._flow import Flow
from ._generated import InvalidCursor, Removed, SyncProjectsMeta
from ._requests import Policy, ask, page_options
from ._resource import Options

RecordT = TypeVar("RecordT", covariant=True)


@dataclass(frozen=True)
class SyncPage(Generic[RecordT]):
    """Delete what `removed` lists, then store `records`, then keep `cursor`: in one transaction."""

    removed: list[Removed]
    records: list[RecordT]
    cursor: str
    """Go on from here: now for the next page, later for what changes until then"""
    has_more: bool
    meta: SyncProjectsMeta


@dataclass(frozen=True)
class CopyResult:
    """What a run did to a copy."""

    records: int
    """In the copy now"""
    received: int
    removed: int
    credits_used: int
    cursor: str


class Copy(Protocol):
    """Where a copy is kept."""

    name: str

    @property
    def cursor(self) -> str | None: ...

    def add(self, page: SyncPage[Any]) -> None:
        """Keeps a page with its cursor; it is good from then on."""

    def finish(self) -> int:
        """Brings the copy up to its last page; how many records it has."""

    def close(self) -> None: ...


def sync_page(policy: Policy, values: Mapping[str, object], cursor: str | None, options: Options, number: int) -> Flow[SyncPage[Any]]:
    """The page behind a cursor; the first one of a walk without it."""
    query = values if cursor is None else {**values, "cursor": cursor}
    answer = yield from ask(policy, "syncProjects", {}, query, page_options(options, number))
    meta = cast("SyncProjectsMeta", answer["meta"])
    sync = meta["sync"]
    return SyncPage(sync["removed"], answer["data"], sync["cursor"], sync["hasMore"], meta)


def fill(
    policy: Policy, copy: Copy, values: Mapping[str, object], options: Options, on_page: Callable[[SyncPage[Any]], None] | None
) -> Flow[CopyResult]:
    """Brings a copy up to date. Raises CopyOutOfDate, whatever a request can raise, and what the disk says; a later run then goes on."""
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
