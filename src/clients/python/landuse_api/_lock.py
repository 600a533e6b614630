"""A lock on an open file, which is released when its process ends."""

from __future__ import annotations

import sys
from typing import IO, Any


def lock(opened: IO[Any]) -> bool:
    """Tries to take the lock, which is released when the file is closed. Returns whether it succeeded."""
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
