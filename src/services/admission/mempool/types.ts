import type { Felt } from "#base/primitives/index.ts";

/** A transaction that passed admission, as the mempool orders it. */
export interface MempoolEntry {
  readonly hash: Felt;
  readonly sender: Felt;
  readonly nonce: bigint;
  /** Additional FRI offered per L2 gas; 0 for versions without a tip. */
  readonly tip: bigint;
  /** Maximum price of L2 gas in FRI per unit; 0 for versions without a price of L2 gas. */
  readonly maxL2GasPrice: bigint;
  /** Maximum fee of the transaction: in FRI, or in WEI before version 3. */
  readonly maxFee: bigint;
  /** Maximum L2 gas that its execution may use. */
  readonly gasLimit: bigint;
  readonly kind: "INVOKE" | "DECLARE" | "DEPLOY_ACCOUNT";
  /** Unix milliseconds of arrival at this node. */
  readonly receivedAtMs: number;
  /** The encoded transaction; the mempool only counts its bytes. */
  readonly bytes: Uint8Array;
  /** Bytes of a declaration's class, which is stored elsewhere. */
  readonly classSizeBytes?: number;
  /** Pays no fee; executed only while that is allowed: see `isFree`. */
  readonly isFree?: true;
  /** A bootstrap declaration, which nobody signs or pays for. */
  readonly isBootstrap?: true;
  /** Accepted with any signature: its sender was impersonated on a development chain. */
  readonly isImpersonated?: true;
}

/** Prices that decide which of two transactions with the same nonce stays. */
export type Offer = Pick<MempoolEntry, "tip" | "maxL2GasPrice">;

/** Bytes that an entry counts against byte limits. */
export function sizeBytesOf({ bytes, classSizeBytes = 0 }: MempoolEntry): number {
  return bytes.length + classSizeBytes;
}

/**
 * Limits and policies; see the chain configuration's `mempool_*` fields. All limits apply to waiting
 * transactions; those in flight are not counted.
 */
export interface MempoolLimits {
  readonly maxTransactions: number;
  /** Sum of {@link sizeBytesOf}. */
  readonly maxBytes: number;
  /** Also limits how far a nonce may be ahead of the account's next nonce. */
  readonly maxTransactionsPerAccount: number;
  readonly maxBytesPerAccount: number;
  readonly maxDeclareTransactions: number;
  /** Entries older than this are dropped; `null` keeps them. */
  readonly ttlMs: number | null;
  /** Fraction by which a replacement has to raise tip and L2 gas price, for example 0.1. */
  readonly minTipBump: number;
  readonly fullPolicy: "reject_new" | "evict_less_desirable";
  /** Order between accounts: by tip, then arrival, or by arrival alone. */
  readonly order: "tip" | "timestamp";
}

/**
 * An entry that left the mempool unexecuted: `replaced` by one with the same nonce, `evicted` to make room,
 * or overtaken by the account's nonce.
 */
export interface DroppedEntry {
  readonly entry: MempoolEntry;
  readonly cause: "replaced" | "evicted" | "nonce_used";
}

/** Why the mempool refuses an entry. */
export type AddRefusal =
  | { readonly kind: "duplicate" }
  | { readonly kind: "nonce_too_low"; readonly expected: bigint }
  | { readonly kind: "nonce_too_high"; readonly highest: bigint }
  | { readonly kind: "future_declare"; readonly expected: bigint }
  | { readonly kind: "underpriced"; readonly required: Offer }
  | { readonly kind: "in_flight" }
  | { readonly kind: "account_full"; readonly limit: number }
  | { readonly kind: "account_bytes_full"; readonly limit: number }
  | { readonly kind: "declares_full"; readonly limit: number }
  | { readonly kind: "full"; readonly limit: number }
  | { readonly kind: "bytes_full"; readonly limit: number };

/** Result of {@link Mempool.add}. `dropped` are entries that had to make room. */
export type AddOutcome =
  { readonly kind: "added"; readonly dropped: readonly DroppedEntry[] } | AddRefusal;

/** Result of {@link Mempool.restore}; `replaced` is an older entry of the same nonce. */
export type RestoreOutcome =
  | { readonly kind: "restored"; readonly replaced: MempoolEntry | undefined }
  | { readonly kind: "nonce_used"; readonly accountNonce: bigint };

/** Rank of an entry, from 0 on, lower ranks first; `null` holds it back. */
export type Ranking = (entry: MempoolEntry) => number | null;
