import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  type AccountTransaction,
  encodeTransaction,
  transactionHash,
} from "#protocol/chain/index.ts";
import type { ValidationOutcome } from "#engine/execution/index.ts";
import { positionAt } from "#engine/state/index.ts";
import type { FromAdmission, ToAdmission } from "#services/admission/index.ts";
import type { AdmissionToExecutor, ExecutorToAdmission } from "#services/admission/messages.ts";
import type {
  AdmissionToValidator,
  ValidatorToAdmission,
} from "#services/admission/validator-service.ts";
import { EARLY_WAIT_MS } from "#services/admission/early-invokes.ts";
import { PendingFeed } from "#services/admission/pending-feed.ts";
import { admissionWorld, CHAIN_ID, LATEST, settle, VALID } from "#test/helpers/admission-world.ts";
import { fakePort } from "#test/helpers/fake-port.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { numberedChain } from "#test/helpers/memory-chain.ts";
import {
  emptyDeclare,
  emptyDeployAccount,
  emptyInvoke,
  nonceState,
  WIDE_LIMITS,
} from "#test/helpers/mempool-world.ts";
import { assertProperty } from "#test/helpers/property.ts";

/** Accounts with nonce 2, one of which is impersonated; two that are not deployed. */
const ACCOUNTS = [1n, 2n, 3n] as const;
const IMPERSONATED = 3n;
const UNDEPLOYED = [8n, 9n] as const;

const REFUSED: ValidationOutcome = {
  kind: "rejected",
  error: { code: "VALIDATION_FAILED", kind: "ValidateTransactionError", message: "no" },
};

/** Admission whose accounts validate by the tip, in a small mempool. */
function world(validators: number) {
  const timer = new FakeTimer();
  const state = {
    ...nonceState({ 1: 2n, 2: 2n, 3: 2n }),
    classHashAt: (address: bigint) => (address < 8n ? 7n : 0n),
  };
  return admissionWorld(
    {
      timer,
      feed: new PendingFeed(
        numberedChain(LATEST, () => state),
        timer,
      ),
      chain: {
        locate: (hash) => (hash % 3n === 0n ? { blockNumber: 2, index: 0 } : undefined),
      },
      maxNonceForValidationSkip: 3,
      mempoolLimits: {
        ...WIDE_LIMITS,
        maxTransactions: 8,
        maxTransactionsPerAccount: 4,
        fullPolicy: "evict_less_desirable",
        order: "tip",
      },
      isImpersonatedAccount: (address) => address === IMPERSONATED,
      validate({ transaction }, _, isSenderUndeployed, isImpersonated) {
        const tip = transaction.version === 3 ? transaction.tip : 0n;
        if (isImpersonated || isSenderUndeployed) return { ...VALID, skipped: true };
        if (tip === 3n) return { kind: "cancelled" };
        return tip === 2n ? REFUSED : VALID;
      },
    },
    [],
    validators,
  );
}

type World = Awaited<ReturnType<typeof world>>;

const transactions: fc.Arbitrary<AccountTransaction> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.constantFrom(...ACCOUNTS, ...UNDEPLOYED), fc.bigInt(0n, 6n), fc.bigInt(0n, 5n))
      .map(([sender, nonce, tip]) => emptyInvoke(sender, nonce, tip)),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...UNDEPLOYED), fc.bigInt(0n, 1n))
      .map(([sender, nonce]) => emptyDeployAccount(sender, nonce)),
  },
  { weight: 1, arbitrary: fc.bigInt(2n, 3n).map((nonce) => emptyDeclare(1n, nonce)) },
);

const steps = fc.array(
  fc.oneof(
    { weight: 9, arbitrary: transactions },
    { weight: 1, arbitrary: fc.constantFrom("take", "wait", "list") },
  ),
  { minLength: 1, maxLength: 24 },
);

type Step = typeof steps extends fc.Arbitrary<(infer One)[]> ? One : never;

/**
 * Runs the steps in sequence.
 * @returns all messages sent
 */
async function run(on: World, all: readonly Step[]): Promise<unknown> {
  for (const [id, step] of all.entries()) {
    if (step === "take") on.executor.tell({ kind: "take", max: 2 });
    else if (step === "wait") on.timer.advance(EARLY_WAIT_MS + 250);
    else if (step === "list") {
      on.ask({ kind: "list", id, offset: 0, limit: 100, selection: {} });
    } else
      on.ask({ kind: "submit", id, bytes: encodeTransaction({ hash: 0n, transaction: step }) });
    await settle();
    await settle();
  }
  on.timer.advance(2 * EARLY_WAIT_MS);
  await settle();
  const told = on.replies().filter(({ kind }) => kind !== "validated" && kind !== "mempoolSize");
  return [told, on.executor.sent, on.store.loadAll(), on.failures];
}

test("all messages are the same with and without validators", async () => {
  await assertProperty(
    fc.asyncProperty(steps, async (all) => {
      const alone = await run(await world(0), all);
      expect(await run(await world(3), all)).toEqual(alone);
    }),
    { numRuns: 60 },
  );
});

describe("with validators", () => {
  const submission = (id: number, transaction: AccountTransaction) =>
    ({ kind: "submit", id, bytes: encodeTransaction({ hash: 0n, transaction }) }) as const;

  test("the submissions of a sender are accepted in the order of arrival", async () => {
    const on = await world(4);
    for (const [id, nonce] of [2n, 3n, 4n, 5n].entries()) {
      for (const [at, sender] of [1n, 2n].entries()) {
        on.ask(submission(id * 2 + at, emptyInvoke(sender, nonce)));
      }
    }
    for (let i = 0; i < 4; i++) await settle();
    const order = on.store.loadAll().map(({ hash }) => hash);
    for (const sender of [1n, 2n]) {
      const sent = [2n, 3n, 4n, 5n].map((nonce) =>
        transactionHash(emptyInvoke(sender, nonce), CHAIN_ID),
      );
      expect(order.filter((hash) => sent.includes(hash))).toEqual(sent);
    }
  });

  test("a transaction that crashed the node is not validated again", async () => {
    const fatal = emptyInvoke(1n, 2n);
    const hash = transactionHash(fatal, CHAIN_ID);
    const validated: bigint[] = [];
    const on = await admissionWorld(
      {
        validate(hashed) {
          validated.push(hashed.hash);
          return VALID;
        },
      },
      [],
      2,
      [{ hash, cause: "fatal", reason: "it killed", rejectedAtMs: 1 }],
    );
    on.ask(submission(0, fatal));
    on.ask(submission(1, emptyInvoke(1n, 3n)));
    for (let i = 0; i < 4; i++) await settle();
    expect(on.outcome(0)).toMatchObject({ code: "UNEXPECTED_ERROR", reason: "it killed" });
    expect(validated).toEqual([transactionHash(emptyInvoke(1n, 3n), CHAIN_ID)]);
  });

  test("admission reaches a validator's position before it decides", async () => {
    const main = fakePort<ToAdmission, FromAdmission>();
    const committer = fakePort<{ readonly blockNumber: number }, never>();
    const validator = fakePort<ValidatorToAdmission, AdmissionToValidator>();
    const executor = fakePort<ExecutorToAdmission, AdmissionToExecutor>();
    await admissionWorld({ ports: { main, executor, committer, validators: [validator] } });
    expect(validator.sent).toEqual([{ kind: "fatal", hashes: [] }]);
    const refusal = { kind: "rejected", code: "NON_ACCOUNT", reason: "none" } as const;
    const arrival = (id: number, accepted: number): ValidatorToAdmission => ({
      kind: "checked",
      id,
      costMs: 2.5,
      checked: { kind: "refused", refusal },
      waiting: 3,
      position: positionAt(accepted),
    });
    validator.tell(arrival(1, LATEST + 1));
    await settle();
    expect(main.sent).toEqual([]);
    committer.tell({ blockNumber: LATEST + 1 });
    await settle();
    expect(main.sent.filter(({ kind }) => kind !== "mempoolSize")).toMatchObject([
      { kind: "validated", id: 1, costMs: 2.5 },
      { kind: "submitted", outcomes: [{ id: 1, outcome: refusal }] },
    ]);
    // A deferred message may arrive soon.
    executor.tell({ kind: "take", max: 1 });
    validator.tell({ ...arrival(2, LATEST), waiting: 0 });
    await settle();
    executor.tell({ kind: "take", max: 1 });
    expect(executor.sent).toMatchObject([
      { kind: "batch", coming: 3 },
      { kind: "batch", coming: 0 },
    ]);
  });
});
