import { describe, expect, test } from "bun:test";
import { feltFromShortString } from "#base/primitives/index.ts";
import {
  type AccountTransaction,
  encodedTransaction,
  emptyStateDiff,
  transactionHash,
} from "#protocol/chain/index.ts";
import { encodePendingDelta } from "#engine/state/index.ts";
import { SWEEP_STEP } from "#services/admission/free-transaction-gate.ts";
import { MAX_BOOTSTRAP_DECLARES, NOT_FREE } from "#services/admission/free-transactions.ts";
import { admissionWorld, CHAIN_ID, LATEST, settle } from "#test/helpers/admission-world.ts";
import { testDelta } from "#test/helpers/blocks.ts";
import { emptyDeclare, emptyInvoke, storedRow } from "#test/helpers/mempool-world.ts";

const TOKEN = 0x70ce4n;
const AMOUNT = { maxAmount: 9n, maxPricePerUnit: 0n };
const BOUNDS = { l1Gas: AMOUNT, l2Gas: AMOUNT, l1DataGas: AMOUNT };
const free = (sender: bigint, nonce = 0n): AccountTransaction => ({
  ...emptyInvoke(sender, nonce),
  resourceBounds: BOUNDS,
});
const BOOTSTRAP = {
  ...emptyDeclare(feltFromShortString("BOOTSTRAP"), 0n),
  resourceBounds: BOUNDS,
};

const limits = {
  maxCalldataLength: 10,
  chargeFees: true,
  takesFree: true,
  maxFeeTransactions: false,
};

async function world(bootstrapDeclares = 0, waiting = 0, validators = 0) {
  const rules = { policy: "untilToken", nativeFeeToken: TOKEN } as const;
  const stored = Array.from({ length: waiting }, (_, i) =>
    storedRow(BigInt(i + 1), free(BigInt(i + 1)), 1_000_000),
  );
  const made = await admissionWorld({ limits, free: rules, bootstrapDeclares }, stored, validators);
  let sequence = 0;
  /** Includes transactions as the executor does; one may deploy the token. */
  const include = (included: readonly bigint[], deploysToken: boolean, requeued: bigint[] = []) => {
    const diff = emptyStateDiff();
    if (deploysToken) diff.deployedContracts.set(TOKEN, 5n);
    const { info, ...later } = testDelta(LATEST + 1, { diff, sequence });
    const bytes = encodePendingDelta(
      sequence === 0 ? { ...later, info } : { ...later, info: null },
    );
    const delta = { kind: "delta", blockNumber: LATEST + 1, sequence: sequence++, bytes } as const;
    made.executor.tell({ kind: "settled", delta, included, rejected: [], requeued });
  };
  const hashOf = (id: number): bigint => {
    const outcome = made.outcome(id);
    return outcome?.kind === "accepted" ? outcome.transactionHash : -1n;
  };
  const rejected = () =>
    made.main.sent.flatMap((reply) => (reply.kind === "rejected" ? reply.rejections : []));
  const handed = () =>
    made.executor.sent.flatMap((message) => (message.kind === "batch" ? [message.count] : []));
  return { ...made, include, hashOf, rejected, handed };
}

describe("free transactions", () => {
  test.each([0, 2])(
    "are accepted, with %p validators, until the fee token has a contract",
    async (count) => {
      const made = await world(0, 0, count);
      const { executor, include, outcome, rejected, hashOf, handed } = made;
      const submit = async (id: number, transaction: AccountTransaction): Promise<void> => {
        await made.submit(id, transaction);
        await settle();
      };
      await submit(1, free(1n));
      await submit(2, free(2n));
      await submit(3, emptyInvoke(3n, 0n));
      executor.tell({ kind: "take", max: 1 });
      include([hashOf(1)], false);
      await submit(4, free(4n));
      expect(outcome(4)?.kind).toBe("accepted");
      expect(rejected()).toEqual([]);
      include([], true);
      await settle();
      expect(rejected().map(({ hash, reason }) => [hash, reason])).toEqual([
        [hashOf(2), NOT_FREE],
        [hashOf(4), NOT_FREE],
      ]);
      await submit(5, free(5n));
      expect(outcome(5)).toMatchObject({ kind: "rejected", reason: NOT_FREE });
      executor.tell({ kind: "take", max: 9 });
      expect(handed().at(-1)).toBe(1);
    },
  );

  test("are not sent to the executor while a long sweep drops them", async () => {
    const { executor, include, rejected, handed } = await world(0, SWEEP_STEP + 5);
    include([], true);
    expect(rejected()).toHaveLength(SWEEP_STEP);
    executor.tell({ kind: "take", max: 9 });
    expect(handed()).toEqual([0]);
    include([], false);
    expect(rejected()).toHaveLength(SWEEP_STEP + 5);
  });

  test("are also dropped when the executor returns them later", async () => {
    const { submit, executor, include, rejected, hashOf } = await world();
    await submit(1, free(1n));
    executor.tell({ kind: "take", max: 1 });
    include([], true);
    expect(rejected()).toEqual([]);
    include([], false, [hashOf(1)]);
    expect(rejected().map(({ hash }) => hash)).toEqual([hashOf(1)]);
  });
});

test("unsigned bootstrap declarations count once they are in a block", async () => {
  const made = await world(MAX_BOOTSTRAP_DECLARES - 1);
  const declare = async (id: number, classHash: bigint): Promise<bigint> => {
    const transaction = { ...BOOTSTRAP, classHash };
    const { bytes, hash } = encodedTransaction({
      hash: transactionHash(transaction, CHAIN_ID),
      transaction,
    });
    const declared = { contractClass: new Uint8Array(50), casmJson: "{}" };
    made.ask({ kind: "submit", id, bytes, validation: { prevalidated: null }, declared });
    await settle();
    return hash;
  };
  const first = await declare(1, 11n);
  expect(made.outcome(1)?.kind).toBe("accepted");
  made.executor.tell({ kind: "take", max: 1 });
  made.include([first], false);
  await declare(2, 12n);
  expect(made.outcome(2)).toMatchObject({ code: "INSUFFICIENT_RESOURCES_FOR_VALIDATE" });
  await made.submit(3, free(1n));
  expect(made.outcome(3)?.kind).toBe("accepted");
});
