/** Parts that exhaustive checks are divided into; CI runs one of them per commit. */
export const SLICES = 10;

/** Anything that takes time. */
export interface Weighted {
  readonly name: string;
  /** Time on two cores. */
  readonly seconds: number;
}

/** Slice of a commit: the low digits of its hash decide. @returns 0 to {@link SLICES} - 1 */
export function sliceOf(commit: string): number {
  return Number(BigInt(`0x${commit}`) % BigInt(SLICES));
}

/**
 * Divides checks into {@link SLICES} slices of about the same duration. Each check is in one slice;
 * the division depends on names and durations only.
 */
export function divide<T extends Weighted>(checks: readonly T[]): readonly (readonly T[])[] {
  const slices = Array.from({ length: SLICES }, () => ({ seconds: 0, checks: [] as T[] }));
  const longestFirst = checks.toSorted(
    (a, b) => b.seconds - a.seconds || (a.name < b.name ? -1 : 1),
  );
  for (const check of longestFirst) {
    const shortest = slices.reduce((least, slice) =>
      slice.seconds < least.seconds ? slice : least,
    );
    shortest.seconds += check.seconds;
    shortest.checks.push(check);
  }
  return slices.map((slice) => slice.checks);
}
