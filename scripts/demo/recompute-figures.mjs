const over = (row) => row.duration > 2000;

/** Nearest rank over a list in which each row stands as often as its weight says. */
function nearestRank(rows, q, weighted = true) {
  const copies = rows.flatMap((row) => Array.from({ length: weighted ? row.weight : 1 }, () => row.duration));
  copies.sort((a, b) => a - b);
  return copies.length === 0 ? null : copies[Math.ceil(q * copies.length - 1e-9) - 1];
}

const weigh = (rows) => rows.reduce((total, row) => total + row.weight, 0);

/** The one bucket of each arrival order, told from the label alone. */
function byOrder(rows) {
  return ["1", "2", "3", "4-5", "6-10", "11-20", "21-100", ">100"].map((label) => {
    const [low, high = label.startsWith(">") ? Infinity : low] = label
      .replace(">100", "101")
      .split("-")
      .map(Number);
    const inside = rows.filter(({ order }) => order >= low && order <= high);
    const rowsOf = label === "1" ? inside.map((row) => ({ ...row, weight: 1 })) : inside;
    const share = inside.length === 0 ? null : weigh(rowsOf.filter(over)) / weigh(rowsOf);
    return [label, inside.length, weigh(rowsOf), nearestRank(rowsOf, 0.5), nearestRank(rowsOf, 0.9), share];
  });
}

/** Arrivals a second, up to ten seconds after each first start and later. */
function arrivals(fresh) {
  const offsets = fresh.map(({ users }) =>
    users.slice(1).map((row) => ({ after: Number(row.start - users[0].start) / 1e7, weight: row.weight })),
  );
  const spans = offsets.map((list) => Math.max(0, ...list.map((each) => each.after)));
  const early = spans.reduce((total, span) => total + Math.min(span, 10), 0);
  const late = spans.reduce((total, span) => total + Math.max(span - 10, 0), 0);
  const all = offsets.flat();
  return [
    weigh(all.filter((each) => each.after <= 10)) / early,
    weigh(all.filter((each) => each.after > 10)) / late,
  ];
}

/**
 * Median life in minutes and the share of lives of at most ten. A life still running counts as endless: the
 * same as Kaplan-Meier as long as every running life is older than the median, as the check makes sure.
 */
function lifetimes(fresh) {
  const minutes = fresh.map((each) =>
    each.end === undefined ? Infinity : Number(each.end - each.born) / 600_000_000,
  );
  minutes.sort((a, b) => a - b);
  return [
    minutes[Math.ceil(minutes.length / 2) - 1],
    minutes.filter((each) => each <= 10).length / minutes.length,
  ];
}

/** The main figures of a cohort, by their names in the report. */
export function figuresOf(lives, from, to) {
  const fresh = lives.filter((each) => each.born >= from && each.born < to && each.users.length > 0);
  const firsts = fresh.map((each) => each.users[0]);
  const rest = fresh.flatMap((each) => {
    let order = 1;
    return each.users.map((row, i) => {
      const placed = { ...row, rank: i + 1, order, overlaps: i > 0 && row.start < each.users[0].end };
      order += row.weight;
      return placed;
    });
  });
  const pick = (test) => rest.filter((row) => row.rank > 1 && test(row));
  const seconds = (overlaps) => pick((row) => row.rank === 2 && row.overlaps === overlaps);
  const firstKind = (each) => (each.rows[0].start < each.users[0].start ? each.rows[0].kind : "nothing");
  const warmed = (kind) => fresh.filter((each) => firstKind(each) === kind).length;
  return {
    total: fresh.length,
    idle: lives.filter((each) => each.born >= from && each.born < to && each.users.length === 0).length,
    warmedBy: Object.fromEntries(
      ["nothing", "probe", "synthetic", "consumer", "other"].map((k) => [k, warmed(k)]),
    ),
    p50Ms: nearestRank(firsts, 0.5, false),
    p90Ms: nearestRank(firsts, 0.9, false),
    p99Ms: nearestRank(firsts, 0.99, false),
    over: firsts.filter(over).length,
    failed: firsts.filter((row) => row.failed).length,
    certain: firsts.filter((row) => row.weight === 1).length,
    sequential: [seconds(false).length, nearestRank(seconds(false), 0.5, false)],
    overlapping: [
      seconds(true).length,
      nearestRank(seconds(true), 0.5, false),
      seconds(true).filter(over).length,
    ],
    overlap: [pick((row) => row.overlaps).length, weigh(pick((row) => row.overlaps)) / fresh.length],
    overlapP50: nearestRank(
      pick((row) => row.overlaps),
      0.5,
    ),
    afterFirst: [pick((row) => row.order <= 10 && !row.overlaps).length],
    afterFirstP50: nearestRank(
      pick((row) => row.order <= 10 && !row.overlaps),
      0.5,
    ),
    slowEarly:
      (firsts.filter(over).length + weigh(pick((row) => row.order <= 10 && over(row)))) / fresh.length,
    censored: fresh.filter((each) => each.end === undefined).length,
    lifetime: lifetimes(fresh),
    byOrder: byOrder(rest),
    arrivals: arrivals(fresh),
    firstStarts: firsts.map((row) => row.start),
    fresh,
  };
}
