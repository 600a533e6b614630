"""A plugin of Datasette: in_polygon(longitude, latitude, ring), where SpatiaLite is not installed. The ring is a JSON list of positions."""

import json
from functools import lru_cache

from datasette import hookimpl


@lru_cache(maxsize=1000)
def edges_of(ring: str) -> list[tuple[float, float, float, float]]:
    positions = json.loads(ring)
    return [(x1, y1, x2, y2) for (x1, y1), (x2, y2) in zip(positions, positions[1:]) if y1 != y2]


def in_polygon(x: float, y: float, ring: str) -> bool:
    inside = False
    for x1, y1, x2, y2 in edges_of(ring):
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            inside = not inside
    return inside


@hookimpl
def prepare_connection(conn):
    conn.create_function("in_polygon", 3, in_polygon, deterministic=True)
