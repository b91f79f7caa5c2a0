import type { Felt } from "#base/primitives/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import type { Mempool } from "./mempool/index.ts";

/** Where a transaction stands in the mempool. */
export interface Standing {
  /** Encoded; `null` when it is not there. */
  readonly bytes: Uint8Array | null;
  /** The executor has it. */
  readonly isInFlight: boolean;
  /** It waits for another one with an earlier nonce, which is not there. */
  readonly isAhead: boolean;
}

/** Of a transaction that is not in the mempool. */
export const ABSENT: Standing = { bytes: null, isInFlight: false, isAhead: false };

/**
 * Where a transaction stands.
 *
 * @param pending - the state on which execution goes on
 */
export function standingIn(
  pool: Mempool,
  hash: Felt,
  pending: Pick<StateReader, "nonceAt">,
): Standing {
  const entry = pool.find(hash);
  if (entry === undefined) return ABSENT;
  const isInFlight = pool.isInFlight(hash);
  const isAhead = !isInFlight && pool.isAhead(entry, pending.nonceAt(entry.sender));
  return { bytes: entry.bytes, isInFlight, isAhead };
}
