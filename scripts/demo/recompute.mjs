/**
 * A second way to the figures: from the written files alone, with no knowledge of the generator. Reads the
 * rows as text, tells kinds and lives from what they say, and counts. Ticks are BigInt of 100 ns.
 */
const START_SLACK = 10_000_000n;

/** Ticks of an instant, written with Z or as the event stream does. */
export function ticksOf(text) {
  const [, date, time, fraction = ""] = text.match(
    /^([\d-]{10})[T ]([\d:]{8})(?:\.(\d{1,7}))?(?:Z| \+0000 UTC)$/,
  );
  return BigInt(Date.parse(`${date}T${time}Z`)) * 10_000n + BigInt(fraction.padEnd(7, "0"));
}

/** Rows of a CSV text, as objects by header. */
export function parseCsv(text) {
  const [header, ...lines] = text.trimEnd().split("\n");
  const names = header.split(",");
  return lines.map((line) => {
    const cells = [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
      ([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare,
    );
    if (cells.length !== names.length) throw new Error(`a row of ${cells.length} cells: ${line}`);
    return Object.fromEntries(names.map((name, i) => [name, cells[i]]));
  });
}

function kindOf(row) {
  if (!/^https?:/.test(row.url) && !/^(GET|POST) /.test(row.name)) {
    return row.resultCode === "0" && row.source.includes("/") ? "consumer" : "other";
  }
  if (row.operation_SyntheticSource !== "") return "synthetic";
  return new URL(row.url).pathname === "/health" ? "probe" : "user";
}

function weightOf(row) {
  const count = Number(row.itemCount);
  if (row.customDimensions === "") return count;
  const n = 100 / Number(JSON.parse(row.customDimensions)["microsoft.sample_rate"]);
  if (count !== 1) throw new Error("an ambiguous weight");
  return n;
}

/** Container starts and terminations by replica, ascending, and the time of the log's last event. */
export function readLog(lines) {
  const events = lines.filter((line) => line.ContainerAppName !== null);
  const timed = events.map((line) => ({ ...line, at: ticksOf(line.TimeStamp) }));
  const pick = (reason) => {
    const byReplica = new Map();
    for (const event of timed.filter((each) => each.Reason === reason)) {
      byReplica.set(event.ReplicaName, [...(byReplica.get(event.ReplicaName) ?? []), event.at]);
    }
    return byReplica;
  };
  const [last] = timed.map((event) => event.at).sort((a, b) => (a < b ? 1 : -1));
  return { starts: pick("ContainerStarted"), ends: pick("ContainerTerminated"), last, events: timed };
}

/** One object a usable row, and how many rows ended in each class. */
export function classify(rows, role, from, to) {
  const counts = { read: rows.length };
  const count = (name) => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  const seen = new Set();
  const usable = [];
  for (const row of rows) {
    if (!/^\d+(\.\d+)?$/.test(row.duration)) {
      count("malformed");
      continue;
    }
    const key = [row.cloud_RoleInstance, row.id, row.operation_Id, row.timestamp].join();
    const start = ticksOf(row.timestamp);
    const kind = kindOf(row);
    if (seen.has(key)) count("duplicate");
    else if (row.cloud_RoleName !== role) count("otherRole");
    else {
      const duration = Number(row.duration);
      const end = start + BigInt(Math.round(duration * 10_000));
      const failed = row.success !== "True";
      usable.push({
        kind,
        start,
        end,
        duration,
        failed,
        weight: weightOf(row),
        id: row.id,
        at: row.cloud_RoleInstance,
      });
      count(start >= from && start < to ? kind : "outsideWindow");
      if (kind === "user" && row.cloud_RoleInstance === "") count("noInstance");
    }
    seen.add(key);
  }
  return { usable, counts };
}

/** Lives: the rows of each replica, cut at its container starts; lives without rows are there too. */
export function livesOf(usable, log) {
  const lives = new Map();
  const life = (replica, born) => {
    const key = `${replica}|${born}`;
    if (!lives.has(key)) lives.set(key, { replica, born, rows: [] });
    return lives.get(key);
  };
  for (const [replica, starts] of log.starts) for (const born of starts) life(replica, born);
  for (const row of usable.filter((each) => each.at !== "")) {
    const born = (log.starts.get(row.at) ?? []).findLast((start) => start <= row.start + START_SLACK);
    life(row.at, born).rows.push(row);
  }
  return [...lives.values()].map((each) => {
    each.rows.sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : a.id < b.id ? -1 : 1));
    const next = (log.starts.get(each.replica) ?? []).find(
      (start) => each.born !== undefined && start > each.born,
    );
    const end = (log.ends.get(each.replica) ?? []).find(
      (time) => each.born !== undefined && time > each.born,
    );
    return { ...each, users: each.rows.filter((row) => row.kind === "user"), end: end ?? next };
  });
}
