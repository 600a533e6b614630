"""Where an operation is, and the options of its calls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Route(NamedTuple):
    """An operation: its method and path."""

    method: str
    path: str
    idempotent: bool
    """Accepts an Idempotency-Key"""
    has_body: bool
    """Its values are sent in the body instead of the query"""


@dataclass(frozen=True)
class Options:
    """Options of a call in addition to its values."""

    max_credits: int | None = None
    """Highest price of the call; above it the call is refused, and nothing is charged"""
    idempotency_key: str | None = None
    """Your own key, with which a later process can repeat the request; by default each call that accepts one makes a new one"""
    request_id: str | None = None
    """Becomes the request id"""
