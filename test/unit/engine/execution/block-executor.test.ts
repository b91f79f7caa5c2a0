import { describe, expect } from "bun:test";
import { createCairoVm } from "#engine/cairo/index.ts";
import { balanceKey, BlockExecutor, type TransactionOutcome } from "#engine/execution/index.ts";
import { sharedTest } from "#test/helpers/shared.ts";
import { SENDER, SEQUENCER, STRK, transfer, transferBlock } from "#test/helpers/transfer-chain.ts";
import { transferState } from "#test/helpers/transfer-state.ts";

const vm = createCairoVm();

function included(outcome: TransactionOutcome): Extract<TransactionOutcome, { kind: "included" }> {
  if (outcome.kind !== "included") throw new TypeError(`not included but ${outcome.kind}`);
  return outcome;
}

describe("BlockExecutor", () => {
  sharedTest("transfers the amount and the fee", () => {
    const executor = new BlockExecutor(vm, transferState(), transferBlock());
    const outcome = executor.execute(transfer(0n, { recipient: 0xb0bn, amount: 1000n }));
    const { actualFee } = included(outcome).receipt;
    const balances = [SENDER, 0xb0bn, SEQUENCER].map((owner) =>
      executor.reader().storageAt(STRK, balanceKey(owner)),
    );
    expect(balances).toEqual([10n ** 30n - 1000n - actualFee, 1000n, actualFee]);
  });

  sharedTest("rejects a wrong nonce with its code", () => {
    const executor = new BlockExecutor(vm, transferState(), transferBlock());
    const outcome = executor.execute(transfer(1n));
    expect(outcome.kind === "rejected" && outcome.error.code).toBe("INVALID_NONCE");
  });

  sharedTest("leaves no trace of a transaction that fails validation", () => {
    const executor = new BlockExecutor(vm, transferState(), transferBlock());
    const outcome = executor.execute(transfer(0n, { signature: [1n, 2n] }));
    expect([
      outcome.kind === "rejected" && outcome.error.code,
      executor.stateDiff().nonces.size,
      executor.weights().transactionCount,
    ]).toEqual(["VALIDATION_FAILED", 0, 0n]);
  });

  sharedTest("charges a reverted transaction and keeps its nonce", () => {
    const executor = new BlockExecutor(vm, transferState(), transferBlock());
    const outcome = executor.execute(transfer(0n, { recipient: 0xb0bn, amount: 10n ** 31n }));
    const { receipt } = included(outcome);
    expect([
      receipt.status.kind,
      receipt.actualFee > 0n,
      executor.reader().nonceAt(SENDER),
      executor.reader().storageAt(STRK, balanceKey(0xb0bn)),
    ]).toEqual(["reverted", true, 1n, 0n]);
  });

  sharedTest("counts the steps of a transaction and of trie walks for new cells", () => {
    const executor = new BlockExecutor(vm, transferState(), transferBlock());
    /** Steps that a transfer adds to the block beyond its own and the protocol's. */
    const added = (nonce: bigint, recipient: bigint): bigint => {
      const { weights, resources } = included(
        executor.execute(transfer(nonce, { recipient })),
      ).info;
      return weights.steps - BigInt(resources.transaction.steps + resources.os.steps);
    };
    added(0n, 0xb0bn);
    // Cells of a new recipient: two are read and one is changed; 24 levels of 16 steps each.
    expect([added(1n, 0xb0bn), added(2n, 0xccn)]).toEqual([0n, 3n * 24n * 16n]);
  });

  sharedTest("reports a full block without applying the transaction", () => {
    const bouncer = { limits: { transactionCount: 1n } };
    const executor = new BlockExecutor(vm, transferState(), transferBlock(bouncer));
    const outcomes = [transfer(0n), transfer(1n)].map((one) => executor.execute(one).kind);
    expect([outcomes, executor.reader().nonceAt(SENDER)]).toEqual([["included", "block_full"], 1n]);
  });

  sharedTest("rejects a transaction that does not fit an empty block", () => {
    const bouncer = { limits: { stateDiffSize: 3n } };
    const executor = new BlockExecutor(vm, transferState(), transferBlock(bouncer));
    const outcome = executor.execute(transfer(0n));
    expect(outcome.kind === "rejected" && outcome.error.code).toBe("TOO_LARGE");
  });

  sharedTest("takeDelta returns the changes since the previous call", () => {
    const executor = new BlockExecutor(vm, transferState(), transferBlock());
    executor.execute(transfer(0n));
    const first = executor.takeDelta().nonces.get(SENDER);
    executor.execute(transfer(1n));
    const second = executor.takeDelta().nonces.get(SENDER);
    expect([first, second, executor.takeDelta().nonces.size]).toEqual([1n, 2n, 0]);
  });

  sharedTest("writes the hash of an old block into contract 0x1", () => {
    const block = transferBlock({ limits: {} }, 12);
    const executor = new BlockExecutor(vm, transferState(), block);
    executor.begin({ number: 2, hash: 0xabcn });
    expect(executor.stateDiff().storageDiffs).toEqual(new Map([[1n, new Map([[2n, 0xabcn]])]]));
  });

  sharedTest("produces the same block for the same transactions", () => {
    const run = (): unknown => {
      const executor = new BlockExecutor(vm, transferState(), transferBlock());
      const receipts = [0n, 1n, 2n].map((nonce) => included(executor.execute(transfer(nonce))));
      return [receipts.map(({ receipt }) => receipt), executor.finish()];
    };
    expect(run()).toEqual(run());
  });
});
