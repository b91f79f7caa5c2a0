import { describe, expect, test } from "bun:test";
import {
  type AccountTransaction,
  encodedTransaction,
  transactionHash,
} from "#protocol/chain/index.ts";
import type { PendingOverlay } from "#engine/state/index.ts";
import type { ValidationOutcome } from "#engine/execution/index.ts";
import {
  Admitter,
  type AdmitterDeps,
  type SubmissionMetadata,
} from "#services/admission/admitter.ts";
import { Mempool, type MempoolLimits } from "#services/admission/mempool/index.ts";
import {
  emptyDeclare,
  emptyInvoke,
  nonceState,
  UNKNOWING,
  WIDE_LIMITS,
} from "#test/helpers/mempool-world.ts";

const CHAIN_ID = 1n;
const VALID = { kind: "valid" } as unknown as ValidationOutcome;
const DECLARED = { contractClass: new Uint8Array(100), casmJson: "{}" };
const COMPILED: SubmissionMetadata = { validation: { prevalidated: null }, declared: DECLARED };

/** Transaction that another thread has hashed. */
function hashed(transaction: AccountTransaction) {
  return encodedTransaction({ hash: transactionHash(transaction, CHAIN_ID), transaction });
}

/** Admitter for accounts with nonce 5. */
function world(deps: Partial<AdmitterDeps> = {}, limits: Partial<MempoolLimits> = {}) {
  const pool = new Mempool({ ...WIDE_LIMITS, ...limits });
  const validated: bigint[] = [];
  const overlay = { state: () => nonceState({ 1: 5n, 2: 5n }), blocks: () => [] };
  const admitter = new Admitter({
    chainId: CHAIN_ID,
    free: { refusalOf: () => undefined },
    limits: {
      maxCalldataLength: 10,
      chargeFees: true,
      takesFree: false,
      maxFeeTransactions: false,
    },
    maxNonceForValidationSkip: 0,
    pool,
    chain: { locate: () => undefined },
    overlay: () => overlay as unknown as PendingOverlay,
    mempool: UNKNOWING,
    isImpersonatedAccount: () => false,
    validate({ hash }) {
      validated.push(hash);
      return VALID;
    },
    nowMs: () => 77,
    ...deps,
  });
  /** Admits a transaction, by default a declaration with its class. */
  const admit = (transaction: AccountTransaction, metadata: SubmissionMetadata = COMPILED) =>
    admitter.admit(hashed(transaction).bytes, metadata);
  /** Refusal of a transaction whose class has `classSizeBytes`. */
  const refusalOf = (transaction: AccountTransaction, classSizeBytes = 100) =>
    admitter.refusalOf(hashed(transaction).bytes, classSizeBytes);
  return { admitter, admit, refusalOf, pool, validated };
}

const DECLARE = emptyDeclare(1n, 5n);

describe("an accepted declaration", () => {
  test("is not validated again, and the outcome contains its class hash", () => {
    const { admit, validated, pool } = world();
    const { hash } = hashed(DECLARE);
    expect(admit(DECLARE)).toMatchObject({
      kind: "taken",
      prevalidated: undefined,
      outcome: { kind: "accepted", transactionHash: hash, classHash: DECLARE.classHash },
    });
    expect([validated, pool.size]).toEqual([[], 1]);
  });

  test("counts the size of its class", () => {
    const { admit, pool } = world();
    admit(DECLARE);
    expect(pool.bytes).toBe(hashed(DECLARE).bytes.length + 100);
  });

  test("an invoke has no class hash in its outcome", () => {
    const admitted = world().admit(emptyInvoke(1n, 5n), {});
    expect(admitted.kind === "taken" && admitted.outcome).not.toHaveProperty("classHash");
  });
});

test("a declaration without its class is rejected, validated or not", () => {
  const { admit, pool, validated } = world();
  for (const metadata of [{}, { validation: { prevalidated: null } }]) {
    expect(admit(DECLARE, metadata)).toEqual({
      kind: "refused",
      refusal: {
        kind: "rejected",
        code: "UNEXPECTED_ERROR",
        reason: "a declaration must include its class",
      },
    });
  }
  expect([pool.size, validated]).toEqual([0, []]);
});

describe("the refusal of a declaration before compilation", () => {
  test("is undefined for an acceptable one, and nothing changes", () => {
    const { refusalOf, pool, validated } = world();
    expect(refusalOf(DECLARE)).toBeUndefined();
    expect([pool.size, validated]).toEqual([0, []]);
  });

  test.each([
    ["its fields", { ...DECLARE, paymasterData: [1n] }, "UNEXPECTED_ERROR", "paymaster_data"],
    ["a used nonce", emptyDeclare(1n, 4n), "INVALID_TRANSACTION_NONCE", "nonce is 5"],
    ["a future nonce", emptyDeclare(1n, 6n), "INVALID_TRANSACTION_NONCE", "next nonce 5"],
  ] as const)("names %s", (_, transaction, code, reason) => {
    const refusal = world().refusalOf(transaction);
    expect(refusal).toMatchObject({ kind: "rejected", code });
    expect(refusal?.reason).toContain(reason);
  });

  test("is undefined for a nonce that follows a pending one", () => {
    const { admit, refusalOf } = world();
    admit(DECLARE);
    expect(refusalOf(emptyDeclare(1n, 6n))).toBeUndefined();
  });

  test("says that the declaration is already pending", () => {
    const { admit, refusalOf } = world();
    admit(DECLARE);
    expect(refusalOf(DECLARE)).toMatchObject({ code: "DUPLICATE_TX" });
  });

  test("says that it does not replace the pending one", () => {
    const { admit, refusalOf } = world();
    admit(emptyDeclare(1n, 5n, 100n));
    expect(refusalOf(emptyDeclare(1n, 5n, 101n))).toMatchObject({
      code: "REPLACEMENT_TRANSACTION_UNDERPRICED",
    });
  });

  test("says that it is in a block", () => {
    const { refusalOf } = world({ chain: { locate: () => ({ blockNumber: 12, index: 3 }) } });
    expect(refusalOf(DECLARE)).toMatchObject({ code: "DUPLICATE_TX" });
  });

  test("says that it crashed the node", () => {
    const { refusalOf } = world({
      mempool: {
        ...UNKNOWING,
        rejectionOf: (hash) => ({ hash, cause: "fatal", reason: "it killed", rejectedAtMs: 1 }),
      },
    });
    expect(refusalOf(DECLARE)).toMatchObject({ code: "UNEXPECTED_ERROR", reason: "it killed" });
  });

  test("says that too many declarations are pending", () => {
    const { admit, refusalOf } = world({}, { maxDeclareTransactions: 1 });
    admit(emptyDeclare(2n, 5n));
    expect(refusalOf(DECLARE)?.reason).toContain("1 declare");
  });

  test("says that the mempool has no room for its class", () => {
    const { length } = hashed(DECLARE).bytes;
    const { refusalOf } = world({}, { maxBytes: length + 100 });
    expect(refusalOf(DECLARE, 100)).toBeUndefined();
    expect(refusalOf(DECLARE, 101)).toMatchObject({ code: "UNEXPECTED_ERROR" });
  });
});
