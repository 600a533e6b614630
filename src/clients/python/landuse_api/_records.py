"""The columns of a table of records, from the schema of a record, which is generated from the OpenAPI document by "npm run openapi"."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any, cast

from ._options import Representation


def record_schema(representation: Representation) -> dict[str, Any]:
    """JSON Schema of a record."""
    text = resources.files(__package__).joinpath("record_schemas.json").read_text(encoding="utf-8")
    return cast("dict[str, Any]", json.loads(text)[representation])


def type_of(field: dict[str, Any]) -> str:
    """The JSON type of a field without null, or the format of a date or time."""
    types = field["type"] if isinstance(field["type"], list) else [field["type"]]
    (name,) = [one for one in types if one != "null"]
    return str(field["format"]) if field.get("format") in ("date", "date-time") else str(name)
