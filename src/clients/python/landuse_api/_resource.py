"""Base classes of the generated resources."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol


class Route(NamedTuple):
    """An operation: its method and path."""

    method: str
    path: str
    idempotent: bool
    """Accepts an Idempotency-Key"""
    makes: bool
    """Creates something, so that sending it twice without a key creates two"""
    has_body: bool
    """Its values are sent in the body instead of the query"""


@dataclass(frozen=True)
class Options:
    """Options of a call in addition to its values."""

    max_credits: int | None = None
    """Highest price of the call; above it the call is refused, and nothing is charged"""
    idempotency_key: str | None = None
    """Your own key, with which a later process can repeat the request; by default each call that accepts one makes a new one"""
    request_id: str | None = None
    """Becomes the request id"""


class Requester(Protocol):
    def ask(self, operation: str, path: Mapping[str, object], values: Mapping[str, object], options: Options) -> Any: ...

    def read(self, operation: str, path: Mapping[str, object], values: Mapping[str, object], options: Options) -> bytes: ...

    def iterate(self, operation: str, path: Mapping[str, object], values: Mapping[str, object], options: Options) -> Iterator[Any]: ...


class AsyncRequester(Protocol):
    async def ask(self, operation: str, path: Mapping[str, object], values: Mapping[str, object], options: Options) -> Any: ...

    async def read(self, operation: str, path: Mapping[str, object], values: Mapping[str, object], options: Options) -> bytes: ...

    def iterate(
        self, operation: str, path: Mapping[str, object], values: Mapping[str, object], options: Options
    ) -> AsyncIterator[Any]: ...


class Resource:
    """Operations of one kind."""

    def __init__(self, requester: Requester) -> None:
        self._ask = requester.ask
        self._read = requester.read
        self._iterate = requester.iterate


class AsyncResource:
    """Operations of one kind."""

    def __init__(self, requester: AsyncRequester) -> None:
        self._ask = requester.ask
        self._read = requester.read
        self._iterate = requester.iterate
