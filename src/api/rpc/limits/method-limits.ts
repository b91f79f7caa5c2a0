/** Limits of one request's size, by method. */
export interface MethodLimits {
  /** Largest page of getEvents; PAGE_SIZE_TOO_BIG above. */
  readonly maxEventsChunk: number;
  /** Key positions plus alternatives of getEvents; TOO_MANY_KEYS_IN_FILTER above. */
  readonly maxEventKeys: number;
  /** Transactions of one estimate or simulation. */
  readonly maxTransactions: number;
  /** Keys of one getStorageProof, over all its tries; PROOF_LIMIT_EXCEEDED above. */
  readonly maxProofKeys: number;
}

/** Upper bounds for the values that an operator may configure. */
export const MAX_METHOD_LIMITS: MethodLimits = {
  maxEventsChunk: 100_000,
  maxEventKeys: 100_000,
  maxTransactions: 1_000,
  maxProofKeys: 10_000,
};
