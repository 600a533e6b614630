"""What can go wrong with a request, as exceptions."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, TypedDict

if sys.version_info >= (3, 11):
    from typing import NotRequired
elif TYPE_CHECKING:
    from typing_extensions import NotRequired


class LandUseError(Exception):
    """Everything that this client raises of its own."""


class Problem(TypedDict):
    """One thing that is wrong with a request."""

    param: str | None
    code: str
    message: str
    value: NotRequired[Any]
    didYouMean: NotRequired[str]
    nearest: NotRequired[list[str]]


class Problems(TypedDict):
    problems: list[Problem]
    creditsRequired: NotRequired[int]
    """Where the request costs more than its `max_credits`."""


class Quote(TypedDict):
    """What a refused page would have cost."""

    matchCount: int
    matchCountIsExact: bool
    creditRate: int
    creditsRequired: int
    creditsRemaining: int
    affordableRecordCount: int
    countUrl: str


class Quoted(TypedDict):
    quote: Quote


class Recovery(TypedDict):
    recovery: str


class DeniedPlace(TypedDict):
    id: int
    name: str


class PlacesDenied(TypedDict):
    deniedStates: NotRequired[list[DeniedPlace]]
    allowedStates: NotRequired[list[DeniedPlace]]


class JobsWaiting(TypedDict):
    """Of requests a minute; or, with `waiting`, of the jobs of a kind that a team may have waiting."""

    limit: int
    retryAfterSeconds: NotRequired[int]
    resetsAt: NotRequired[str]
    waiting: NotRequired[int]


class RunsUsed(TypedDict):
    limit: int
    used: int
    resetsAt: str


class Refusal(LandUseError):
    """The service said no, and charged nothing. Each code has a class of its own: `except InsufficientCredits`."""

    code: str
    status: int
    """HTTP status"""
    param: str | None
    """The parameter, header or field that is at fault"""
    details: Any
    """Figures and lists, by the code"""
    request_id: str
    """Send it along when you ask for help"""
    docs_url: str
    """The error with its cause and remedy"""
    retry_after: float | None
    """Seconds after which the service would have the request repeated"""

    def __init__(self, status: int, body: dict[str, Any], retry_after: float | None = None) -> None:
        super().__init__(f"{body['code']}: {body.get('message', '')}")
        self.code = body["code"]
        self.status = status
        self.param = body.get("param")
        self.details = body.get("details")
        self.request_id = body.get("requestId", "")
        self.docs_url = body.get("docsUrl", "")
        self.retry_after = retry_after


class ConnectionFailure(LandUseError):
    """No answer of the service came: it is down, out of reach, broke the answer off, or something else answers in its place."""

    def __init__(self, message: str, *, status: int | None = None, sent: bool = True, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.status = status
        """HTTP status, where something answered that is not the service"""
        self.sent = sent
        """Whether the service may have got the request"""
        self.retry_after = retry_after


class JobFailure(LandUseError):
    """A job that ended without its result; `job` is what the service says of it."""

    def __init__(self, message: str, job: Any) -> None:
        super().__init__(message)
        self.job = job


class WaitTimeout(LandUseError, TimeoutError):
    """A job had not settled within the time that was given; it goes on, and can be waited for again."""


class SearchTooWide(LandUseError):
    """More records match than a search reaches: narrow it, or use sync, which brings them all."""


class DownloadDamaged(LandUseError):
    """A file that came whole and has another digest than the service says."""


class CopyError(LandUseError):
    """A copy that cannot go on; the message names the remedy."""


class CopyOutOfDate(CopyError):
    """A copy whose cursor the service takes no longer: build it again with `rebuild=True`. Records that are held unchanged are free."""


class WebhookRejected(LandUseError, ValueError):
    """A message that this service did not send, or one that is too old."""
