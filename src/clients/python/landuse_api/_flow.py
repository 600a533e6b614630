"""Work that asks the service, written once for both clients: a generator that says what to send and how long to wait."""

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
    """From the root of the service, with the query"""
    headers: Mapping[str, str]
    content: bytes | None = None


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    """By their names in lower case"""
    content: bytes
    """Empty where a sink took it"""


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
"""Is sent the Answer of each Send, or the ConnectionFailure is raised in it"""


def send(request: Request, sink: Sink | None = None) -> Flow[Answer]:
    answer = yield Send(request, sink)
    if not isinstance(answer, Answer):
        raise TypeError("A flow is sent the answers to its requests")
    return answer


def pause(seconds: float) -> Flow[None]:
    yield Pause(seconds)
