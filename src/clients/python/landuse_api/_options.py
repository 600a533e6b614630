"""Keyword arguments that the clients' own methods share, and how they are split from the values of a request."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from ._errors import SearchTooWide
from ._generated import Filters, Notify, SearchProjectsQuery, SyncProjectsQuery
from ._resource import Options

if sys.version_info >= (3, 11):
    from typing import NotRequired
elif TYPE_CHECKING:
    from typing_extensions import NotRequired


Representation = Literal["compact", "standard", "full"]


class WalkOptions(TypedDict):
    max_credits: NotRequired[int | None]
    """Highest price of each page; above it the page is refused, and nothing is charged"""
    idempotency_key: NotRequired[str | None]
    """Your own key; the number of each page is appended: `mine:1`"""


class SearchArguments(SearchProjectsQuery, WalkOptions):
    """Filters, order and size of the pages of a search."""


class SyncArguments(SyncProjectsQuery, WalkOptions):
    """Filters and size of the pages of a walk."""


class QuestionArguments(TypedDict):
    """Options of an AI search in addition to its question."""

    filters: NotRequired[Filters]
    limit: NotRequired[int]
    """Most records; default 25"""
    offset: NotRequired[int]
    """Confirmed records to skip"""
    maxContactCredits: NotRequired[int]
    include: NotRequired[str]
    notify: NotRequired[Notify]


def split(arguments: dict[str, Any]) -> tuple[dict[str, Any], Options]:
    """Splits keyword arguments into values of a request and options."""
    values = {name: value for name, value in arguments.items() if name not in ("max_credits", "idempotency_key")}
    return values, Options(arguments.get("max_credits"), arguments.get("idempotency_key"))


def with_derived(values: Mapping[str, Any]) -> dict[str, Any]:
    """Full records are asked for with what the service reads from them."""
    if values.get("representation") != "full":
        return dict(values)
    asked = values.get("include")
    return {**values, "include": f"{asked},derived" if asked else "derived"}


def after_page(values: dict[str, Any], meta: Any) -> dict[str, Any] | None:
    """The values of the next page of a search; None after the last. Raises SearchTooWide if more match than a search reaches."""
    offset = int(values.get("offset") or 0)
    if not meta["hasMore"] or meta["total"] == offset:
        if not meta["matchCountIsExact"]:
            raise SearchTooWide(f"A search reaches {meta['total']} records, and more match: narrow it, or use sync")
        return None
    # Under deliveryMode=new delivered records leave the match set, so the next page is the first one again.
    return values if values.get("deliveryMode") == "new" else {**values, "offset": meta["total"]}
