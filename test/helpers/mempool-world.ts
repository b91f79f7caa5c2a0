import type { Departure } from "#services/admission/rejection-reasons.ts";
import {
  type AccountTransaction,
  type DeclareV3,
  type DeployAccountV3,
  encodeTransaction,
  type InvokeV3,
} from "#protocol/chain/index.ts";
import { Mempool, type MempoolLimits } from "#services/admission/mempool/index.ts";
import {
  MempoolService,
  type MempoolServiceDeps,
  type Settlement,
} from "#services/admission/mempool-service.ts";
import { MEMPOOL_LIMITS } from "./mempool-entry.ts";
import type { StateReader } from "#engine/state/index.ts";
import { type MempoolEntry, openMempoolStore } from "#io/storage/index.ts";

/** Mempool dependencies of an admitter that has rejected, paused and validated nothing. */
export const UNKNOWING = {
  rejectionOf: () => undefined,
  pausedRefusal: () => undefined,
  validated: () => undefined,
};

/** Mempool limits that no test reaches. */
export const WIDE_LIMITS: MempoolLimits = {
  ...MEMPOOL_LIMITS,
  maxTransactions: 100_000,
  maxBytes: 1e9,
  maxTransactionsPerAccount: 100_000,
  maxBytesPerAccount: 1e9,
  maxDeclareTransactions: 100,
  ttlMs: null,
  order: "timestamp",
};

const FIELDS = {
  version: 3,
  signature: [],
  resourceBounds: {
    l1Gas: { maxAmount: 1n, maxPricePerUnit: 1n },
    l2Gas: { maxAmount: 1n, maxPricePerUnit: 1n },
    l1DataGas: { maxAmount: 1n, maxPricePerUnit: 1n },
  },
  tip: 0n,
  paymasterData: [],
  nonceDataAvailabilityMode: 0,
  feeDataAvailabilityMode: 0,
} as const;

/** An invoke without contents. */
export function emptyInvoke(senderAddress: bigint, nonce: bigint, tip = 0n): InvokeV3 {
  return {
    ...FIELDS,
    type: "INVOKE",
    nonce,
    tip,
    senderAddress,
    calldata: [],
    accountDeploymentData: [],
    proofFacts: [],
  };
}

/** A deploy account transaction without contents. */
export function emptyDeployAccount(contractAddress: bigint, nonce = 0n): DeployAccountV3 {
  return {
    ...FIELDS,
    type: "DEPLOY_ACCOUNT",
    nonce,
    contractAddress,
    contractAddressSalt: 1n,
    classHash: 2n,
    constructorCalldata: [],
  };
}

/** A declaration of class 3 without contents that was not checked. */
export function emptyDeclare(senderAddress: bigint, nonce: bigint, tip = 0n): DeclareV3 {
  return {
    ...FIELDS,
    type: "DECLARE",
    nonce,
    tip,
    senderAddress,
    classHash: 3n,
    compiledClassHash: 4n,
    accountDeploymentData: [],
  };
}

/** A transaction as a row of the store. */
export function storedRow(
  hash: bigint,
  transaction: AccountTransaction,
  receivedAtMs = 1,
): MempoolEntry {
  return { hash, receivedAtMs, bytes: encodeTransaction({ hash, transaction }) };
}

/** A state with nonces of accounts and nothing else. */
export function nonceState(nonces: Readonly<Record<string, bigint>> = {}): StateReader {
  return {
    storageAt: () => 0n,
    nonceAt: (address) => nonces[String(address)] ?? 0n,
    classHashAt: () => 0n,
    compiledClassHashOf: () => 0n,
    executableClass: () => undefined,
  };
}

/** Creates a settlement message of the executor, by default after block 1. */
export function settlement(fields: Partial<Settlement>): Settlement {
  const delta = { kind: "delta" as const, blockNumber: 1, sequence: 1, bytes: new Uint8Array() };
  return { kind: "settled", delta, included: [], rejected: [], requeued: [], ...fields };
}

/** A service on the store at `path`, as in a node after its start. */
export async function mempoolService(
  path: string,
  limits: Partial<MempoolLimits> = {},
  deps: Partial<MempoolServiceDeps> = {},
) {
  const store = await openMempoolStore(path, "T");
  const pool = new Mempool({ ...WIDE_LIMITS, ...limits });
  const reported: Departure[] = [];
  const nowMs = () => 5_000;
  const service = new MempoolService({
    pool,
    store,
    chain: { locate: () => undefined },
    rejectionTtlMs: 1_000_000,
    onIncluded: () => undefined,
    onRejected: (departures) => void reported.push(...departures),
    nowMs,
    ...deps,
  });
  return { store, pool, service, reported };
}
