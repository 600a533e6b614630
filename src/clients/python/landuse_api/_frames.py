"""Records as a table of pandas (`pip install 'landuse-api[pandas]'`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped, unused-ignore]

TIMES = {"lastUpdated": True, "meetingDate": False}
"""Columns that become times, and whether they have a time zone"""


def to_pandas(records: Iterable[Mapping[str, Any]]) -> pandas.DataFrame:
    """A row for each record and a column for each field, with times converted; lists and objects are unchanged. Raises ImportError without pandas."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError("to_pandas needs pandas: pip install 'landuse-api[pandas]'") from error
    frame: pandas.DataFrame = pandas.DataFrame.from_records([dict(record) for record in records])
    for name, zoned in TIMES.items():
        if name in frame.columns:
            frame[name] = pandas.to_datetime(frame[name], utc=zoned)
    return frame
