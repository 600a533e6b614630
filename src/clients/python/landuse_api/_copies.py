"""Copies that survive being killed at any moment: a page's changes and its cursor are stored together, or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from ._errors import CopyError
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

    def remove_if_empty(self) -> None:
        """Removes a copy into which nothing came, such as one whose first request was refused. Called after a failed run."""

    def close(self) -> None: ...


def refuse_other_source(path: Path, kept: tuple[str, Mapping[str, Any]], wanted: tuple[str, Mapping[str, Any]]) -> None:
    """Raises CopyError if a copy was made of another service, with another query or, unless an earlier version made it, for another team."""
    (kept_url, query), (url, wanted_query) = kept, wanted
    service, _, kept_team = kept_url.partition("#")
    if query == wanted_query and service == url.partition("#")[0]:
        if kept_team and kept_url != url:
            raise CopyError(f"{path} was made with a key of another team: use a key of that team, take another file, or use rebuild=True")
        return
    shown = ", ".join(f"{name}={value!r}" for name, value in query.items()) or "no filters"
    raise CopyError(f"{path} was made of {service} with {shown}: repeat these, take another file, or use rebuild=True")
