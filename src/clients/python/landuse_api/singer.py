"""A Singer tap (`pip install 'landuse-api[singer]'`, then `tap-landuse`): without a state it extracts a snapshot, with one the changes and removals since."""

# mypy: disable-error-code="import-not-found, misc, untyped-decorator"
# The tools are optional extras, so types are checked without them.

from __future__ import annotations

import json
import logging
import sqlite3
import sys
from collections.abc import Iterable, Mapping
from datetime import datetime, timezone
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from ._errors import LandUseError
from ._following import REPRESENTATIONS, Following, Selection, explain
from ._generated_client import LandUse
from ._records import record_schema

try:
    from singer_sdk import Stream, Tap
    from singer_sdk import typing as th
    from singer_sdk.exceptions import ConfigValidationError
    from singer_sdk.helpers._typing import TypeConformanceLevel
except ImportError as error:
    raise ImportError("The tap needs singer-sdk: pip install 'landuse-api[singer]'") from error

DELETED_AT = "_sdc_deleted_at"


class _LastValues:
    """What the tap said last of each record: targets set columns that a row lacks to null, so that the row of a removed record would lose its values."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @cached_property
    def _database(self) -> sqlite3.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        database = sqlite3.connect(self._path)
        database.execute("create table if not exists record (id integer primary key, line text not null)")
        return database

    def keep(self, records: Iterable[dict[str, Any]]) -> None:
        with self._database:
            self._database.executemany("insert or replace into record values (?, ?)", ((one["id"], json.dumps(one)) for one in records))

    def take(self, id: int) -> dict[str, Any]:
        """The record; only its id where another machine ran the tap before."""
        found = self._database.execute("select line from record where id = ?", (id,)).fetchone()
        return {"id": id, **(json.loads(found[0]) if found else {})}


class ProjectsStream(Stream):
    """Projects, by id. A removed record has its last values and the time in `_sdc_deleted_at`. Each snapshot is a new table version; the message
    ACTIVATE_VERSION after it tells the target to delete the rows of earlier versions."""

    name = "projects"
    primary_keys: ClassVar[list[str]] = ["id"]
    TYPE_CONFORMANCE_LEVEL = TypeConformanceLevel.NONE

    def __init__(self, tap: Tap) -> None:
        super().__init__(tap)
        self.forced_replication_method = "LOG_BASED"

    @property
    def schema(self) -> dict[str, Any]:
        made = record_schema(self.config.get("representation", "standard"))
        properties = {name: _nullable(field) for name, field in made["properties"].items()}
        properties["id"] = made["properties"]["id"]
        properties[DELETED_AT] = {"type": ["string", "null"], "format": "date-time"}
        return {"type": "object", "properties": properties}

    def get_records(self, context: Mapping[str, Any] | None) -> Iterable[dict[str, Any]]:  # noqa: ARG002
        following = _following(self.config)
        last = _LastValues(following.folder.with_suffix(".sqlite"))
        state = self.stream_state
        if state.get("cursor"):
            following.resume(state["selection"])
            self._stream_version = state["version"]
        else:
            yield from self._snapshot(following, last)
        for page in following.changes(state.get("cursor")):
            moment = datetime.now(timezone.utc).isoformat()
            yield from ({**last.take(gone["id"]), DELETED_AT: gone.get("at") or moment} for gone in page.removed)
            last.keep(page.records)
            yield from page.records
            self._keep(cursor=page.cursor)

    def _snapshot(self, following: Following, last: _LastValues) -> Iterable[dict[str, Any]]:
        version = int(datetime.now(timezone.utc).timestamp())
        self._stream_version = version
        taken = following.snapshot()
        cursor = None
        if taken is not None:
            cursor, batches = taken
            for records in batches:
                last.keep(records)
                yield from records
        self._write_activate_version_message(version)
        self._keep(cursor=cursor, selection=following.name, version=version)

    def _keep(self, **values: Any) -> None:
        """Writes a state: all records before it are complete."""
        self.stream_state.update(values)
        self.state_manager.is_flushed = False
        self._write_state_message()


class TapLandUse(Tap):
    """Projects of the Land Use Intelligence API."""

    name = "tap-landuse"
    package_name = "landuse-api"
    config_jsonschema = th.PropertiesList(
        th.Property("api_key", th.StringType, required=True, secret=True, description="Key of the service"),
        th.Property("base_url", th.StringType, description="Root of the service, where it is not the one that handed the package out"),
        th.Property("filters", th.ObjectType(additional_properties=True), description="Filters by their names in a search, such as states and dateRange"),
        th.Property(
            "representation", th.StringType, allowed_values=list(REPRESENTATIONS), default="standard", description="How much of a record is brought"
        ),
        th.Property("max_credits", th.IntegerType, description="What the snapshot, and each page of changes, may cost at most"),
        th.Property("snapshot_folder", th.StringType, description="Where files of a snapshot are kept until they are loaded, and last values beside it; the user's cache by default"),
    ).to_dict()

    def discover_streams(self) -> list[Stream]:
        return [ProjectsStream(self)]


def _nullable(field: dict[str, Any]) -> dict[str, Any]:
    types = field["type"] if isinstance(field["type"], list) else [field["type"]]
    return {**field, "type": [*types, *([] if "null" in types else ["null"])]}


def _following(config: Mapping[str, Any]) -> Following:
    api = LandUse(config["api_key"], config.get("base_url"))
    selection = Selection(config.get("representation", "standard"), config.get("filters") or {})
    return Following(api, selection, folder=config.get("snapshot_folder"), max_credits=config.get("max_credits"))


def main() -> None:
    """The command `tap-landuse`: errors are one message on standard error, with exit code 1."""
    logging.getLogger("httpx").setLevel(logging.WARNING)  # URLs of pages contain cursors
    try:
        TapLandUse.cli()
    except (LandUseError, ConfigValidationError, ValueError) as error:
        sys.exit(f"tap-landuse: {explain(error)}")


if __name__ == "__main__":
    main()
