/** Number of single-character edits (insert, delete, replace, swap of neighbours) between two texts. */
export function editDistance(left: string, right: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: right.length + 1 }, (_, i) => i);
  for (let i = 1; i <= left.length; i++) {
    const row = [i];
    for (let j = 1; j <= right.length; j++) {
      const same = left[i - 1] === right[j - 1];
      let cost = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]) {
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[right.length] ?? 0;
}

/** Maximum length of a compared name; longer input would waste time. */
const MAX_NAME = 100;

/**
 * Returns the candidate that a mistyped name most likely meant.
 *
 * @returns `undefined` when every candidate needs more edits than half of the name's length, and more than 2,
 *   or when the name is longer than any option or command could be
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > MAX_NAME) return undefined;
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(name.length / 2)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}
