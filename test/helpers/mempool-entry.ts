import { type MempoolEntry, type MempoolLimits } from "#services/admission/mempool/index.ts";

/** Mempool limits that a test reaches only on purpose. */
export const MEMPOOL_LIMITS: MempoolLimits = {
  maxTransactions: 100,
  maxBytes: 100_000,
  maxTransactionsPerAccount: 20,
  maxBytesPerAccount: 10_000,
  maxDeclareTransactions: 2,
  ttlMs: 1000,
  minTipBump: 0.1,
  fullPolicy: "reject_new",
  order: "tip",
};

let nextHash = 1n;

/** A pending invoke with a unique hash. */
export function mempoolEntry(fields: Partial<MempoolEntry>): MempoolEntry {
  return {
    hash: nextHash++,
    sender: 1n,
    nonce: 0n,
    tip: 0n,
    maxL2GasPrice: 0n,
    maxFee: 0n,
    gasLimit: 0n,
    kind: "INVOKE",
    receivedAtMs: 0,
    bytes: new Uint8Array(),
    ...fields,
  };
}
