# Made from _async_transport.py by "npm run openapi"; changes by hand are lost.
"""Sends requests over httpx, and retries them after the waits that the service asks for."""

from __future__ import annotations

import time
import json
from collections.abc import Iterator, Callable, Mapping
from typing import Any

import httpx

from ._errors import ConnectionFailure, Refusal
from ._requests import Request, Retry, error_of, may_pass, next_page, page_options, prepare
from ._resource import Options
from ._settings import Settings

Sink = Callable[[int, bytes], None]
"""Takes the body of a 2xx answer piece by piece, with its status"""


class Transport:
    def __init__(self, settings: Settings, transport: httpx.BaseTransport | None) -> None:
        self.settings = settings
        self._http = httpx.Client(headers=settings.headers(), timeout=settings.timeout, transport=transport)

    def close(self) -> None:
        self._http.close()

    def pause(self, seconds: float) -> None:
        time.sleep(seconds)

    def send(self, make: Callable[[], Request], sink: Sink | None = None) -> httpx.Response:
        """Sends a request until a 2xx answer. `make` makes the request of each attempt. Raises Refusal and ConnectionFailure."""
        policy = self.settings.policy
        attempt = 0
        while True:
            attempt += 1
            error: Refusal | ConnectionFailure
            try:
                answer = self._attempt(make(), sink)
                if answer.is_success:
                    return answer
                error = error_of(answer)
            except ConnectionFailure as failure:
                error = failure
            wait = policy.wait_before(attempt, error) if may_pass(error) else None
            if wait is None:
                raise error
            if policy.on_retry:
                policy.on_retry(Retry(attempt, wait, error))
            self.pause(wait)

    def _attempt(self, request: Request, sink: Sink | None) -> httpx.Response:
        url = f"{self.settings.base_url}{request.path}"
        try:
            with self._http.stream(request.method, url, headers=dict(request.headers), content=request.content) as response:
                if sink is None or not response.is_success:
                    response.read()
                else:
                    for piece in response.iter_raw():
                        sink(response.status_code, piece)
                return response
        except httpx.RequestError as error:
            raise self.settings.failure(error) from error

    def read(self, operation: str, path: Mapping[str, object], values: Mapping[str, object], options: Options) -> bytes:
        """Calls an operation. Returns the bytes of its answer."""
        request = prepare(operation, path, values, options)
        return (self.send(lambda: request)).content

    def ask(self, operation: str, path: Mapping[str, object], values: Mapping[str, object], options: Options) -> Any:
        """Calls an operation. Returns its answer, parsed as JSON."""
        content = self.read(operation, path, values, options)
        try:
            return json.loads(content)
        except ValueError as error:
            raise ConnectionFailure("The address answers something other than JSON, and not as this service does") from error

    def iterate(
        self, operation: str, path: Mapping[str, object], values: Mapping[str, object], options: Options
    ) -> Iterator[Any]:
        """Calls an operation that answers a page of a list until the last page. Yields the items."""
        following: Mapping[str, object] | None = values
        number = 0
        while following is not None:
            number += 1
            answer = self.ask(operation, path, following, page_options(options, number))
            for one in answer["data"]:
                yield one
            following = next_page(following, answer)
