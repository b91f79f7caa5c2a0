import { CLASSES, type Counts, type Difference, perClass, total } from "./allowed.ts";
import type { Hit } from "./hits.ts";

/** Hits by path, of files that have any. */
export type HitsByFile = ReadonlyMap<string, readonly Hit[]>;

/** Numbers of hits by class and path. */
export function countsOf(hits: HitsByFile): Counts {
  return perClass((kind) =>
    Object.fromEntries(
      [...hits]
        .map(([path, list]) => [path, list.filter(({ pattern }) => pattern.kind === kind).length])
        .filter(([, number]) => number !== 0),
    ),
  );
}

/** One line of a listing: place, words, and what to write instead. */
export function hitLine(path: string, { line, words, pattern }: Hit): string {
  return `${path}:${line}: "${words}" (${pattern.kind}): write ${pattern.write}`;
}

/** Lines about every file that has more hits than allowed, or fewer. */
export function differenceLines(list: readonly Difference[], hits: HitsByFile): readonly string[] {
  return list.flatMap(({ kind, path, hits: number, allowed }) => {
    const head = `${path}: ${number} ${kind} hits, ${allowed} allowed`;
    if (number < allowed) return [`${head}: run ./scripts/words --shrink`];
    const own = (hits.get(path) ?? []).filter(({ pattern }) => pattern.kind === kind);
    return [`${head}:`, ...own.map((hit) => `  ${hitLine(path, hit)}`)];
  });
}

/** Advice when hits may have moved between files: some file has more than allowed, but the total has not risen. */
export function moveHint(list: readonly Difference[], counts: Counts, allowed: Counts): string {
  const moved = CLASSES.some(
    (kind) =>
      list.some((one) => one.kind === kind && one.hits > one.allowed && one.allowed === 0) &&
      total(counts, kind) <= total(allowed, kind),
  );
  if (!moved) return "";
  return "The total has not risen. For moved files run ./scripts/words --adopt; for renamed or split files, move their numbers in scripts/words-lib/allowed.json.";
}

/** The last line of every run. */
export function totalLine(counts: Counts): string {
  return `hits: ${total(counts, "never")} never, ${total(counts, "doubtful")} doubtful`;
}
