"""Logic that both clients share: generators that yield requests to send and times to wait."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Request:
    """One attempt of a request."""

    method: str
    path: str
    """Path from the root of the service, with the query"""
    headers: Mapping[str, str]
    content: bytes | None = None


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    """Headers by their names in lower case"""
    content: bytes
    """Empty if a sink has taken it"""


Sink = Callable[[int, bytes], None]
"""Takes the body of a 2xx answer piece by piece, with its status"""


@dataclass(frozen=True)
class Send:
    request: Request
    sink: Sink | None = None


@dataclass(frozen=True)
class Pause:
    seconds: float


Flow = Generator[Send | Pause, Any, T]
"""Receives the Answer to each Send, or the ConnectionFailure as an exception"""


def send(request: Request, sink: Sink | None = None) -> Flow[Answer]:
    answer = yield Send(request, sink)
    if not isinstance(answer, Answer):
        raise TypeError("A flow is sent the answers to its requests")
    return answer


def pause(seconds: float) -> Flow[None]:
    yield Pause(seconds)
