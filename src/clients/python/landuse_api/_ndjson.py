"""A copy in a file of JSON lines, one record a line. Each page is appended to a journal, and then `FILE.sync` records the valid length of the journal; at
the end of the walk the journal is merged into the file. The next run truncates the journal to the recorded length, and merging a journal twice changes
nothing."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from ._copies import SyncPage, refuse_other_source
from ._errors import CopyError
from ._lock import lock

FORMAT = 1


@dataclass(frozen=True)
class Note:
    """The state of a copy, in `FILE.sync`."""

    format: int
    url: str
    query: dict[str, Any]
    """The query of the walk, as given"""
    cursor: str | None
    journal_bytes: int
    """Valid bytes of the journal"""
    fresh: bool
    """True until the first walk has ended; the file is then ignored"""
    records: int
    """Number of records in the file"""


def read_note(path: Path) -> Note | None:
    if not path.exists():
        return None
    try:
        note = Note(**json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, TypeError) as error:
        raise CopyError(f"{path}, which says how far the copy is, is damaged: start over with rebuild=True") from error
    if note.format != FORMAT:
        raise CopyError(f"{path} was written by another version of this client: start over with rebuild=True")
    return note


def replace_file(path: Path, text: str) -> None:
    """Replaces a file atomically; its content is on the disk before the rename."""
    fresh = path.with_name(f"{path.name}.new")
    with fresh.open("w", encoding="utf-8") as opened:
        opened.write(text)
        opened.flush()
        os.fsync(opened.fileno())
    os.replace(fresh, path)


class NdjsonCopy:
    """Opens the copy. Raises CopyError with a remedy if the file is not this copy."""

    def __init__(self, path: Path, url: str, query: Mapping[str, object], rebuild: bool) -> None:
        self.name = str(path)
        self._path = path
        self._note_path = path.with_name(f"{path.name}.sync")
        self._journal_path = path.with_name(f"{path.name}.journal")
        self._journal = self._journal_path.open("ab")
        if not lock(self._journal):
            self._journal.close()
            raise CopyError(f"Another process is working on {path}: wait for it, or stop it")
        try:
            self._note = self._opened(url, json.loads(json.dumps(query, default=str)), rebuild)
            self._save(self._note)
            self._cut_journal()
        except BaseException:
            if not self._note_path.exists():
                self._remove_journal()
            self.close()
            raise

    @property
    def cursor(self) -> str | None:
        return self._note.cursor

    def _opened(self, url: str, query: dict[str, Any], rebuild: bool) -> Note:
        start = Note(FORMAT, url, query, None, 0, fresh=True, records=0)
        kept = None if rebuild else read_note(self._note_path)
        if kept is None:
            if self._path.exists() and not rebuild:
                raise CopyError(f"{self._path} was not made by sync: take another file, or replace it with rebuild=True")
            return start
        refuse_other_source(self._path, (kept.url, kept.query), (url, query))
        if not kept.fresh and not self._path.exists():
            raise CopyError(f"{self._path} is gone: put it back, or start over with rebuild=True")
        return kept

    def _cut_journal(self) -> None:
        size = os.fstat(self._journal.fileno()).st_size
        if size < self._note.journal_bytes:
            raise CopyError(f"{self._journal_path} is shorter than it was left: start over with rebuild=True")
        self._journal.truncate(self._note.journal_bytes)

    def add(self, page: SyncPage[Any]) -> None:
        lines = [{"id": gone["id"], "record": None} for gone in page.removed]
        lines += [{"id": record["id"], "record": record} for record in page.records]
        content = "".join(f"{json.dumps(line, separators=(',', ':'))}\n" for line in lines).encode()
        self._journal.write(content)
        self._journal.flush()
        os.fsync(self._journal.fileno())
        self._save(replace(self._note, cursor=page.cursor, journal_bytes=self._note.journal_bytes + len(content)))

    def finish(self) -> int:
        if not self._note.fresh and not self._note.journal_bytes:
            return self._note.records
        last = {line["id"]: number for number, line in self._journal_lines()}
        fresh = self._path.with_name(f"{self._path.name}.new")
        records = 0
        with fresh.open("w", encoding="utf-8", newline="\n") as out:
            for line in self._kept_lines(last):
                out.write(line)
                records += 1
            out.flush()
            os.fsync(out.fileno())
        os.replace(fresh, self._path)
        self._save(replace(self._note, journal_bytes=0, fresh=False, records=records))
        self._journal.truncate(0)
        return records

    def _kept_lines(self, last: Mapping[int, int]) -> Iterator[str]:
        """Lines of records that the journal does not change, then the last line of the journal for each record."""
        if not self._note.fresh:
            with self._path.open(encoding="utf-8", newline="\n") as opened:
                yield from (line for line in opened if json.loads(line)["id"] not in last)
        for number, line in self._journal_lines():
            if line["record"] is not None and last[line["id"]] == number:
                yield f"{json.dumps(line['record'], separators=(',', ':'))}\n"

    def _journal_lines(self) -> Iterator[tuple[int, Any]]:
        with self._journal_path.open(encoding="utf-8", newline="\n") as opened:
            for number, line in enumerate(opened):
                yield number, json.loads(line)

    def _save(self, note: Note) -> None:
        replace_file(self._note_path, f"{json.dumps(asdict(note))}\n")
        self._note = note

    def remove_if_empty(self) -> None:
        if self._note.fresh and self._note.cursor is None and not self._path.exists():
            self._note_path.unlink()
            self._remove_journal()

    def _remove_journal(self) -> None:
        with suppress(PermissionError):  # Windows deletes no open file
            self._journal_path.unlink()

    def close(self) -> None:
        self._journal.close()
