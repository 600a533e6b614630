"""Makes the request of an operation, and says when it may be retried: with one Idempotency-Key for all attempts."""

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

import httpx

from ._errors import ConnectionFailure, Refusal
from ._generated import REFUSALS, ROUTES
from ._resource import Options

PASSING = frozenset(
    {
        "rate_limit_exceeded",
        "rate_limiter_unavailable",
        "request_timeout",
        "service_unavailable",
        "search_unavailable",
        "delivery_ledger_unavailable",
        "enrichment_ledger_unavailable",
        "idempotency_in_flight",
        "internal_error",
    }
)
"""Error codes after which a retry may succeed. Nothing was done or charged."""
GATEWAYS = frozenset({429, 502, 503, 504})
"""HTTP status codes of gateways in front of the service"""
FIRST_WAIT_SECONDS = 0.25
LONGEST_BACKOFF_SECONDS = 8.0


@dataclass(frozen=True)
class Retry:
    """A failed attempt, and the wait before the next one."""

    attempt: int
    wait_seconds: float
    error: Refusal | ConnectionFailure


@dataclass(frozen=True)
class Policy:
    """How often and how long a request is retried."""

    retries: int = 5
    wait_max_seconds: float = 65.0
    on_retry: Callable[[Retry], None] | None = None

    def wait_before(self, attempt: int, error: Refusal | ConnectionFailure) -> float | None:
        """Seconds before the next attempt: what the service asks for, or exponential backoff with jitter; None if that is too often or too long."""
        if attempt > self.retries:
            return None
        backoff = min(FIRST_WAIT_SECONDS * 2 ** (attempt - 1), LONGEST_BACKOFF_SECONDS) * (0.5 + random.random() / 2)
        wait = backoff if error.retry_after is None else error.retry_after
        return wait if wait <= self.wait_max_seconds else None


@dataclass(frozen=True)
class Request:
    """One attempt of a request."""

    method: str
    path: str
    """Path from the root of the service, with the query"""
    headers: Mapping[str, str]
    content: bytes | None = None


def as_text(value: object) -> str:
    """The text of a value. Lists and objects are sent as JSON, so that a name with a comma stays one value."""
    if isinstance(value, (list, tuple, dict, bool)):
        return json.dumps(value, separators=(",", ":"))
    return str(value)


def sent_name(name: str) -> str:
    """The service's name of a value; in Python, names that are keywords end with an underscore."""
    return name[:-1] if name.endswith("_") and keyword.iskeyword(name[:-1]) else name


def prepare(operation: str, path: Mapping[str, object], values: Mapping[str, object], options: Options) -> Request:
    """Makes the request of an operation, equal for all attempts."""
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
    # A repeated read is free, except under deliveryMode=new, where delivered records leave the match set.
    needs_key = route.method != "GET" or values.get("deliveryMode") == "new"
    key = options.idempotency_key or (secrets.token_hex(16) if needs_key else None)
    if route.idempotent and key:
        headers["Idempotency-Key"] = key
    if options.max_credits is not None:
        headers["X-Service-Max-Credits"] = str(options.max_credits)
    if options.request_id is not None:
        headers["X-Request-Id"] = options.request_id
    return Request(route.method, at, headers, content)


def _seconds(text: str | None) -> float | None:
    return float(text) if text is not None and re.fullmatch(r"\d+(\.\d+)?", text) else None


def error_of(answer: httpx.Response) -> Refusal | ConnectionFailure:
    """The refusal in an answer, or a ConnectionFailure if something else has answered."""
    retry_after = _seconds(answer.headers.get("retry-after"))
    try:
        body = json.loads(answer.content)["error"]
        return REFUSALS.get(body["code"], Refusal)(answer.status_code, body, retry_after)
    except (ValueError, KeyError, TypeError):
        message = f"The address answers {answer.status_code}, and not as this service does"
        return ConnectionFailure(message, status=answer.status_code, retry_after=retry_after)


def may_pass(error: Refusal | ConnectionFailure) -> bool:
    if isinstance(error, Refusal):
        return error.code in PASSING
    return error.status is None or error.status in GATEWAYS


def page_options(options: Options, number: int) -> Options:
    """The options of a page. Each page needs its own key, since the second would otherwise be a repetition of the first."""
    key = options.idempotency_key and f"{options.idempotency_key}:{number}"
    return Options(options.max_credits, key, options.request_id)


def next_page(values: Mapping[str, object], answer: Any) -> dict[str, object] | None:
    """The values of the next page; None after the last one."""
    meta = answer["meta"]
    if not meta["hasMore"] or not answer["data"]:
        return None
    if meta.get("nextBefore") is not None:
        return {**values, "before": meta["nextBefore"]}
    offset = values.get("offset")
    return {**values, "offset": (offset if isinstance(offset, int) else 0) + len(answer["data"])}
