"""A source for dlt (`pip install 'landuse-api[dlt]'`): the first run of a pipeline loads a snapshot, each later one the changes and removals since."""

# mypy: disable-error-code="import-not-found, misc, untyped-decorator"
# The tools are optional extras, so types are checked without them.

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ._errors import LandUseError
from ._following import Following, Selection, explain
from ._generated_client import LandUse
from ._records import record_schema, type_of

try:
    import dlt
    from dlt.common.configuration.exceptions import ConfigurationValueError
except ImportError as error:
    raise ImportError("The source needs dlt: pip install 'landuse-api[dlt]'") from error

if TYPE_CHECKING:
    from dlt.common.schema.typing import TColumnSchema

    from ._generated import Removed
    from ._options import Representation

TABLE = "projects"
DELETED = "_deleted"
POSITION = "_position"
VERSION = "_version"
COLUMN_TYPES = {
    "string": "text",
    "integer": "bigint",
    "number": "double",
    "boolean": "bool",
    "date": "date",
    "date-time": "timestamp",
    "array": "json",
    "object": "json",
}


@dlt.source(name="landuse", max_table_nesting=0)
def landuse(
    filters: dict[str, Any] | None = None,
    representation: Representation = "standard",
    api_key: dlt.TSecretStrValue | None = None,
    base_url: str | None = None,
    max_credits: int | None = None,
    snapshot_folder: str | None = None,
    rebuild: bool = False,
    history: bool = False,
) -> Any:
    """The table `projects`: a row for each record that the filters select, with a column for each field; lists and objects are JSON.

    `api_key` and `base_url` come from the configuration of dlt (`SOURCES__LANDUSE__API_KEY`), or from LANDUSE_KEY and LANDUSE_URL. `max_credits` is what the
    snapshot, and each page of changes, may cost at most. Rows that went are deleted. `rebuild` loads a new snapshot in place of the table: after the licence or
    the filters have changed; what is held unchanged is free. `history` keeps every version of a row (the strategy `scd2` of dlt): a removed record gets a last
    version with `_deleted`. With both, versions stay: unchanged ones go on, and those of records that the snapshot lacks end.
    """
    try:
        api = LandUse(api_key, base_url)
        following = Following(api, Selection(representation, filters or {}), folder=snapshot_folder, max_credits=max_credits)
    except (LandUseError, ValueError) as error:
        raise ConfigurationValueError(f"The source landuse cannot be used: {error}. dlt looks for api_key in [sources.landuse] of secrets.toml") from None
    return _projects(following, representation, rebuild, history)


def columns_of(representation: Representation, history: bool = False) -> dict[str, TColumnSchema]:
    """Columns of the table; all but `id` may be null, since the row of a removed record has no other value."""
    fields = record_schema(representation)["properties"]
    columns: dict[str, Any] = {name: {"data_type": COLUMN_TYPES[type_of(field)], "nullable": True} for name, field in fields.items()}
    columns["id"]["nullable"] = False
    if history:
        columns[DELETED] = {"data_type": "bool", "nullable": True}
        columns[VERSION] = {"data_type": "text", "nullable": False}
        return columns
    columns[DELETED] = {"data_type": "bool", "nullable": True, "hard_delete": True}
    columns[POSITION] = {"data_type": "bigint", "nullable": True, "dedup_sort": "desc"}
    return columns


def _projects(following: Following, representation: Representation, rebuild: bool, history: bool) -> Any:
    if history:
        return _versions(following, representation, rebuild)

    @dlt.resource(name=TABLE, primary_key="id", write_disposition="merge", columns=columns_of(representation))
    def projects() -> Iterator[Any]:
        state = dlt.current.resource_state()
        try:
            if rebuild or not state.get("cursor"):
                yield from _snapshot(following, state)
            else:
                following.resume(state["selection"])
                yield from _changes(following, state, state["cursor"])
        except LandUseError as error:
            raise SourceError(explain(error)) from None

    return projects


def _versions(following: Following, representation: Representation, rebuild: bool) -> Any:
    strategy = {"disposition": "merge", "strategy": "scd2", "row_version_column_name": VERSION}
    columns = columns_of(representation, history=True)
    columns["id"]["merge_key"] = not rebuild  # without one dlt ends the versions of all ids that a run lacks

    @dlt.resource(name=TABLE, write_disposition=strategy, columns=columns)
    def projects() -> Iterator[Any]:
        state = dlt.current.resource_state()
        try:
            if state.get("cursor") and not rebuild:
                following.resume(state["selection"])
            else:
                state.clear()
                state["selection"] = following.name
                taken = following.snapshot()
                if taken is not None:
                    state["cursor"], batches = taken
                    for records in batches:
                        yield [_version(record) for record in records]
                    return
            newest: dict[int, dict[str, Any]] = {}  # a run stores one version of a record
            for page in following.changes(state.get("cursor")):
                newest.update((gone["id"], _last_version(gone)) for gone in page.removed)
                newest.update((record["id"], _version(record)) for record in page.records)
                state["cursor"] = page.cursor
            yield list(newest.values())
        except LandUseError as error:
            raise SourceError(explain(error)) from None

    return projects


def _version(record: dict[str, Any]) -> dict[str, Any]:
    return {**record, VERSION: f"{record['id']} {record['lastUpdated']}"}


def _last_version(gone: Removed) -> dict[str, Any]:
    return {"id": gone["id"], "lastUpdated": gone["at"], DELETED: True, VERSION: f"{gone['id']} removed {gone['at']}"}


class SourceError(LandUseError):
    """Why a run failed, in one message."""


def _snapshot(following: Following, state: dict[str, Any]) -> Iterator[Any]:
    state.clear()
    taken = following.snapshot()
    hints = dlt.mark.make_hints(write_disposition="replace")
    state.update(selection=following.name, position=0)
    if taken is None:
        yield dlt.mark.with_hints([], hints)  # the table is emptied
        yield from _changes(following, state, None)
        return
    cursor, batches = taken
    for records in batches:
        yield dlt.mark.with_hints(records, hints)
    state["cursor"] = cursor


def _changes(following: Following, state: dict[str, Any], cursor: str | None) -> Iterator[list[dict[str, Any]]]:
    """A record may change several times within a run; its last row counts."""
    for page in following.changes(cursor):
        rows: list[dict[str, Any]] = [{"id": gone["id"], DELETED: True} for gone in page.removed]
        rows.extend(page.records)
        for row in rows:
            state["position"] += 1
            row[POSITION] = state["position"]
        state["cursor"] = page.cursor
        if rows:
            yield rows
