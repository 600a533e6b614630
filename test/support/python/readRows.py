"""The rows of a table in DuckDB or Postgres, one JSON object a line."""

import json
import sys

given = json.loads(sys.argv[1])
table = f'"{given["schema"]}"."projects"'
if given["kind"] == "duckdb":
    import duckdb

    with duckdb.connect(given["database"], read_only=True) as database:
        database.execute("set timezone = 'UTC'")
        rows = database.execute(f"select to_json(p)::varchar from {table} as p").fetchall()
else:
    import psycopg

    with psycopg.connect(given["database"], options="-c timezone=UTC") as connection:
        rows = connection.execute(f"select row_to_json(p)::text from {table} as p").fetchall()
for (row,) in rows:
    print(row)
