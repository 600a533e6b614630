"""Brings a copy up to date, page by page, and says so after each; its test kills it at any moment."""

import json
import sys

from landuse_api import CopyError, LandUse, SyncPage, StandardProject

kind, path, url, key, more = sys.argv[1:]
options = json.loads(more)


def told(page: SyncPage[StandardProject]) -> None:
    print("page", flush=True)
    if options.get("waits"):
        sys.stdin.readline()


with LandUse(key, url) as api:
    keep = {"ndjson": api.sync_to_ndjson, "sqlite": api.sync_to_sqlite}[kind]
    try:
        result = keep(path, rebuild=options.get("rebuild", False), on_page=told, dateRange="all", limit=10, **options.get("filters", {}))
        print(json.dumps(vars(result)), flush=True)
    except CopyError as error:
        print(json.dumps({"error": type(error).__name__, "text": str(error)}), flush=True)
