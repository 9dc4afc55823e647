"""Runs KQL on tables in memory, for the loopback query service of the tests.

One JSON command a line on standard input, one JSON answer a line on standard output:
  {"load": {"table": NAME, "path": FILE}}  a table as the service writes it: {"tables": [{"columns", "rows"}]}
  {"sql": TEXT}                            makes tables of any size
  {"query": TEXT}                          KQL; {"columns": [...], "rows": [...]} or {"error": TEXT}
"""

import datetime
import json
import math
import sys

import duckdb_kql
import pyarrow as pa

TYPES = {
    "string": ("VARCHAR", pa.string()),
    "int": ("INTEGER", pa.int32()),
    "long": ("BIGINT", pa.int64()),
    "real": ("DOUBLE", pa.float64()),
    "bool": ("BOOLEAN", pa.bool_()),
    "datetime": ("TIMESTAMP", pa.timestamp("us")),
    "dynamic": ("JSON", pa.string()),
}
KUSTO = {
    "VARCHAR": "string",
    "INTEGER": "int",
    "BIGINT": "long",
    "HUGEINT": "long",
    "UBIGINT": "long",
    "DOUBLE": "real",
    "BOOLEAN": "bool",
    "TIMESTAMP": "datetime",
    "JSON": "dynamic",
}

con = duckdb_kql.connect()


def cell(value, kind):
    if value is None:
        return None
    if kind == "datetime":
        text = value.rstrip("Z")
        head, _, fraction = text.partition(".")
        stamp = datetime.datetime.fromisoformat(head)
        return stamp.replace(microsecond=int(fraction[:6].ljust(6, "0")) if fraction else 0)
    if kind == "dynamic":
        return value if isinstance(value, str) else json.dumps(value)
    if kind == "real":
        return float(value)
    return value


def load(table, path):
    with open(path, encoding="utf-8") as file:
        content = json.load(file)["tables"][0]
    columns = content["columns"]
    arrays = [
        pa.array([cell(row[i], column["type"]) for row in content["rows"]], TYPES[column["type"]][1])
        for i, column in enumerate(columns)
    ]
    loaded = pa.table(arrays, names=[column["name"] for column in columns])
    con.register("loaded", loaded)
    casts = ", ".join(
        f'CAST("{column["name"]}" AS {TYPES[column["type"]][0]}) AS "{column["name"]}"' for column in columns
    )
    con.execute(f'CREATE OR REPLACE TABLE "{table}" AS SELECT {casts} FROM loaded')
    con.unregister("loaded")


def out(value):
    if isinstance(value, datetime.datetime):
        return value.strftime("%Y-%m-%dT%H:%M:%S.%f") + "0Z"
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else ("Infinity" if value > 0 else "-Infinity")
    return value


def query(text):
    relation = duckdb_kql.query(con, text)
    columns = [
        {"name": name, "type": KUSTO.get(str(kind), "string")}
        for name, kind in zip(relation.columns, relation.types)
    ]
    return {"columns": columns, "rows": [[out(value) for value in row] for row in relation.fetchall()]}


for line in sys.stdin:
    command = json.loads(line)
    try:
        if "load" in command:
            load(**command["load"])
            answer = {}
        elif "sql" in command:
            con.execute(command["sql"])
            answer = {}
        else:
            answer = query(command["query"])
        text = json.dumps(answer)
    except Exception as error:  # the service's error answer, whatever the engine's own is
        text = json.dumps({"error": f"{type(error).__name__}: {error}"})
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
