/** How much one request may ask of a method. */
export interface MethodLimits {
  /** Greatest page of getEvents; PAGE_SIZE_TOO_BIG above. */
  readonly maxEventsChunk: number;
  /** Key positions and alternatives of getEvents together; TOO_MANY_KEYS_IN_FILTER above. */
  readonly maxEventKeys: number;
  /** Transactions of one estimate or simulation. */
  readonly maxTransactions: number;
  /** Keys of one getStorageProof, of all its tries together; PROOF_LIMIT_EXCEEDED above. */
  readonly maxProofKeys: number;
}

/** More than this is never asked for: what whoever runs a node may choose. */
export const GREATEST_METHOD_LIMITS: MethodLimits = {
  maxEventsChunk: 100_000,
  maxEventKeys: 100_000,
  maxTransactions: 1_000,
  maxProofKeys: 10_000,
};
