import { describe, expect } from "bun:test";
import { encodeTransaction, l1MessageHash, type L1Handler } from "#protocol/chain/index.ts";
import { decodePendingDelta } from "#engine/state/index.ts";
import { createDevPage, DevEnvironment } from "#services/sequencer/index.ts";
import { executorWorld, SYSTEM_NOW_MS } from "#test/helpers/executor-world.ts";
import { sharedTest } from "#test/helpers/shared.ts";
import { STRK } from "#test/helpers/transfer-chain.ts";

function world() {
  const environment = new DevEnvironment(createDevPage(null, 0));
  const made = executorWorld({ environment, schedule: { onDemand: false } });
  made.service.start();
  return made;
}

function message(nonce: bigint): L1Handler {
  return {
    type: "L1_HANDLER",
    version: 0,
    nonce,
    contractAddress: STRK,
    entryPointSelector: 0x123n,
    calldata: [0x11n, 1n],
    paidFeeOnL1: 1n,
  };
}

function order(nonce: bigint, hash = 0x900n + nonce) {
  const bytes = encodeTransaction({ hash, transaction: message(nonce) });
  return { kind: "message", bytes, l1TransactionHash: 0xabcn } as const;
}

describe("blocks on request", () => {
  sharedTest("are empty without transactions", () => {
    const { order: give, outcomes, sealed } = world();
    give({ kind: "createBlock", fresh: false });
    give({ kind: "createBlock", fresh: true });
    expect(outcomes()).toEqual([
      { kind: "sealed", blockNumber: 5 },
      { kind: "sealed", blockNumber: 6 },
    ]);
    expect(sealed().map(({ draft }) => draft.transactions.length)).toEqual([0, 0]);
  });

  sharedTest("contain the transactions of the open block", () => {
    const { order: give, batch, outcomes, sealed } = world();
    const hashes = batch([0n, 1n]);
    give({ kind: "createBlock", fresh: false });
    expect(outcomes()).toEqual([{ kind: "sealed", blockNumber: 5 }]);
    expect(sealed()[0]?.draft.transactions.map(({ hash }) => hash)).toEqual(hashes);
  });

  sharedTest("have the set time, and later ones continue from there", () => {
    const { order: give, sealed, timer } = world();
    give({ kind: "setTime", timestamp: 2_000_000_000, seal: false });
    timer.advance(3_000);
    give({ kind: "createBlock", fresh: true });
    give({ kind: "createBlock", fresh: true });
    give({ kind: "increaseTime", seconds: 60, seal: false });
    give({ kind: "createBlock", fresh: true });
    expect(sealed().map(({ draft }) => draft.info.timestamp)).toEqual([
      2_000_000_000, 2_000_000_003, 2_000_000_063,
    ]);
  });

  sharedTest(
    "requested after setting the time leave the open block with the current time unchanged",
    () => {
      const { order: give, batch, sealed, timer } = world();
      batch([0n]);
      timer.advance(5_000);
      give({ kind: "createBlock", fresh: true });
      expect(sealed().map(({ draft }) => draft.info.timestamp)).toEqual([
        SYSTEM_NOW_MS / 1000,
        SYSTEM_NOW_MS / 1000 + 5,
      ]);
    },
  );

  sharedTest(
    "with a time seal the open block with all its contents, which readers see as one delta",
    () => {
      const { order: give, batch, outcomes, sealed, main, admission } = world();
      const hashes = [...batch([0n, 1n]), 0x901n];
      give(order(1n));
      const write = { contractAddress: STRK, key: 0x77n, value: 5n };
      give({ kind: "writeStorage", ...write });
      const told = main.sent.length;
      give({ kind: "setTime", timestamp: 2_000_000_000, seal: true });
      expect(outcomes().at(-1)).toEqual({ kind: "sealed", blockNumber: 5 });
      const [{ draft, message } = expect.unreachable()] = sealed();
      expect(sealed()).toHaveLength(1);
      expect(draft.info.timestamp).toBe(2_000_000_000);
      expect(draft.transactions.map(({ hash }) => hash)).toEqual(hashes);
      expect(draft.receipts).toHaveLength(3);
      expect(message.l1Messages).toHaveLength(1);
      expect(draft.stateDiff.storageDiffs.get(STRK)?.get(0x77n)).toBe(5n);
      const whole = decodePendingDelta(main.sent[told]?.bytes ?? new Uint8Array());
      expect(whole.info?.timestamp).toBe(2_000_000_000);
      expect(whole.transactions.map(({ hash }) => hash)).toEqual(hashes);
      expect(whole.l1Messages).toHaveLength(1);
      // Admission has settled them already.
      const settled = admission.sent.filter(({ kind }) => kind === "settled").at(-2);
      expect(settled).toMatchObject({ included: [], rejected: [], requeued: [] });
    },
  );

  sharedTest("keep a time that they already have, and the next one continues from there", () => {
    const { order: give, batch, sealed, timer } = world();
    batch([0n]);
    give({ kind: "setTime", timestamp: SYSTEM_NOW_MS / 1000, seal: false });
    // Its block time is over.
    timer.advance(3_000);
    give({ kind: "createBlock", fresh: false });
    expect(sealed().map(({ draft }) => draft.info.timestamp - SYSTEM_NOW_MS / 1000)).toEqual([
      0, 3,
    ]);
  });

  sharedTest("get a time while they are open, and continue", () => {
    const { order: give, batch, outcomes, sealed, timer } = world();
    const first = batch([0n]);
    give({ kind: "increaseTime", seconds: 60, seal: false });
    give({ kind: "increaseTime", seconds: 0, seal: false });
    const second = batch([1n]);
    give({ kind: "createBlock", fresh: false });
    timer.advance(3_000);
    give({ kind: "createBlock", fresh: false });
    expect(outcomes().map(({ kind }) => kind)).toEqual(["set", "set", "sealed", "sealed"]);
    expect(sealed().map(({ draft }) => draft.transactions.map(({ hash }) => hash))).toEqual([
      [...first, ...second],
      [],
    ]);
    expect(sealed().map(({ draft }) => draft.info.timestamp)).toEqual([
      SYSTEM_NOW_MS / 1000 + 60,
      SYSTEM_NOW_MS / 1000 + 63,
    ]);
  });

  sharedTest("have the set prices", () => {
    const { order: give, sealed } = world();
    give({ kind: "setGasPrices", prices: { l1Gas: { fri: 77n } } });
    give({ kind: "createBlock", fresh: true });
    expect(sealed()[0]?.draft.info.gasPrices.l1Gas).toEqual({ wei: 1n, fri: 77n });
  });
});

describe("messages from L1", () => {
  sharedTest("are executed in a block, and included as reverted if they fail", () => {
    const { order: give, outcomes, sealed } = world();
    give(order(1n));
    give({ kind: "createBlock", fresh: false });
    expect(outcomes()[0]).toEqual({ kind: "included", blockNumber: 5 });
    const [block] = sealed();
    expect(block?.draft.transactions.map(({ transaction }) => transaction)).toEqual([message(1n)]);
    expect(block?.draft.receipts[0]?.status.kind).toBe("reverted");
    expect(block?.message.l1Messages).toEqual([
      {
        transactionHash: 0x901n,
        nonce: 1n,
        messageHash: l1MessageHash(message(1n)),
        l1TransactionHash: 0xabcn,
        l1BlockNumber: null,
      },
    ]);
  });

  sharedTest("are announced to readers with their L1 origin once executed", () => {
    const { order: give, main } = world();
    give(order(1n));
    const told = main.sent.map(({ bytes }) => decodePendingDelta(bytes).l1Messages ?? []);
    expect(
      told
        .flat()
        .map(({ transactionHash, l1TransactionHash }) => [transactionHash, l1TransactionHash]),
    ).toEqual([[0x901n, 0xabcn]]);
  });

  sharedTest("with the same nonce go into separate blocks", () => {
    const { order: give, outcomes, sealed } = world();
    give(order(1n, 0x1n));
    give(order(1n, 0x2n));
    give({ kind: "createBlock", fresh: false });
    expect(outcomes().map((outcome) => outcome.kind)).toEqual(["included", "included", "sealed"]);
    expect(sealed().map(({ draft }) => draft.transactions.map(({ hash }) => hash))).toEqual([
      [1n],
      [2n],
    ]);
    expect(sealed().map(({ message: { l1Messages } }) => l1Messages.length)).toEqual([1, 1]);
  });

  sharedTest("are not executed twice", () => {
    const { order: give, outcomes } = world();
    give(order(1n));
    give(order(1n));
    expect(outcomes()).toEqual([
      { kind: "included", blockNumber: 5 },
      {
        kind: "refused",
        reason: "the same message was already consumed: use another nonce",
      },
    ]);
  });

  sharedTest("share a block with transactions, in order", () => {
    const { order: give, batch, sealed } = world();
    const [first] = batch([0n]);
    give(order(1n));
    const [last] = batch([1n]);
    give({ kind: "createBlock", fresh: false });
    const hashes = sealed()[0]?.draft.transactions.map(({ hash }) => hash);
    expect(hashes).toEqual([first ?? 0n, 0x901n, last ?? 0n]);
  });
});

sharedTest("a production chain closes blocks on request, and rejects changes of time", () => {
  const { service, order: give, outcomes, sealed } = executorWorld();
  service.start();
  give({ kind: "createBlock", fresh: false });
  expect(sealed()).toHaveLength(1);
  give({ kind: "setTime", timestamp: 5, seal: false });
  const refused = {
    kind: "refused",
    reason: "only a development chain accepts this command",
  } as const;
  expect(outcomes()).toEqual([{ kind: "sealed", blockNumber: 5 }, refused]);
});
