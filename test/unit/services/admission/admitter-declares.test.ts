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

/** A transaction as another thread has hashed it. */
function hashed(transaction: AccountTransaction) {
  return encodedTransaction({ hash: transactionHash(transaction, CHAIN_ID), transaction });
}

/** An admitter for accounts with nonce 5. */
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
    impersonates: () => false,
    validate({ hash }) {
      validated.push(hash);
      return VALID;
    },
    nowMs: () => 77,
    ...deps,
  });
  /** Admits a transaction, a declaration with its class unless told. */
  const admit = (transaction: AccountTransaction, metadata: SubmissionMetadata = COMPILED) =>
    admitter.admit(hashed(transaction).bytes, metadata);
  /** What is said against a transaction whose class has `classSizeBytes`. */
  const refusalOf = (transaction: AccountTransaction, classSizeBytes = 100) =>
    admitter.refusalOf(hashed(transaction).bytes, classSizeBytes);
  return { admitter, admit, refusalOf, pool, validated };
}

const DECLARE = emptyDeclare(1n, 5n);

describe("a declaration that is taken", () => {
  test("is not validated again, and its answer names its class", () => {
    const { admit, validated, pool } = world();
    const { hash } = hashed(DECLARE);
    expect(admit(DECLARE)).toMatchObject({
      kind: "taken",
      prevalidated: undefined,
      outcome: { kind: "accepted", transactionHash: hash, classHash: DECLARE.classHash },
    });
    expect([validated, pool.size]).toEqual([[], 1]);
  });

  test("counts with its class", () => {
    const { admit, pool } = world();
    admit(DECLARE);
    expect(pool.bytes).toBe(hashed(DECLARE).bytes.length + 100);
  });

  test("does not name a class when it is an invoke", () => {
    const admitted = world().admit(emptyInvoke(1n, 5n), {});
    expect(admitted.kind === "taken" && admitted.outcome).not.toHaveProperty("classHash");
  });
});

test("a declaration without its class is refused, validated or not", () => {
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

describe("what is against a declaration before it is compiled", () => {
  test("is nothing when it may come; then nothing has changed", () => {
    const { refusalOf, pool, validated } = world();
    expect(refusalOf(DECLARE)).toBeUndefined();
    expect([pool.size, validated]).toEqual([0, []]);
  });

  test.each([
    ["its fields", { ...DECLARE, paymasterData: [1n] }, "UNEXPECTED_ERROR", "paymaster_data"],
    ["a nonce that is used", emptyDeclare(1n, 4n), "INVALID_TRANSACTION_NONCE", "nonce is 5"],
    ["a nonce ahead", emptyDeclare(1n, 6n), "INVALID_TRANSACTION_NONCE", "next nonce 5"],
  ] as const)("is %s", (_, transaction, code, reason) => {
    const refusal = world().refusalOf(transaction);
    expect(refusal).toMatchObject({ kind: "rejected", code });
    expect(refusal?.reason).toContain(reason);
  });

  test("is not a nonce that follows one that waits", () => {
    const { admit, refusalOf } = world();
    admit(DECLARE);
    expect(refusalOf(emptyDeclare(1n, 6n))).toBeUndefined();
  });

  test("is that it waits already", () => {
    const { admit, refusalOf } = world();
    admit(DECLARE);
    expect(refusalOf(DECLARE)).toMatchObject({ code: "DUPLICATE_TX" });
  });

  test("is that it does not replace the one that waits", () => {
    const { admit, refusalOf } = world();
    admit(emptyDeclare(1n, 5n, 100n));
    expect(refusalOf(emptyDeclare(1n, 5n, 101n))).toMatchObject({
      code: "REPLACEMENT_TRANSACTION_UNDERPRICED",
    });
  });

  test("is that it is in a block", () => {
    const { refusalOf } = world({ chain: { locate: () => ({ blockNumber: 12, index: 3 }) } });
    expect(refusalOf(DECLARE)).toMatchObject({ code: "DUPLICATE_TX" });
  });

  test("is that something died of it", () => {
    const { refusalOf } = world({
      mempool: {
        ...UNKNOWING,
        rejectionOf: (hash) => ({ hash, cause: "fatal", reason: "it killed", rejectedAtMs: 1 }),
      },
    });
    expect(refusalOf(DECLARE)).toMatchObject({ code: "UNEXPECTED_ERROR", reason: "it killed" });
  });

  test("is that enough declarations wait", () => {
    const { admit, refusalOf } = world({}, { maxDeclareTransactions: 1 });
    admit(emptyDeclare(2n, 5n));
    expect(refusalOf(DECLARE)?.reason).toContain("1 declare");
  });

  test("is the size of its class, when the mempool has no room for it", () => {
    const { length } = hashed(DECLARE).bytes;
    const { refusalOf } = world({}, { maxBytes: length + 100 });
    expect(refusalOf(DECLARE, 100)).toBeUndefined();
    expect(refusalOf(DECLARE, 101)).toMatchObject({ code: "UNEXPECTED_ERROR" });
  });
});
