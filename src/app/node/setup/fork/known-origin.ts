import { KnownValues } from "#io/origin/index.ts";
import { type ThreadOrigin, threadOrigin } from "./thread-origin.ts";

/** Maximum size of the origin's values on a thread that never waits, in bytes. */
const MAX_BYTES = 64 << 20;

/** Time for which the newest block that L1 accepted is known, in milliseconds. */
const L1_ACCEPTED_MS = 2_000;

/** Origin of a fork on a thread that never waits for it: values are given to the thread. */
export interface KnownOrigin extends ThreadOrigin {
  readonly known: KnownValues;
}

/**
 * Creates the cache of a fork's values for a thread that never requests them: other threads send them along
 * with the work.
 */
export function knownValues(): KnownValues {
  return new KnownValues({
    maxBytes: MAX_BYTES,
    l1AcceptedMs: L1_ACCEPTED_MS,
    nowMs: () => performance.now(),
  });
}

/** Creates the origin of a thread that never waits for it. */
export function knownOrigin(forkBlock: number): KnownOrigin {
  const known = knownValues();
  return { known, ...threadOrigin(known, forkBlock) };
}
