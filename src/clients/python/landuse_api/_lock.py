"""One process at a time: a lock on an open file, which ends with the process that holds it."""

from __future__ import annotations

import sys
from typing import IO, Any


def lock(opened: IO[Any]) -> bool:
    """Whether the lock is ours now; it is given back when the file is closed."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(opened.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
