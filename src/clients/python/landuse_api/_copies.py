"""Copies that survive being killed at any moment: a page's changes and its cursor are stored together, or not at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from ._generated import Removed, SyncProjectsMeta

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
