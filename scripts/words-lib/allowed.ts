import { basename } from "node:path";
import { DecodeError } from "#base/errors/index.ts";
import type { PatternClass } from "./patterns.ts";

/** Classes in the order in which they are reported. */
export const CLASSES: readonly PatternClass[] = ["never", "doubtful"];

/** Number of hits by path. */
export type FileCounts = Readonly<Record<string, number>>;

/** Number of hits by class and path; a path without an entry has 0. */
export type Counts = Readonly<Record<PatternClass, FileCounts>>;

/** A file whose number of hits differs from the allowed number. */
export interface Difference {
  readonly kind: PatternClass;
  readonly path: string;
  readonly hits: number;
  readonly allowed: number;
}

/** Reads the text of `allowed.json`. @throws {DecodeError} when it is no table of positive integers */
export function parseAllowed(text: string): Counts {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new DecodeError("", "JSON");
  }
  return { never: countsAt(json, "never"), doubtful: countsAt(json, "doubtful") };
}

function countsAt(json: unknown, kind: PatternClass): FileCounts {
  const table = isObject(json) ? json[kind] : undefined;
  if (!isObject(table)) throw new DecodeError(kind, "an object of numbers by path");
  const entries = Object.entries(table).map(([path, count]): [string, number] => {
    if (typeof count === "number" && Number.isSafeInteger(count) && count > 0) return [path, count];
    throw new DecodeError(`${kind}.${path}`, "a positive integer");
  });
  return Object.fromEntries(entries);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The text of `allowed.json`: one line per path, sorted, so that parallel changes merge. */
export function formatAllowed(counts: Counts): string {
  const sorted = perClass((kind) => filesOf(Object.entries(counts[kind]).sort(byPath)));
  return `${JSON.stringify(sorted, null, 2)}\n`;
}

/** Files that have more or fewer hits than allowed. */
export function differences(counts: Counts, allowed: Counts): readonly Difference[] {
  return CLASSES.flatMap((kind) =>
    [...new Set([...Object.keys(counts[kind]), ...Object.keys(allowed[kind])])]
      .sort()
      .map((path) => ({
        kind,
        path,
        hits: counts[kind][path] ?? 0,
        allowed: allowed[kind][path] ?? 0,
      }))
      .filter((difference) => difference.hits !== difference.allowed),
  );
}

/** Lowers each number to the current hits. Drops files without hits; raises nothing. */
export function shrink(allowed: Counts, counts: Counts): Counts {
  return perClass((kind) =>
    filesOf(
      Object.entries(allowed[kind]).map(([path, number]): [string, number] => [
        path,
        Math.min(number, counts[kind][path] ?? 0),
      ]),
    ),
  );
}

/**
 * Moves the numbers of files that no longer exist to files of the same base name that have more hits than
 * allowed. The total does not rise.
 *
 * @param files - paths of all files with prose
 */
export function adopt(allowed: Counts, counts: Counts, files: readonly string[]): Counts {
  const existing = new Set(files);
  return perClass((kind) => {
    const numbers = new Map(Object.entries(allowed[kind]));
    const free = new Map<string, number>();
    for (const [path, number] of [...numbers]) {
      if (existing.has(path)) continue;
      numbers.delete(path);
      free.set(basename(path), (free.get(basename(path)) ?? 0) + number);
    }
    for (const [path, hits] of Object.entries(counts[kind]).sort(byPath)) {
      const number = numbers.get(path) ?? 0;
      const available = free.get(basename(path)) ?? 0;
      const moved = Math.min(Math.max(hits - number, 0), available);
      numbers.set(path, number + moved);
      free.set(basename(path), available - moved);
    }
    return filesOf([...numbers]);
  });
}

/** Sum of a class over all files. */
export function total(counts: Counts, kind: PatternClass): number {
  return Object.values(counts[kind]).reduce((sum, number) => sum + number, 0);
}

/** Counts of both classes. */
export function perClass(countsOf: (kind: PatternClass) => FileCounts): Counts {
  return { never: countsOf("never"), doubtful: countsOf("doubtful") };
}

function filesOf(entries: readonly (readonly [string, number])[]): FileCounts {
  return Object.fromEntries(entries.filter(([, number]) => number > 0));
}

function byPath([a]: readonly [string, number], [b]: readonly [string, number]): number {
  return a < b ? -1 : 1;
}
