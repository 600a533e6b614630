"""Keyword arguments that the clients' own methods share, and how they are split from the values of a request."""

from __future__ import annotations

import sys
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
    """What each page may cost at most: where it costs more it is refused, and nothing is charged"""
    idempotency_key: NotRequired[str | None]
    """One of your own; the number of each page is added to it: `mine:1`"""


class SearchArguments(SearchProjectsQuery, WalkOptions):
    """Filters, order and size of the pages of a search."""


class SyncArguments(SyncProjectsQuery, WalkOptions):
    """Filters and size of the pages of a walk."""


class QuestionArguments(TypedDict):
    """What an AI search takes beside its question."""

    filters: NotRequired[Filters]
    limit: NotRequired[int]
    """Records at most; default 25"""
    offset: NotRequired[int]
    """Confirmed records to pass over"""
    maxContactCredits: NotRequired[int]
    include: NotRequired[str]
    notify: NotRequired[Notify]


def split(arguments: dict[str, Any]) -> tuple[dict[str, Any], Options]:
    """The values of a request, and the options beside them."""
    values = {name: value for name, value in arguments.items() if name not in ("max_credits", "idempotency_key")}
    return values, Options(arguments.get("max_credits"), arguments.get("idempotency_key"))


def after_page(values: dict[str, Any], meta: Any) -> dict[str, Any] | None:
    """The values of the page of a search after this one; None behind the last. Raises SearchTooWide where more match than a search reaches."""
    offset = int(values.get("offset") or 0)
    if not meta["hasMore"] or not meta["pageCount"]:
        if not meta["matchCountIsExact"]:
            raise SearchTooWide(f"A search reaches {offset + meta['pageCount']} records, and more match: narrow it, or use sync")
        return None
    # What was delivered has left the set under deliveryMode=new: its next page is the first again.
    return values if values.get("deliveryMode") == "new" else {**values, "offset": offset + meta["pageCount"]}
