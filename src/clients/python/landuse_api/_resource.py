"""What the generated methods stand on: where an operation is, and who sends it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol


class Route(NamedTuple):
    """Where an operation is."""

    method: str
    path: str
    idempotent: bool
    """Takes an Idempotency-Key"""
    makes: bool
    """Makes something, so that sending it twice without a key makes two"""
    has_body: bool
    """Its values travel as a body, and not in the query"""


@dataclass(frozen=True)
class Options:
    """What goes beside the values of a call."""

    max_credits: int | None = None
    """What the call may cost at most: where it costs more it is refused, and nothing is charged"""
    idempotency_key: str | None = None
    """One of your own, so that a later process can repeat the request; else each call makes one where one is taken"""
    request_id: str | None = None
    """Comes back as the request id"""


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
