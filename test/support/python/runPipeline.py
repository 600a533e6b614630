"""Runs a pipeline of dlt once, as its user would; its test kills it at any moment."""

import json
import sys

import dlt

from landuse_api.dlt import landuse

given = json.loads(sys.argv[1])
destination = dlt.destinations.duckdb(given["database"]) if given["kind"] == "duckdb" else dlt.destinations.postgres(given["database"])
pipeline = dlt.pipeline(given["name"], destination=destination, dataset_name=given["schema"], pipelines_dir=given["folder"])
source = landuse(
    given["filters"],
    representation="full",
    api_key=given["key"],
    base_url=given["url"],
    snapshot_folder=f"{given['folder']}/{given['name']}-snapshot",
    rebuild=given.get("rebuild", False),
)
if pipeline.has_pending_data:
    pipeline.run()  # what a killed run had extracted: dlt loads it alone
pipeline.run(source)
