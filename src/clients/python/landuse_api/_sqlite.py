"""A copy in a SQLite database: the table `records`, and the view `projects` with a column for each field. A page and its cursor are one transaction."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ._copies import SyncPage, refuse_other_source
from ._errors import CopyError
from ._generated import CompactProject, FullProject, StandardProject

FORMAT = 1
FIELDS = {"compact": CompactProject, "standard": StandardProject, "full": FullProject}
SCHEMA = """
create table records (id integer primary key, record text not null, walk integer not null);
create table sync_state (
  format integer not null, url text not null, query text not null, cursor text,
  walk integer not null, building integer not null
);
"""


class SqliteCopy:
    """Opens the copy. Raises CopyError with a remedy if the database is not this copy."""

    def __init__(self, path: Path, url: str, query: Mapping[str, object], rebuild: bool) -> None:
        self.name = str(path)
        self._path = path
        self._is_new_file = not path.exists()
        self._query = json.dumps(query, sort_keys=True, default=str)
        self._database = sqlite3.connect(path, isolation_level=None)
        try:
            with self._transaction():
                self.cursor, self._walk, self._building = self._opened(url, rebuild)
                self._make_view(str(query.get("representation", "standard")))
        except sqlite3.DatabaseError as error:
            self.close()
            raise CopyError(f"{path} cannot be used as a copy: {error}") from error
        except BaseException:
            self.close()
            raise

    def _transaction(self) -> _Transaction:
        return _Transaction(self._database)

    def _tables(self) -> set[str]:
        return {name for (name,) in self._database.execute("select name from sqlite_master where name in ('records', 'sync_state', 'projects')")}

    def _opened(self, url: str, rebuild: bool) -> tuple[str | None, int, bool]:
        """The cursor, the number of the walk, and whether the first walk has not ended yet."""
        tables = self._tables()
        if "sync_state" not in tables:
            if tables:
                raise CopyError(f"{self._path} has a table {min(tables)} that sync did not make: take another file")
            for statement in SCHEMA.split(";"):
                self._database.execute(statement)
            self._database.execute("insert into sync_state values (?, ?, ?, null, 1, 1)", (FORMAT, url, self._query))
            return None, 1, True
        row = self._database.execute("select format, url, query, cursor, walk, building from sync_state").fetchone()
        if row is None or row[0] != FORMAT:
            raise CopyError(f"{self._path} was written by another version of this client: take another file")
        _, kept_url, kept_query, cursor, walk, building = row
        if rebuild:
            self._database.execute(
                "update sync_state set url = ?, query = ?, cursor = null, walk = walk + 1, building = 1", (url, self._query)
            )
            return None, walk + 1, True
        refuse_other_source(self._path, (kept_url, json.loads(kept_query)), (url, json.loads(self._query)))
        return cursor, walk, bool(building)

    def _make_view(self, representation: str) -> None:
        names = [name for name in FIELDS[representation].__annotations__ if name != "id"]
        columns = ", ".join(f"json_extract(record, '$.{name}') as \"{name}\"" for name in names)
        self._database.execute("drop view if exists projects")
        self._database.execute(f"create view projects as select id, {columns} from records")

    def add(self, page: SyncPage[Any]) -> None:
        rows = [(record["id"], json.dumps(record, separators=(",", ":")), self._walk) for record in page.records]
        with self._transaction():
            moved = self._database.execute(
                "update sync_state set cursor = ? where cursor is ? and walk = ?", (page.cursor, self.cursor, self._walk)
            )
            if moved.rowcount != 1:
                raise CopyError(f"Another process has moved {self._path} on meanwhile: run one at a time")
            self._database.executemany("delete from records where id = ?", [(gone["id"],) for gone in page.removed])
            self._database.executemany(
                "insert into records values (?, ?, ?) on conflict (id) do update set record = excluded.record, walk = excluded.walk", rows
            )
            if not page.has_more and self._building:
                # Records that the walk did not bring are no longer in the selection.
                self._database.execute("delete from records where walk <> ?", (self._walk,))
                self._database.execute("update sync_state set building = 0")
                self._building = False
        self.cursor = page.cursor

    def finish(self) -> int:
        (records,) = self._database.execute("select count(*) from records").fetchone()
        return int(records)

    def remove_if_empty(self) -> None:
        with self._transaction():
            if self._database.execute("select 1 from sync_state where cursor is not null or walk > 1").fetchone():
                return
            for made in ("view projects", "table records", "table sync_state"):
                self._database.execute(f"drop {made}")
        if self._is_new_file:
            self._database.close()
            self._path.unlink()

    def close(self) -> None:
        self._database.close()


class _Transaction:
    """A transaction that takes the write lock at its beginning, so that what it reads cannot change before it writes."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def __enter__(self) -> None:
        self._database.execute("begin immediate")

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._database.in_transaction:
            self._database.execute("rollback" if kind else "commit")
