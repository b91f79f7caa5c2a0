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

/** A decision, with what there is of it. */
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

/** An admitter for accounts with nonce 5, and how often it validated. */
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
    impersonates: () => false,
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

describe("a transaction that is taken", () => {
  test("is in the mempool with its time of arrival", () => {
    const { admitting, pool } = admitter();
    const { outcome, entry } = admitting.admit(emptyInvoke(1n, 5n));
    expect(outcome?.kind).toBe("accepted");
    expect(entry?.receivedAtMs).toBe(77);
    expect(pool.take(9)).toEqual(entry === undefined ? [] : [entry]);
  });

  test("names what it replaces and what it evicts, with reasons", () => {
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

describe("a transaction that was here before", () => {
  test("and waits is a duplicate", () => {
    const { admitting, validated } = admitter();
    admitting.admit(emptyInvoke(1n, 5n));
    expect(admitting.admit(emptyInvoke(1n, 5n)).outcome).toEqual({
      kind: "rejected",
      code: "DUPLICATE_TX",
      reason: "the transaction is already in the mempool",
    });
    expect(validated).toHaveLength(1);
  });

  test("and is accepted is told its block, though its nonce is used", () => {
    const chain = { locate: () => ({ blockNumber: 12, index: 3 }) };
    const { admitting, validated } = admitter({ chain });
    expect(admitting.admit(emptyInvoke(1n, 0n)).outcome).toEqual({
      kind: "rejected",
      code: "DUPLICATE_TX",
      reason: "the transaction is already in block 12",
    });
    expect(validated).toEqual([]);
  });

  test("is not looked for in blocks while its nonce is unused", () => {
    const asked: bigint[] = [];
    const chain = { locate: (hash: bigint) => void asked.push(hash) };
    const { admitting } = admitter({ chain });
    expect(admitting.admit(emptyInvoke(1n, 5n)).outcome?.kind).toBe("accepted");
    expect(admitting.admit(emptyInvoke(1n, 9n)).outcome?.kind).toBe("accepted");
    expect(asked).toEqual([]);
    admitting.admit(emptyInvoke(1n, 4n));
    expect(asked).toHaveLength(1);
  });

  test("and is in the block being built is told so", () => {
    const block = { info: { number: 13 }, find: () => ({ index: 0 }) };
    const overlay = { state: () => nonceState({ 1: 1n }), blocks: () => [block] };
    const { admitting } = admitter({ overlay: () => overlay as unknown as PendingOverlay });
    expect(admitting.admit(emptyInvoke(1n, 0n)).outcome).toMatchObject({
      code: "DUPLICATE_TX",
      reason: "the transaction is already in block 13, which is being built",
    });
  });

  test("and ended the executor is refused without being run", () => {
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

  test("and was rejected for a reason that may be gone is taken", () => {
    const { admitting } = admitter({
      mempool: {
        ...UNKNOWING,
        rejectionOf: (hash) => ({ hash, cause: "rejected", reason: "", rejectedAtMs: 1 }),
      },
    });
    expect(admitting.admit(emptyInvoke(1n, 5n)).outcome?.kind).toBe("accepted");
  });
});

test("an account that is deployed is validated, whatever its nonces are", () => {
  const asked: boolean[] = [];
  const { admitting } = admitter({
    maxNonceForValidationSkip: 10,
    validate(_, __, senderIsToBeDeployed) {
      asked.push(senderIsToBeDeployed);
      return VALID;
    },
  });
  expect(admitting.admit(emptyInvoke(1n, 6n)).outcome?.kind).toBe("accepted");
  expect(asked).toEqual([false]);
});

describe("refusals that need no validation", () => {
  test.each([
    ["a nonce that is used", emptyInvoke(1n, 4n), "INVALID_TRANSACTION_NONCE", "nonce is 5"],
    ["a nonce out of reach", emptyInvoke(1n, 8n), "INVALID_TRANSACTION_NONCE", "at most nonce 7"],
    ["a deployment with nonce 1", emptyDeployAccount(9n, 1n), "INVALID_TRANSACTION_NONCE", "0"],
  ] as const)("%s", (_, transaction, code, reason) => {
    const { admitting, validated, pool } = admitter({}, { maxTransactionsPerAccount: 3 });
    const { outcome, entry } = admitting.admit(transaction);
    expect(outcome).toMatchObject({ kind: "rejected", code });
    expect(outcome?.kind === "rejected" && outcome.reason).toContain(reason);
    expect([entry, validated, pool.size]).toEqual([undefined, [], 0]);
  });

  test("a nonce that can be reached is validated", () => {
    const { admitting } = admitter({}, { maxTransactionsPerAccount: 3 });
    expect(admitting.admit(emptyInvoke(1n, 7n)).outcome?.kind).toBe("accepted");
  });
});

test("a validation that fails leaves nothing behind", () => {
  const error = { code: "VALIDATION_FAILED", kind: "x", message: "bad signature" } as const;
  const { admitting, pool } = admitter({ validate: () => ({ kind: "rejected", error }) });
  expect(admitting.admit(emptyInvoke(1n, 5n)).outcome).toMatchObject({
    code: "VALIDATION_FAILURE",
    reason: "bad signature",
  });
  expect(pool.size).toBe(0);
});

describe("a validation that takes longer than admission may wait", () => {
  test("decides nothing and leaves nothing behind", () => {
    const { admitting, pool } = admitter({ validate: () => ({ kind: "cancelled" }) });
    const { outcome, entry, rejections } = admitting.admit(emptyInvoke(1n, 5n));
    expect([outcome, entry, rejections, pool.size]).toEqual([undefined, undefined, [], 0]);
  });

  test("is not run again once another thread has done it; everything else is looked at", () => {
    const { admitting, pool, validated } = admitter();
    expect(admitting.admit(emptyInvoke(1n, 5n), EARLIER).outcome?.kind).toBe("accepted");
    expect(admitting.admit(emptyInvoke(1n, 4n), EARLIER).outcome).toMatchObject({
      code: "INVALID_TRANSACTION_NONCE",
    });
    expect([validated, pool.size]).toEqual([[], 1]);
  });
});

describe("a transaction of an impersonated account", () => {
  const impersonates = (address: bigint): boolean => address === 2n;

  test("is marked as such for the executor, and for whoever validates it", () => {
    const seen: boolean[] = [];
    const { admitting } = admitter({
      impersonates,
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

  test("is marked when it was validated on another thread, too", () => {
    const { admitting, validated } = admitter({ impersonates });
    const { entry } = admitting.admit(emptyInvoke(2n, 5n), EARLIER);
    expect(entry?.isImpersonated).toBe(true);
    expect(validated).toEqual([]);
  });

  test("has to have the account's nonce", () => {
    const { admitting } = admitter({ impersonates });
    expect(admitting.admit(emptyInvoke(2n, 4n)).outcome).toMatchObject({
      kind: "rejected",
      code: "INVALID_TRANSACTION_NONCE",
    });
  });
});
