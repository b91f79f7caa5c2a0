import { describe, expect } from "bun:test";
import { balanceKey } from "#engine/execution/index.ts";
import { createDevPage, DevEnvironment } from "#services/sequencer/index.ts";
import { POSTPONED_MS } from "#services/sequencer/message-steps.ts";
import { BLOCK_TIME_MS, type WorldParts } from "#test/helpers/executor-world.ts";
import { interruptible, LOST } from "#test/helpers/interruptible-state.ts";
import {
  CLOSE,
  messageOrder,
  messageToNobody,
  messageWorld,
} from "#test/helpers/message-orders.ts";
import { sharedTest } from "#test/helpers/shared.ts";
import { STRK, transfer } from "#test/helpers/transfer-chain.ts";

/** A contract that no other transaction touches. */
const FORKED = 0x404n;

/** An executor whose state loses all values, or those of some contracts, while `lost` says so. */
function world(parts: WorldParts = {}) {
  const lost: { addresses: readonly bigint[] | "all" } = { addresses: [] };
  const isLost = (address: bigint): boolean =>
    lost.addresses === "all" || lost.addresses.includes(address);
  const environment = new DevEnvironment(createDevPage(null, 0));
  const made = messageWorld({
    environment,
    behind: (state) => interruptible(state, isLost),
    ...parts,
  });
  return { ...made, lost };
}

describe("a batch whose transaction needs a lost value", () => {
  sharedTest("requeues that transaction and the following ones, and decides nothing", () => {
    const { lost, batch, settled } = world();
    lost.addresses = "all";
    const hashes = batch([0n, 1n]);
    expect(settled().at(-1)).toEqual({
      kind: "settled",
      delta: null,
      included: [],
      rejected: [],
      requeued: hashes,
      postponed: [{ hash: hashes[0] ?? 0n, reason: LOST }],
    });
  });

  sharedTest("keeps what was included before it, and closes the block on schedule", () => {
    const recipient = balanceKey(transfer(1n).transaction.calldata[4] ?? 0n);
    const { batch, timer, settled, hashes } = world({
      behind: (state) => interruptible(state, (_, key) => key === recipient),
    });
    const [first = 0n, ...others] = batch([0n, 1n, 2n]);
    const { included, rejected, requeued } = settled().at(-1) ?? {};
    expect({ included, rejected, requeued }).toEqual({
      included: [first],
      rejected: [],
      requeued: others,
    });
    timer.advance(2 * BLOCK_TIME_MS);
    expect(hashes()[0]).toEqual([first]);
  });

  sharedTest("executes the rest once the value arrives", () => {
    const { lost, batch, order, hashes } = world();
    lost.addresses = "all";
    batch([0n]);
    lost.addresses = [];
    const again = batch([0n]);
    order(CLOSE);
    expect(hashes()).toEqual([again]);
  });

  sharedTest("is no crash of the transaction", () => {
    const { lost, batch, log } = world();
    lost.addresses = "all";
    log.length = 0;
    batch([0n]);
    expect(log.filter((line) => line === "died" || line === "end")).toEqual(["end"]);
  });
});

describe("messages from L1 that need a lost value", () => {
  sharedTest("wait in their order, and are executed once it arrives", () => {
    const { lost, order, outcomes, timer, hashes } = world();
    lost.addresses = [FORKED];
    order(messageOrder(1n, 2n));
    timer.advance(3 * POSTPONED_MS);
    expect(outcomes()).toEqual([]);
    lost.addresses = [];
    timer.advance(2 * POSTPONED_MS);
    order(CLOSE);
    expect(outcomes()[0]?.kind).toBe("consumed");
    expect(hashes().flat()).toEqual([0x901n, 0x902n]);
  });

  sharedTest("are retried at intervals, not constantly", () => {
    const { lost, order, timer, log } = world();
    lost.addresses = [FORKED];
    order(messageOrder(1n));
    timer.advance(10 * POSTPONED_MS);
    const attempts = log.filter((line) => line.startsWith("begin 901")).length;
    expect(attempts).toBeWithin(5, 12);
  });

  sharedTest("let transactions pass", () => {
    const { lost, order, batch, timer, settled } = world();
    lost.addresses = [FORKED];
    order(messageOrder(1n));
    timer.advance(POSTPONED_MS / 2);
    const hashes = batch([0n]);
    expect(settled().at(-1)?.included).toEqual(hashes);
  });
});

describe("a development order that needs a lost value", () => {
  sharedTest("fails with the origin's error, and leaves no block open", () => {
    const { lost, order, outcomes, timer, sealed } = world({
      schedule: { onDemand: true, noEmptyBlocks: true },
    });
    lost.addresses = "all";
    order({ kind: "writeStorage", contractAddress: STRK, key: 0x5678n, value: 1n });
    order({ kind: "message", bytes: messageToNobody(3n).bytes, l1TransactionHash: null });
    timer.advance(5 * BLOCK_TIME_MS);
    expect(outcomes()).toEqual([
      { kind: "refused", reason: LOST, isOriginLost: true },
      { kind: "refused", reason: LOST, isOriginLost: true },
    ]);
    expect(sealed()).toEqual([]);
  });

  sharedTest("keeps the block's time when the block cannot be executed again", () => {
    const { lost, order, batch, outcomes, sealed } = world();
    batch([0n]);
    lost.addresses = "all";
    order({ kind: "increaseTime", seconds: 100, seal: false });
    order(CLOSE);
    expect(outcomes().map(({ kind }) => kind)).toEqual(["set", "sealed"]);
    expect(sealed()[0]?.draft.transactions).toHaveLength(1);
  });
});

describe("the end of a block", () => {
  sharedTest("needs no value that may be lost", () => {
    const { lost, order, batch, sealed } = world();
    batch([0n]);
    lost.addresses = "all";
    order(CLOSE);
    expect(sealed()[0]?.draft.stateDiff.storageDiffs.has(2n)).toBeTrue();
  });
});
