"""Verifies messages of webhooks (Standard Webhooks, HMAC-SHA256)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypedDict, cast

from ._errors import WebhookRejected

PREFIX = "whsec_"
KEY_BYTES_MIN = 16
TIMESTAMP_DIGITS_MAX = 12


class WebhookEvent(TypedDict):
    """An event: `data` contains ids, and a URL with the rest."""

    type: str
    timestamp: str
    data: dict[str, Any]


def _key(secret: str) -> bytes:
    problem = f"The secret is {PREFIX} and base64, as it was shown when the webhook was made"
    try:
        key = base64.b64decode(secret.removeprefix(PREFIX), validate=True)
    except binascii.Error as error:
        raise ValueError(problem) from error
    if len(key) < KEY_BYTES_MIN:  # an empty secret, under which anybody can sign
        raise ValueError(problem)
    return key


def _sent_at(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= TIMESTAMP_DIGITS_MAX):
        raise WebhookRejected("The message has no webhook-timestamp in seconds")
    return int(text)


def verify_webhook(
    body: bytes | str,
    headers: Mapping[str, str],
    secret: str,
    tolerance: float = 300,
    now: datetime | float | None = None,
) -> WebhookEvent:
    """Verifies a message of the service with the endpoint's secret, and returns its event.

    `body` is the body as it arrived, before any parsing; `headers` are those of the request, in any case; `tolerance` is in seconds, and bounds how
    old or how far ahead a message may be; `now` stands for the clock. Leave out a `webhook-id` that you have seen. Raises WebhookRejected.
    """
    given = {name.lower(): value for name, value in headers.items()}
    message_id, signatures = given.get("webhook-id"), given.get("webhook-signature")
    if not message_id or not signatures:
        raise WebhookRejected("The message has no webhook-id or no webhook-signature")
    timestamp = given.get("webhook-timestamp", "")
    sent_at = _sent_at(timestamp)
    content = body.encode() if isinstance(body, str) else body
    signed = b".".join([message_id.encode(errors="replace"), timestamp.encode(), content])
    expected = base64.b64encode(hmac.new(_key(secret), signed, hashlib.sha256).digest()).decode()
    fits = [hmac.compare_digest(f"v1,{expected}".encode(), one.encode(errors="replace")) for one in signatures.split(" ")]
    if not any(fits):
        raise WebhookRejected("No signature of the message fits the secret")
    clock = now.timestamp() if isinstance(now, datetime) else time.time() if now is None else now
    if abs(clock - sent_at) > tolerance:
        raise WebhookRejected(f"The message was signed {clock - sent_at:.0f} s ago; {tolerance:g} s are allowed")
    event = json.loads(content)
    if not isinstance(event, dict):
        raise WebhookRejected("The message is no event")
    return cast("WebhookEvent", event)
