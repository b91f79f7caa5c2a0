import { describe, expect, test } from "bun:test";
import {
  type AccountTransaction,
  encodeTransaction,
  transactionHash,
} from "#protocol/chain/index.ts";
import type { ValidationOutcome } from "#engine/execution/index.ts";
import { EARLY_WAIT_MS } from "#services/admission/early-invokes.ts";
import { decodeBatch } from "#services/admission/index.ts";
import { admissionWorld, CHAIN_ID, settle, VALID } from "#test/helpers/admission-world.ts";
import {
  emptyDeclare,
  emptyDeployAccount,
  emptyInvoke,
  WIDE_LIMITS,
} from "#test/helpers/mempool-world.ts";

const ACCOUNT = 9n;
const MAX_NONCE = 3;
/** Longer than the wait, plus one check interval. */
const OVER_MS = EARLY_WAIT_MS + 250;

const NOT_DEPLOYED: ValidationOutcome = {
  kind: "rejected",
  error: { code: "VALIDATION_FAILED", kind: "ValidateTransactionError", message: "not deployed" },
};

type Options = Parameters<typeof admissionWorld>[0];

/** Admission on a chain without deployed accounts; deployments are valid by default. */
function world(parts: Options = {}) {
  return admissionWorld({
    maxNonceForValidationSkip: MAX_NONCE,
    validate: ({ transaction }, _, isSenderUndeployed) =>
      transaction.type === "DEPLOY_ACCOUNT" || isSenderUndeployed ? VALID : NOT_DEPLOYED,
    ...parts,
  });
}

type World = Awaited<ReturnType<typeof world>>;

/** Sends transactions concurrently, numbered from 0. */
async function send(to: World, transactions: readonly AccountTransaction[]): Promise<void> {
  for (const [id, transaction] of transactions.entries()) {
    to.ask({ kind: "submit", id, bytes: encodeTransaction({ hash: 0n, transaction }) });
  }
  for (let i = 0; i < 4; i++) await settle();
}

const kinds = (of: World, count: number) =>
  Array.from({ length: count }, (_, id) => of.outcome(id)?.kind);

const withNonce = (nonce: number): AccountTransaction =>
  nonce === 0 ? emptyDeployAccount(ACCOUNT) : emptyInvoke(ACCOUNT, BigInt(nonce));

function* permutations(items: readonly number[]): Generator<readonly number[]> {
  if (items.length === 0) yield [];
  for (const [i, item] of items.entries()) {
    for (const rest of permutations(items.toSpliced(i, 1))) yield [item, ...rest];
  }
}

describe("a deployment and the account's first invokes", () => {
  test.each([...permutations([0, 1, 2, 3])].map((order) => [order.join(" "), order] as const))(
    "are accepted in the order %s, and executed in nonce order",
    async (_, order) => {
      const made = await world();
      await send(made, order.map(withNonce));
      expect(kinds(made, 4)).toEqual(Array(4).fill("accepted"));
      made.executor.tell({ kind: "take", max: 9 });
      const batch = made.executor.sent.find((message) => message.kind === "batch");
      const bytes = batch?.kind === "batch" ? batch.bytes : new Uint8Array();
      const handed = decodeBatch(bytes).map(({ transaction, prevalidated }) => {
        const { nonce } = transaction.transaction as { readonly nonce: bigint };
        return [Number(nonce), prevalidated];
      });
      // None of them is validated already: the executor does it.
      expect(handed).toEqual([0, 1, 2, 3].map((nonce) => [nonce, undefined]));
    },
  );

  test("wait while the deployment is validated on another thread", async () => {
    const made = await world({
      validate: ({ transaction }, _, isSenderUndeployed) => {
        if (transaction.type === "DEPLOY_ACCOUNT") return { kind: "cancelled" };
        return isSenderUndeployed ? VALID : NOT_DEPLOYED;
      },
    });
    const deployment = emptyDeployAccount(ACCOUNT);
    await send(made, [deployment, withNonce(1), withNonce(2)]);
    made.timer.advance(60_000);
    await settle();
    expect(kinds(made, 3)).toEqual([undefined, undefined, undefined]);
    const hash = transactionHash(deployment, CHAIN_ID);
    const bytes = encodeTransaction({ hash, transaction: deployment });
    made.ask({ kind: "submit", id: 0, bytes, validation: { prevalidated: null } });
    for (let i = 0; i < 4; i++) await settle();
    expect(kinds(made, 3)).toEqual(["accepted", "accepted", "accepted"]);
  });

  test("are rejected once the mempool has no room for the deployment", async () => {
    const made = await world({
      mempoolLimits: { ...WIDE_LIMITS, maxTransactions: 1 },
      validate({ transaction }, _, isSenderUndeployed) {
        if (transaction.type !== "DEPLOY_ACCOUNT") return isSenderUndeployed ? VALID : NOT_DEPLOYED;
        return transaction.contractAddress === ACCOUNT ? { kind: "cancelled" } : VALID;
      },
    });
    const deployment = emptyDeployAccount(ACCOUNT);
    await send(made, [deployment, withNonce(1), emptyDeployAccount(77n)]);
    expect(kinds(made, 3)).toEqual([undefined, undefined, "accepted"]);
    const bytes = encodeTransaction({
      hash: transactionHash(deployment, CHAIN_ID),
      transaction: deployment,
    });
    made.ask({ kind: "submit", id: 0, bytes, validation: { prevalidated: null } });
    await settle();
    made.timer.advance(OVER_MS);
    await settle();
    expect(kinds(made, 2)).toEqual(["rejected", "rejected"]);
  });

  test("are rejected after their awaited deployment is", async () => {
    const made = await world({
      validate: ({ transaction }, _, isSenderUndeployed) => {
        if (transaction.type === "DEPLOY_ACCOUNT") return { kind: "cancelled" };
        return isSenderUndeployed ? VALID : NOT_DEPLOYED;
      },
    });
    await send(made, [withNonce(0), withNonce(1)]);
    made.timer.advance(60_000);
    made.ask({ kind: "slowRefused", id: 0 });
    made.timer.advance(250);
    await settle();
    expect(made.outcome(1)).toMatchObject({ code: "VALIDATION_FAILURE", reason: "not deployed" });
  });
});

describe("an invoke of an account that nobody deploys", () => {
  test("is rejected for its missing account after its wait", async () => {
    const made = await world();
    await send(made, [withNonce(1)]);
    made.timer.advance(EARLY_WAIT_MS - 1);
    await settle();
    expect(made.outcome(0)).toBeUndefined();
    made.timer.advance(OVER_MS);
    await settle();
    expect(made.outcome(0)).toMatchObject({ code: "VALIDATION_FAILURE", reason: "not deployed" });
    expect(made.store.loadAll()).toEqual([]);
  });

  test.each([
    ["its nonce is too high", withNonce(MAX_NONCE + 1), {}],
    ["it would be the first transaction", emptyInvoke(ACCOUNT, 0n), {}],
    ["the chain has no such rule", withNonce(1), { maxNonceForValidationSkip: 0 }],
  ] as const)("is rejected immediately if %s", async (_, transaction, parts) => {
    const made = await world(parts);
    await send(made, [transaction]);
    expect(made.outcome(0)).toMatchObject({ code: "VALIDATION_FAILURE" });
  });

  test("is rejected immediately for any other error", async () => {
    const made = await world({
      validate: () => ({
        kind: "rejected",
        error: { code: "INSUFFICIENT_BALANCE", kind: "any", message: "too poor" },
      }),
    });
    await send(made, [withNonce(1)]);
    expect(made.outcome(0)).toMatchObject({ code: "INSUFFICIENT_ACCOUNT_BALANCE" });
  });

  test("is forgotten when the node stops", async () => {
    const made = await world();
    await send(made, [withNonce(1)]);
    await made.service.stop();
    made.timer.advance(OVER_MS);
    await settle();
    expect([made.outcome(0), made.failures]).toEqual([undefined, []]);
  });
});

test("a declaration is not accepted before its account's deployment", async () => {
  const made = await world();
  const declare = emptyDeclare(ACCOUNT, 1n);
  const declared = { contractClass: new Uint8Array(1), casmJson: null };
  made.ask({
    kind: "submit",
    id: 0,
    bytes: encodeTransaction({ hash: 0n, transaction: declare }),
    declared,
  });
  await settle();
  expect(made.outcome(0)).toMatchObject({ code: "INVALID_TRANSACTION_NONCE" });
  await send(made, [withNonce(0)]);
  made.ask({
    kind: "submit",
    id: 7,
    bytes: encodeTransaction({ hash: 0n, transaction: declare }),
    declared,
  });
  await settle();
  expect(made.outcome(7)).toMatchObject({ reason: "not deployed" });
});
