"""The exceptions of this client."""

from __future__ import annotations

from typing import Any


class LandUseError(Exception):
    """Base class of this client's exceptions."""


class Refusal(LandUseError):
    """The service refused the request, and charged nothing. Each code has a class of its own: `except InsufficientCredits`."""

    code: str
    status: int
    """HTTP status"""
    param: str | None
    """The parameter, header or field that caused the refusal"""
    details: Any
    """Figures and lists, depending on the code"""
    request_id: str
    """Include it when you ask for help"""
    docs_url: str
    """URL of the page about the error, with cause and remedy"""
    retry_after: float | None
    """Seconds after which the request may be repeated"""

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
    """The service did not answer: it is down or unreachable, the connection broke, or something else answered."""

    def __init__(self, message: str, *, status: int | None = None, sent: bool = True, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.status = status
        """HTTP status, if something else than the service answered"""
        self.sent = sent
        """Whether the service may have received the request"""
        self.retry_after = retry_after


class JobFailure(LandUseError):
    """A job ended without a result; `job` is its last state."""

    def __init__(self, message: str, job: Any) -> None:
        super().__init__(message)
        self.job = job


class WaitTimeout(LandUseError, TimeoutError):
    """A job was not settled within the timeout. It continues, and can be waited for again."""


class SearchTooWide(LandUseError):
    """More records match than a search reaches: add filters, or use sync, which reads them all."""


class DownloadDamaged(LandUseError):
    """A complete file has another digest than the service states."""


class CopyError(LandUseError):
    """A copy cannot be continued; the message contains the remedy."""


class CopyOutOfDate(CopyError):
    """The service no longer accepts the copy's cursor: rebuild it with `rebuild=True`. Records that your team holds unchanged are free."""


class WebhookRejected(LandUseError, ValueError):
    """A message that this service did not send, or that is too old."""
