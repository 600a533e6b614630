"""Runs flows over httpx, for both clients."""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from typing import Any, TypeVar

import httpx

from ._default_url import DEFAULT_URL
from ._errors import ConnectionFailure
from ._flow import Answer, Flow, Pause, Request, Send
from ._requests import Policy, ask, next_page, page_options, read
from ._resource import Options

T = TypeVar("T")

SENDABLE = re.compile(r"[\x21-\x7e]+")
"""Keys that a header can contain; the HTTP library's error message would show any other key"""
ADDRESS = re.compile(r"https?://[^\s/]\S*")
NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol)

try:
    VERSION = version("landuse-api")
except PackageNotFoundError:  # not installed, but read from its source
    VERSION = "source"


@dataclass(frozen=True)
class Settings:
    """The service, key and timeouts of a client."""

    api_key: str
    base_url: str
    timeout: float
    policy: Policy = field(default_factory=Policy)

    @staticmethod
    def of(api_key: str | None, base_url: str | None, timeout: float, policy: Policy) -> Settings:
        """Missing values come from LANDUSE_KEY and LANDUSE_URL."""
        key = (api_key or os.environ.get("LANDUSE_KEY") or "").strip()
        if not key:
            raise ValueError("The client needs a key: LandUse(api_key=…), or the variable LANDUSE_KEY")
        if not SENDABLE.fullmatch(key):
            raise ValueError("The key contains a space, a line break or another character that no key has: copy the key alone")
        url = (base_url or os.environ.get("LANDUSE_URL") or DEFAULT_URL).strip()
        if not ADDRESS.fullmatch(url):
            raise ValueError(f"{url!r} is no address of a service: it begins with http:// or https://")
        return Settings(key, url.rstrip("/").removesuffix("/v1"), timeout, policy)

    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.api_key}", "User-Agent": f"landuse-api-python/{VERSION}"}

    def failure(self, error: httpx.RequestError) -> ConnectionFailure:
        if isinstance(error, httpx.TimeoutException):
            why = f"did not answer within {self.timeout:g} s"
        else:
            why = "cannot be reached" if isinstance(error, NOT_SENT) else "broke the answer off"
        return ConnectionFailure(f"{self.base_url} {why}", sent=not isinstance(error, NOT_SENT))


def _answer(response: httpx.Response, content: bytes) -> Answer:
    return Answer(response.status_code, {name.lower(): value for name, value in response.headers.items()}, content)


class SyncTransport:
    """Runs flows in the calling thread."""

    def __init__(self, settings: Settings, transport: httpx.BaseTransport | None) -> None:
        self.settings = settings
        self._http = httpx.Client(headers=settings.headers(), timeout=settings.timeout, transport=transport)

    def close(self) -> None:
        self._http.close()

    def run(self, flow: Flow[T]) -> T:
        try:
            step = next(flow)
            while True:
                if isinstance(step, Pause):
                    time.sleep(step.seconds)
                    step = flow.send(None)
                    continue
                try:
                    answer = self._send(step)
                except httpx.RequestError as error:
                    failure = self.settings.failure(error)
                    failure.__cause__ = error
                    step = flow.throw(failure)
                else:
                    step = flow.send(answer)
        except StopIteration as end:
            result: T = end.value
            return result
        finally:
            flow.close()

    def _send(self, step: Send) -> Answer:
        url = f"{self.settings.base_url}{step.request.path}"
        with self._http.stream(step.request.method, url, **_rest(step.request)) as response:
            if step.sink is None or not response.is_success:
                return _answer(response, response.read())
            for piece in response.iter_raw():
                step.sink(response.status_code, piece)
            return _answer(response, b"")

    def ask(self, operation: str, path: Mapping[str, object], values: Mapping[str, object], options: Options) -> Any:
        return self.run(ask(self.settings.policy, operation, path, values, options))

    def read(self, operation: str, path: Mapping[str, object], values: Mapping[str, object], options: Options) -> bytes:
        return self.run(read(self.settings.policy, operation, path, values, options))

    def iterate(self, operation: str, path: Mapping[str, object], values: Mapping[str, object], options: Options) -> Iterator[Any]:
        following: Mapping[str, object] | None = values
        number = 0
        while following is not None:
            number += 1
            answer = self.ask(operation, path, following, page_options(options, number))
            yield from answer["data"]
            following = next_page(following, answer)


class AsyncTransport:
    """Runs flows in the event loop, which writes to files block briefly."""

    def __init__(self, settings: Settings, transport: httpx.AsyncBaseTransport | None) -> None:
        self.settings = settings
        self._http = httpx.AsyncClient(headers=settings.headers(), timeout=settings.timeout, transport=transport)

    async def close(self) -> None:
        await self._http.aclose()

    async def run(self, flow: Flow[T]) -> T:
        try:
            step = next(flow)
            while True:
                if isinstance(step, Pause):
                    await asyncio.sleep(step.seconds)
                    step = flow.send(None)
                    continue
                try:
                    answer = await self._send(step)
                except httpx.RequestError as error:
                    failure = self.settings.failure(error)
                    failure.__cause__ = error
                    step = flow.throw(failure)
                else:
                    step = flow.send(answer)
        except StopIteration as end:
            result: T = end.value
            return result
        finally:
            flow.close()

    async def _send(self, step: Send) -> Answer:
        url = f"{self.settings.base_url}{step.request.path}"
        async with self._http.stream(step.request.method, url, **_rest(step.request)) as response:
            if step.sink is None or not response.is_success:
                return _answer(response, await response.aread())
            async for piece in response.aiter_raw():
                step.sink(response.status_code, piece)
            return _answer(response, b"")

    async def ask(self, operation: str, path: Mapping[str, object], values: Mapping[str, object], options: Options) -> Any:
        return await self.run(ask(self.settings.policy, operation, path, values, options))

    async def read(self, operation: str, path: Mapping[str, object], values: Mapping[str, object], options: Options) -> bytes:
        return await self.run(read(self.settings.policy, operation, path, values, options))

    async def iterate(
        self, operation: str, path: Mapping[str, object], values: Mapping[str, object], options: Options
    ) -> AsyncIterator[Any]:
        following: Mapping[str, object] | None = values
        number = 0
        while following is not None:
            number += 1
            answer = await self.ask(operation, path, following, page_options(options, number))
            for one in answer["data"]:
                yield one
            following = next_page(following, answer)


def _rest(request: Request) -> dict[str, Any]:
    return {"headers": dict(request.headers), "content": request.content}
