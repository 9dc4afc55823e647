"""Runs KQL on typed tables in memory, for the loopback query service.

One JSON command a line on standard input, one JSON answer a line on standard output:
  {"load": {"table": NAME, "schema": [[NAME, TYPE], ...], "ndjson": FILE}}   or "parquet": FILE; an empty
      file gives an empty table. Answer: {"rows": COUNT}
  {"query": TEXT}   answer: {"columns": [{"name", "type"}], "rows": [[...]]}, values as the service writes them
  {"error": {"code", "message"}} where that fails: SyntaxError, SemanticError, or EngineError

Instants are kept to the microsecond, which is all that the engine can reckon with: a table whose instants have
a seventh digit is refused rather than rounded.
"""

import json
import sys

import duckdb
import duckdb_kql
from duckdb_kql.types import kusto_type

STORED = {
    "string": "VARCHAR",
    "int": "INTEGER",
    "long": "BIGINT",
    "real": "DOUBLE",
    "bool": "BOOLEAN",
    "datetime": "TIMESTAMP",
    "timespan": "INTERVAL",
    "dynamic": "JSON",
}
# Read as text first: NaN is no JSON number, and the others are no JSON at all.
AS_TEXT = {"real", "datetime", "timespan"}

sys.stdin.reconfigure(encoding="utf-8")
sys.stdout.reconfigure(encoding="utf-8")
con = duckdb_kql.connect()
con.execute("SET TimeZone = 'UTC'")
# [-][d.]hh:mm:ss[.fffffff]
con.execute("""
CREATE MACRO timespan_text(us) AS
  CASE WHEN us < 0 THEN '-' ELSE '' END
  || CASE WHEN abs(us) >= 86400000000 THEN (abs(us) // 86400000000) || '.' ELSE '' END
  || printf('%02d:%02d:%02d', abs(us) // 3600000000 % 24, abs(us) // 60000000 % 60, abs(us) // 1000000 % 60)
  || CASE WHEN us % 1000000 = 0 THEN '' ELSE printf('.%06d0', abs(us) % 1000000) END
""")


def name_of(name):
    return '"' + name.replace('"', '""') + '"'


def text_of(text):
    return "'" + text.replace("'", "''") + "'"


def load(table, schema, ndjson=None, parquet=None):
    if ndjson is not None:
        read = ", ".join(
            f"{text_of(name)}: '{'VARCHAR' if kind in AS_TEXT else STORED[kind]}'" for name, kind in schema
        )
        source = (
            f"read_json({text_of(ndjson)}, format='newline_delimited', maximum_object_size=67108864,"
            f" columns={{{read}}})"
        )
    else:
        source = f"read_parquet({text_of(parquet)})"
    refuse_fine_instants(source, [name for name, kind in schema if kind == "datetime"])
    cells = ", ".join(f"{cell_of(name, kind)} AS {name_of(name)}" for name, kind in schema)
    con.execute(f"CREATE OR REPLACE TABLE {name_of(table)} AS SELECT {cells} FROM {source}")
    return con.execute(f"SELECT count(*) FROM {name_of(table)}").fetchall()[0][0]


def refuse_fine_instants(source, names):
    for name in names:
        fine = con.execute(
            f"SELECT {name_of(name)} FROM {source}"
            f" WHERE regexp_matches(CAST({name_of(name)} AS VARCHAR), '\\.\\d{{6}}\\d*[1-9]') LIMIT 1"
        ).fetchall()
        if fine:
            raise ValueError(f"{name} {fine[0][0]} has digits below the microsecond, which the engine would drop")


def cell_of(name, kind):
    cell = name_of(name)
    if kind == "timespan":
        cell = f"regexp_replace(CAST({cell} AS VARCHAR), '^(-?)(\\d+)\\.(\\d+:)', '\\1\\2 days \\1\\3')"
    return f"CAST({cell} AS {STORED[kind]})"


def type_of(stored):
    return "dynamic" if str(stored) == '"NULL"' else kusto_type(stored)


def written(name, stored, kind):
    """SQL of a value as the service writes it in JSON."""
    cell = name_of(name)
    if kind == "datetime":
        return f"strftime(CAST({cell} AS TIMESTAMP), '%Y-%m-%dT%H:%M:%S.%f') || '0Z'"
    if kind == "timespan":
        return f"timespan_text(epoch_us(CAST({cell} AS INTERVAL)))"
    if kind == "real":
        return (
            f"CASE WHEN isnan({cell}) THEN to_json('NaN') WHEN isinf({cell})"
            f" THEN to_json(CASE WHEN {cell} > 0 THEN 'Infinity' ELSE '-Infinity' END) ELSE to_json({cell}) END"
        )
    if kind == "long":
        return f"CAST({cell} AS BIGINT)"
    if kind == "dynamic" and stored != "JSON":
        return f"CAST(to_json({cell}) AS VARCHAR)"
    return cell if kind in ("int", "bool") else f"CAST({cell} AS VARCHAR)"


def query(text):
    relation = duckdb_kql.query(con, text)
    names = [f"c{i}" for i in range(len(relation.columns))]
    kinds = [(str(stored), type_of(stored)) for stored in relation.types]
    columns = [{"name": name, "type": kind} for name, (_, kind) in zip(relation.columns, kinds)]
    cells = ", ".join(written(name, *kind) for name, kind in zip(names, kinds))
    # Columns may be named alike in all but case, so they are told apart by their place.
    rows = relation.query("answer", f"SELECT json_array({cells}) FROM answer AS answer({', '.join(names)})")
    lines = ",".join(row for (row,) in rows.fetchall())
    return f'{{"columns":{json.dumps(columns)},"rows":[{lines}]}}'


def code_of(error):
    if isinstance(error, duckdb_kql.KqlSyntaxError):
        return "SyntaxError"
    if isinstance(error, (duckdb_kql.KqlError, duckdb.BinderException, duckdb.CatalogException)):
        return "SemanticError"
    return "EngineError"


for line in sys.stdin:
    try:
        command = json.loads(line)
        if "load" in command:
            answer = json.dumps({"rows": load(**command["load"])})
        else:
            answer = query(command["query"])
    except Exception as error:  # whatever it is, the other side waits for a line
        answer = json.dumps({"error": {"code": code_of(error), "message": str(error)}})
    sys.stdout.write(answer + "\n")
    sys.stdout.flush()
