/** The candidate that a mistyped name most likely meant; null where none is near. */
export function nearest(name: string, candidates: readonly string[]): string | null {
  const wanted = name.toLowerCase();
  const ending = candidates.find((candidate) => candidate.toLowerCase().endsWith(`.${wanted}`));
  if (ending !== undefined) return ending;
  let best: string | null = null;
  let least = Math.max(2, Math.floor(Math.min(name.length, 60) * 0.4)) + 1;
  for (const candidate of candidates) {
    const distance = edits(wanted.slice(0, 100), candidate.toLowerCase());
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** Levenshtein's distance: insertions, deletions and replacements that turn one text into the other. */
function edits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}
