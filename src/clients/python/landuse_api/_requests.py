"""One request of the service, repeated until it is answered: with the waits that the service asks for, and one Idempotency-Key for all attempts."""

from __future__ import annotations

import json
import keyword
import random
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from ._errors import ConnectionFailure, Refusal
from ._flow import Answer, Flow, Request, Sink, pause, send
from ._generated import REFUSALS, ROUTES
from ._resource import Options

PASSING = frozenset(
    {
        "rate_limit_exceeded",
        "rate_limiter_unavailable",
        "service_unavailable",
        "search_unavailable",
        "delivery_ledger_unavailable",
        "enrichment_ledger_unavailable",
        "idempotency_in_flight",
        "internal_error",
    }
)
"""Codes that another attempt may answer otherwise. Nothing was done or charged by any of them."""
GATEWAYS = frozenset({429, 502, 503, 504})
"""Of something that stands before the service"""
FIRST_WAIT_SECONDS = 0.25
LONGEST_BACKOFF_SECONDS = 8.0


@dataclass(frozen=True)
class Retry:
    """An attempt that failed, and when the next one starts."""

    attempt: int
    wait_seconds: float
    error: Refusal | ConnectionFailure


@dataclass(frozen=True)
class Policy:
    """How often and how long a request is repeated."""

    retries: int = 5
    wait_max_seconds: float = 65.0
    on_retry: Callable[[Retry], None] | None = None

    def wait_before(self, attempt: int, error: Refusal | ConnectionFailure) -> float | None:
        """What the service asks for, or twice as long each time with some chance in it; None where that is too often or too long."""
        if attempt > self.retries:
            return None
        backoff = min(FIRST_WAIT_SECONDS * 2 ** (attempt - 1), LONGEST_BACKOFF_SECONDS) * (0.5 + random.random() / 2)
        wait = backoff if error.retry_after is None else error.retry_after
        return wait if wait <= self.wait_max_seconds else None


@dataclass(frozen=True)
class Prepared:
    """A request whose every attempt is the same."""

    request: Request
    repeatable: bool
    """Whether it may be sent again where nobody knows if the service has done it already"""


def as_text(value: object) -> str:
    """Lists and objects travel as JSON: a name with a comma in it stays one value."""
    if isinstance(value, (list, tuple, dict, bool)):
        return json.dumps(value, separators=(",", ":"))
    return str(value)


def sent_name(name: str) -> str:
    """The name of a value as the service has it: in Python one that is a word of the language ends with an underscore."""
    return name[:-1] if name.endswith("_") and keyword.iskeyword(name[:-1]) else name


def prepare(operation: str, path: Mapping[str, object], values: Mapping[str, object], options: Options) -> Prepared:
    """An operation and what it takes as a request."""
    route = ROUTES[operation]
    values = {sent_name(name): value for name, value in values.items()}
    at = re.sub(r"\{(\w+)\}", lambda name: quote(str(path[name[1]]), safe=""), route.path)
    headers = {"Accept": "application/json"}
    content = None
    if route.has_body:
        if values:
            content = json.dumps(values, default=str).encode()
            headers["Content-Type"] = "application/json"
    else:
        query = urlencode([(name, as_text(value)) for name, value in values.items() if value is not None])
        at = f"{at}?{query}" if query else at
    # Reading again is free, unless what was delivered has left the set meanwhile.
    needs_key = route.method != "GET" or values.get("deliveryMode") == "new"
    key = options.idempotency_key or (secrets.token_hex(16) if needs_key else None)
    if route.idempotent and key:
        headers["Idempotency-Key"] = key
    if options.max_credits is not None:
        headers["X-Service-Max-Credits"] = str(options.max_credits)
    if options.request_id is not None:
        headers["X-Request-Id"] = options.request_id
    return Prepared(Request(route.method, at, headers, content), not route.makes or "Idempotency-Key" in headers)


def _seconds(text: str | None) -> float | None:
    return float(text) if text is not None and re.fullmatch(r"\d+(\.\d+)?", text) else None


def error_of(answer: Answer) -> Refusal | ConnectionFailure:
    """The refusal in an answer, or that something else has answered."""
    retry_after = _seconds(answer.headers.get("retry-after"))
    try:
        body = json.loads(answer.content)["error"]
        return REFUSALS.get(body["code"], Refusal)(answer.status, body, retry_after)
    except (ValueError, KeyError, TypeError):
        message = f"The address answers {answer.status}, and not as this service does"
        return ConnectionFailure(message, status=answer.status, retry_after=retry_after)


def _may_pass(error: Refusal | ConnectionFailure, repeatable: bool) -> bool:
    if isinstance(error, Refusal):
        return error.code in PASSING
    if error.status is not None and error.status not in GATEWAYS:
        return False
    return repeatable or not error.sent


def call(policy: Policy, make: Callable[[], Request], repeatable: bool, sink: Sink | None = None) -> Flow[Answer]:
    """A 2xx answer. @param make the request of each attempt. Raises Refusal and ConnectionFailure."""
    attempt = 0
    while True:
        attempt += 1
        error: Refusal | ConnectionFailure
        try:
            answer = yield from send(make(), sink)
            if 200 <= answer.status < 300:
                return answer
            error = error_of(answer)
        except ConnectionFailure as failure:
            error = failure
        wait = policy.wait_before(attempt, error) if _may_pass(error, repeatable) else None
        if wait is None:
            raise error
        if policy.on_retry:
            policy.on_retry(Retry(attempt, wait, error))
        yield from pause(wait)


def ask(policy: Policy, operation: str, path: Mapping[str, object], values: Mapping[str, object], options: Options) -> Flow[Any]:
    """The JSON that an operation answers."""
    answer = yield from read(policy, operation, path, values, options)
    try:
        return json.loads(answer)
    except ValueError as error:
        raise ConnectionFailure("The address answers something other than JSON, and not as this service does") from error


def read(policy: Policy, operation: str, path: Mapping[str, object], values: Mapping[str, object], options: Options) -> Flow[bytes]:
    """The bytes that an operation answers."""
    prepared = prepare(operation, path, values, options)
    answer = yield from call(policy, lambda: prepared.request, prepared.repeatable)
    return answer.content


def page_options(options: Options, number: int) -> Options:
    """Each page is a request of its own: under one key the second would be a repetition of the first."""
    key = options.idempotency_key and f"{options.idempotency_key}:{number}"
    return Options(options.max_credits, key, options.request_id)


def next_page(values: Mapping[str, object], answer: Any) -> dict[str, object] | None:
    """The values of the page after an answer; None behind the last one."""
    meta = answer["meta"]
    if not meta["hasMore"] or not answer["data"]:
        return None
    if meta.get("nextBefore") is not None:
        return {**values, "before": meta["nextBefore"]}
    offset = values.get("offset")
    return {**values, "offset": (offset if isinstance(offset, int) else 0) + len(answer["data"])}
