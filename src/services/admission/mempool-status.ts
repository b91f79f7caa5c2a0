import type { Felt } from "#base/primitives/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import type { Mempool } from "./mempool/index.ts";

/** Status of a transaction in the mempool. */
export interface MempoolStatus {
  /** Encoded transaction; `null` when it is not in the mempool. */
  readonly bytes: Uint8Array | null;
  /** The executor has it. */
  readonly isInFlight: boolean;
  /** An earlier nonce of its account is missing. */
  readonly isAhead: boolean;
}

/** {@link MempoolStatus} of a transaction that is not in the mempool. */
export const ABSENT: MempoolStatus = { bytes: null, isInFlight: false, isAhead: false };

/** Above every nonce. */
const MAX_NONCE = 2n ** 251n;

/**
 * State to pass to {@link mempoolStatusOf} where nonces cannot be read: with it, no transaction
 * counts as ahead of its account's nonce.
 */
export const UNKNOWN_NONCES: Pick<StateReader, "nonceAt"> = { nonceAt: () => MAX_NONCE };

/**
 * Returns the status of a transaction.
 *
 * @param pending - the state on which execution continues
 */
export function mempoolStatusOf(
  pool: Mempool,
  hash: Felt,
  pending: Pick<StateReader, "nonceAt">,
): MempoolStatus {
  const entry = pool.find(hash);
  if (entry === undefined) return ABSENT;
  const isInFlight = pool.isInFlight(hash);
  const isAhead = !isInFlight && pool.isAhead(entry, pending.nonceAt(entry.sender));
  return { bytes: entry.bytes, isInFlight, isAhead };
}
