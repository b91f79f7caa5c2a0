import { describe, expect, test } from "bun:test";
import { type AccountTransaction, encodeUnhashed } from "#protocol/chain/index.ts";
import type { ValidationOutcome } from "#engine/execution/index.ts";
import { Mempool, type MempoolLimits } from "#services/admission/mempool/index.ts";
import {
  type Admitted,
  Admitter,
  type AdmitterDeps,
  type SubmissionMetadata,
} from "#services/admission/admitter.ts";
import type { PendingOverlay } from "#engine/state/index.ts";
import {
  emptyDeployAccount,
  emptyInvoke,
  nonceState,
  UNKNOWING,
  WIDE_LIMITS,
} from "#test/helpers/mempool-world.ts";

const EARLIER: SubmissionMetadata = { validation: { prevalidated: null } };
const VALID = { kind: "valid" } as unknown as ValidationOutcome;

/** A decision with all its parts. */
function told(admitted: Admitted) {
  switch (admitted.kind) {
    case "taken":
      return admitted;
    case "refused":
      return { outcome: admitted.refusal, entry: undefined, rejections: [] };
    case "undecided":
    case "early":
      return { outcome: undefined, entry: undefined, rejections: [] };
  }
}

/** Admitter for accounts with nonce 5, with the validated transactions. */
function admitter(deps: Partial<AdmitterDeps> = {}, limits: Partial<MempoolLimits> = {}) {
  const pool = new Mempool({ ...WIDE_LIMITS, ...limits });
  const state = nonceState({ 1: 5n, 2: 5n, 3: 5n });
  const validated: bigint[] = [];
  const overlay = { state: () => state, blocks: () => [] } as unknown as PendingOverlay;
  const admitter = new Admitter({
    chainId: 1n,
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
    overlay: () => overlay,
    mempool: UNKNOWING,
    isImpersonatedAccount: () => false,
    validate({ hash }) {
      validated.push(hash);
      return VALID;
    },
    nowMs: () => 77,
    ...deps,
  });
  const admitting = {
    admit: (transaction: AccountTransaction, metadata?: SubmissionMetadata) =>
      told(admitter.admit(encodeUnhashed(transaction), metadata)),
  };
  return { admitting, admitter, pool, validated };
}

describe("an accepted transaction", () => {
  test("is in the mempool with its time of arrival", () => {
    const { admitting, pool } = admitter();
    const { outcome, entry } = admitting.admit(emptyInvoke(1n, 5n));
    expect(outcome?.kind).toBe("accepted");
    expect(entry?.receivedAtMs).toBe(77);
    expect(pool.take(9)).toEqual(entry === undefined ? [] : [entry]);
  });

  test("names replaced and evicted transactions, with reasons", () => {
    const limits = { maxTransactions: 2, fullPolicy: "evict_less_desirable" } as const;
    const { admitting } = admitter({}, limits);
    const first = admitting.admit(emptyInvoke(1n, 5n));
    const second = admitting.admit(emptyInvoke(1n, 5n, 9n));
    expect(second.rejections).toEqual([
      {
        hash: first.entry?.hash ?? 0n,
        sender: 1n,
        cause: "replaced",
        code: "REPLACED",
        reason: `the transaction was replaced: 0x${second.entry?.hash.toString(16)} has its nonce 5`,
        rejectedAtMs: 77,
      },
    ]);
    const far = admitting.admit(emptyInvoke(2n, 7n));
    const third = admitting.admit(emptyInvoke(3n, 5n));
    expect(third.rejections).toMatchObject([{ hash: far.entry?.hash, cause: "evicted" }]);
  });
});

describe("a transaction that was received before", () => {
  test("is a duplicate while it is pending", () => {
    const { admitting, validated } = admitter();
    admitting.admit(emptyInvoke(1n, 5n));
    expect(admitting.admit(emptyInvoke(1n, 5n)).outcome).toEqual({
      kind: "rejected",
      code: "DUPLICATE_TX",
      reason: "the transaction is already in the mempool",
    });
    expect(validated).toHaveLength(1);
  });

  test("is rejected with the number of its accepted block, even though its nonce is used", () => {
    const chain = { locate: () => ({ blockNumber: 12, index: 3 }) };
    const { admitting, validated } = admitter({ chain });
    expect(admitting.admit(emptyInvoke(1n, 0n)).outcome).toEqual({
      kind: "rejected",
      code: "DUPLICATE_TX",
      reason: "the transaction is already in block 12",
    });
    expect(validated).toEqual([]);
  });

  test("is searched in blocks only if its nonce is used", () => {
    const asked: bigint[] = [];
    const chain = { locate: (hash: bigint) => void asked.push(hash) };
    const { admitting } = admitter({ chain });
    expect(admitting.admit(emptyInvoke(1n, 5n)).outcome?.kind).toBe("accepted");
    expect(admitting.admit(emptyInvoke(1n, 9n)).outcome?.kind).toBe("accepted");
    expect(asked).toEqual([]);
    admitting.admit(emptyInvoke(1n, 4n));
    expect(asked).toHaveLength(1);
  });

  test("is rejected with the number of the block being built", () => {
    const block = { info: { number: 13 }, find: () => ({ index: 0 }) };
    const overlay = { state: () => nonceState({ 1: 1n }), blocks: () => [block] };
    const { admitting } = admitter({ overlay: () => overlay as unknown as PendingOverlay });
    expect(admitting.admit(emptyInvoke(1n, 0n)).outcome).toMatchObject({
      code: "DUPLICATE_TX",
      reason: "the transaction is already in block 13, which is being built",
    });
  });

  test("is rejected without execution if it crashed the executor", () => {
    const { admitting, validated } = admitter({
      mempool: {
        ...UNKNOWING,
        rejectionOf: (hash) => ({ hash, cause: "fatal", reason: "it killed", rejectedAtMs: 1 }),
      },
    });
    expect(admitting.admit(emptyInvoke(1n, 5n)).outcome).toEqual({
      kind: "rejected",
      code: "UNEXPECTED_ERROR",
      reason: "it killed",
    });
    expect(validated).toEqual([]);
  });

  test("is accepted if it was rejected for a temporary reason", () => {
    const { admitting } = admitter({
      mempool: {
        ...UNKNOWING,
        rejectionOf: (hash) => ({ hash, cause: "rejected", reason: "", rejectedAtMs: 1 }),
      },
    });
    expect(admitting.admit(emptyInvoke(1n, 5n)).outcome?.kind).toBe("accepted");
  });
});

test("transactions of a deployed account are validated, whatever their nonces", () => {
  const asked: boolean[] = [];
  const { admitting } = admitter({
    maxNonceForValidationSkip: 10,
    validate(_, __, isSenderUndeployed) {
      asked.push(isSenderUndeployed);
      return VALID;
    },
  });
  expect(admitting.admit(emptyInvoke(1n, 6n)).outcome?.kind).toBe("accepted");
  expect(asked).toEqual([false]);
});

describe("refusals without validation", () => {
  test.each([
    ["a used nonce", emptyInvoke(1n, 4n), "INVALID_TRANSACTION_NONCE", "nonce is 5"],
    [
      "a nonce that is too high",
      emptyInvoke(1n, 8n),
      "INVALID_TRANSACTION_NONCE",
      "at most nonce 7",
    ],
    ["a deployment with nonce 1", emptyDeployAccount(9n, 1n), "INVALID_TRANSACTION_NONCE", "0"],
  ] as const)("%s", (_, transaction, code, reason) => {
    const { admitting, validated, pool } = admitter({}, { maxTransactionsPerAccount: 3 });
    const { outcome, entry } = admitting.admit(transaction);
    expect(outcome).toMatchObject({ kind: "rejected", code });
    expect(outcome?.kind === "rejected" && outcome.reason).toContain(reason);
    expect([entry, validated, pool.size]).toEqual([undefined, [], 0]);
  });

  test("a reachable nonce is validated", () => {
    const { admitting } = admitter({}, { maxTransactionsPerAccount: 3 });
    expect(admitting.admit(emptyInvoke(1n, 7n)).outcome?.kind).toBe("accepted");
  });
});

test("a failed validation leaves no entry", () => {
  const error = { code: "VALIDATION_FAILED", kind: "x", message: "bad signature" } as const;
  const { admitting, pool } = admitter({ validate: () => ({ kind: "rejected", error }) });
  expect(admitting.admit(emptyInvoke(1n, 5n)).outcome).toMatchObject({
    code: "VALIDATION_FAILURE",
    reason: "bad signature",
  });
  expect(pool.size).toBe(0);
});

describe("a validation above the time limit of admission", () => {
  test("has no outcome and leaves no entry", () => {
    const { admitting, pool } = admitter({ validate: () => ({ kind: "cancelled" }) });
    const { outcome, entry, rejections } = admitting.admit(emptyInvoke(1n, 5n));
    expect([outcome, entry, rejections, pool.size]).toEqual([undefined, undefined, [], 0]);
  });

  test("is not repeated after another thread did it, but all other checks are", () => {
    const { admitting, pool, validated } = admitter();
    expect(admitting.admit(emptyInvoke(1n, 5n), EARLIER).outcome?.kind).toBe("accepted");
    expect(admitting.admit(emptyInvoke(1n, 4n), EARLIER).outcome).toMatchObject({
      code: "INVALID_TRANSACTION_NONCE",
    });
    expect([validated, pool.size]).toEqual([[], 1]);
  });
});

describe("a transaction of an impersonated account", () => {
  const isImpersonatedAccount = (address: bigint): boolean => address === 2n;

  test("is marked as impersonated for the executor and the validator", () => {
    const seen: boolean[] = [];
    const { admitting } = admitter({
      isImpersonatedAccount,
      validate(_hashed, _overlay, _isToBeDeployed, isImpersonated) {
        seen.push(isImpersonated);
        return VALID;
      },
    });
    const [honest, impersonated] = [1n, 2n].map((sender) =>
      admitting.admit(emptyInvoke(sender, 5n)),
    );
    expect(honest?.entry).not.toHaveProperty("isImpersonated");
    expect(impersonated?.entry?.isImpersonated).toBe(true);
    expect(seen).toEqual([false, true]);
  });

  test("is also marked after validation on another thread", () => {
    const { admitting, validated } = admitter({ isImpersonatedAccount });
    const { entry } = admitting.admit(emptyInvoke(2n, 5n), EARLIER);
    expect(entry?.isImpersonated).toBe(true);
    expect(validated).toEqual([]);
  });

  test("must have the account's nonce", () => {
    const { admitting } = admitter({ isImpersonatedAccount });
    expect(admitting.admit(emptyInvoke(2n, 4n)).outcome).toMatchObject({
      kind: "rejected",
      code: "INVALID_TRANSACTION_NONCE",
    });
  });
});
