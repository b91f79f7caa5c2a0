import { describe, expect } from "bun:test";
import { encodeTransaction, type L1Handler, l1MessageHash } from "#protocol/chain/index.ts";
import { decodePendingDelta } from "#engine/state/index.ts";
import type { ControlCommand, MessageFromL1 } from "#services/sequencer/index.ts";
import { ANSWER_MS } from "#services/sequencer/message-steps.ts";
import { BLOCK_TIME_MS, executorWorld } from "#test/helpers/executor-world.ts";
import { sharedTest } from "#test/helpers/shared.ts";

const L1_BLOCK = 77;

/** To no contract: it fails, and is consumed. */
function handler(nonce: bigint, parts: Partial<L1Handler> = {}): L1Handler {
  return {
    type: "L1_HANDLER",
    version: 0,
    nonce,
    contractAddress: 0x404n,
    entryPointSelector: 0x123n,
    calldata: [0x11n, 1n],
    paidFeeOnL1: 1n,
    ...parts,
  };
}

function message(nonce: bigint, parts: Partial<L1Handler> = {}): MessageFromL1 {
  const transaction = handler(nonce, parts);
  const bytes = encodeTransaction({ hash: 0x900n + nonce, transaction });
  return { bytes, l1TransactionHash: 0xabcn + nonce, l1BlockNumber: L1_BLOCK };
}

const messages = (...nonces: readonly bigint[]): ControlCommand => ({
  kind: "messages",
  messages: nonces.map((nonce) => message(nonce)),
});
const upTo = (count: number) => Array.from({ length: count }, (_, i) => BigInt(i));
const CLOSE: ControlCommand = { kind: "createBlock", fresh: false };
const included = (blockNumber: number) => ({ kind: "included", blockNumber }) as const;

/** Admission is asked at the start; it has answered that no transaction waits, unless `isAsked`. */
function world(parts: Parameters<typeof executorWorld>[0] = {}, isAsked = false) {
  const made = executorWorld({ schedule: { onDemand: false }, ...parts });
  made.service.start();
  if (!isAsked) made.batch([]);
  const hashes = () => made.sealed().map(({ draft }) => draft.transactions.map(({ hash }) => hash));
  return { ...made, hashes };
}

describe("messages of L1", () => {
  sharedTest("are consumed in their order, with where they came from", () => {
    const { order, timer, outcomes, sealed } = world();
    order(messages(1n, 2n));
    expect(outcomes()).toEqual([]);
    timer.advance(0);
    expect(outcomes()).toEqual([{ kind: "consumed", outcomes: [included(5), included(5)] }]);
    order(CLOSE);
    const [block = expect.unreachable()] = sealed();
    expect(block.draft.receipts.map(({ status }) => status.kind)).toEqual(["reverted", "reverted"]);
    expect(block.message.l1Messages).toEqual(
      [1n, 2n].map((nonce) => ({
        transactionHash: 0x900n + nonce,
        nonce,
        messageHash: l1MessageHash(handler(nonce)),
        l1TransactionHash: 0xabcn + nonce,
        l1BlockNumber: L1_BLOCK,
      })),
    );
  });

  sharedTest("of one turn are told in one piece", () => {
    const { order, timer, main } = world();
    order(messages(1n, 2n, 3n));
    timer.advance(0);
    const deltas = main.sent.map(({ bytes }) => decodePendingDelta(bytes));
    expect(deltas.map(({ l1Messages = [] }) => l1Messages.length)).toEqual([3]);
    expect(deltas[0]?.transactions).toHaveLength(3);
  });

  sharedTest("are known by hash and nonce in the open block, and in those above the chain", () => {
    const { order, timer, outcomes } = world();
    order(messages(1n, 1n));
    timer.advance(0);
    order(CLOSE);
    order({ kind: "messages", messages: [message(1n, { calldata: [0x12n] })] });
    timer.advance(0);
    expect(outcomes()).toEqual([
      { kind: "consumed", outcomes: [included(5), { kind: "known" }] },
      { kind: "sealed", blockNumber: 5 },
      { kind: "consumed", outcomes: [{ kind: "known" }] },
    ]);
  });

  sharedTest("are known where an accepted block has their nonce", () => {
    const consumed = new Map([[3n, { transactionHash: 0x1n, blockNumber: 2 }]]);
    const { order, timer, outcomes } = world({ consumed });
    order(messages(3n, 4n));
    timer.advance(0);
    expect(outcomes()).toEqual([{ kind: "consumed", outcomes: [{ kind: "known" }, included(5)] }]);
  });

  sharedTest("none at all are consumed at once", () => {
    const { order, outcomes } = world();
    order({ kind: "messages", messages: [] });
    expect(outcomes()).toEqual([{ kind: "consumed", outcomes: [] }]);
  });

  sharedTest("that do not fit close the block and go into the next", () => {
    const bouncer = { limits: { transactionCount: 3n } };
    const { order, timer, outcomes, sealed, hashes } = world({ production: { bouncer } });
    order(messages(...upTo(7)));
    timer.advance(1);
    expect(outcomes()).toEqual([
      {
        kind: "consumed",
        outcomes: [5, 5, 5, 6, 6, 6, 7].map((number) => included(number)),
      },
    ]);
    order(CLOSE);
    expect(hashes().map(({ length }) => length)).toEqual([3, 3, 1]);
    expect(sealed().map(({ message: { l1Messages } }) => l1Messages.map((m) => m.nonce))).toEqual([
      [0n, 1n, 2n],
      [3n, 4n, 5n],
      [6n],
    ]);
  });

  sharedTest("take turns with batches of the mempool", () => {
    const { order, timer, batch, hashes } = world({ batchSize: 2 }, true);
    order(messages(...upTo(5)));
    const first = batch([0n, 1n]);
    const second = batch([2n]);
    timer.advance(ANSWER_MS);
    order(CLOSE);
    const sent = upTo(5).map((nonce) => 0x900n + nonce);
    expect(hashes()).toEqual([[...first, ...sent.slice(0, 2), ...second, ...sent.slice(2)]]);
  });

  sharedTest("end their turn after a long one", () => {
    let nowMs = 0;
    const processorMs = () => (nowMs += 260);
    const { order, batch, hashes } = world({ processorMs, batchSize: 64 }, true);
    order(messages(...upTo(4)));
    const [first = 0n] = batch([0n]);
    order(CLOSE);
    expect(hashes()).toEqual([[first, 0x900n]]);
  });

  sharedTest("wait while the committer is too far behind, and go on when it is not", () => {
    const bouncer = { limits: { transactionCount: 1n } };
    const { order, timer, outcomes, sealed, accept } = world({ production: { bouncer } });
    order(messages(...upTo(10)));
    timer.advance(100);
    expect(sealed()).toHaveLength(8);
    expect(outcomes()).toEqual([]);
    accept(5);
    accept(6);
    timer.advance(100);
    expect(outcomes()).toHaveLength(1);
  });

  sharedTest("have blocks at the block time", () => {
    const { order, timer, hashes } = world();
    order(messages(1n));
    timer.advance(BLOCK_TIME_MS + 50);
    expect(hashes()).toEqual([[0x901n]]);
  });

  sharedTest("and messages that are made here share the row of nonces", () => {
    const { order, timer, outcomes } = world();
    const { bytes } = message(1n);
    order({ kind: "message", bytes, l1TransactionHash: null });
    order(messages(1n, 2n));
    timer.advance(0);
    order({ kind: "message", bytes: message(2n).bytes, l1TransactionHash: null });
    expect(outcomes().map(({ kind }) => kind)).toEqual(["included", "consumed", "refused"]);
    expect(outcomes()[1]).toEqual({ kind: "consumed", outcomes: [{ kind: "known" }, included(5)] });
  });
});

describe("prices of L1", () => {
  const prices = (l1GasWei: bigint) => ({
    kind: "setL1Prices" as const,
    prices: { l1GasWei, l1DataGasWei: 5n, friPerWei: { numerator: 3n, denominator: 2n } },
  });

  sharedTest("hold for blocks that are opened from then on", () => {
    const { order, batch, sealed, outcomes } = world();
    batch([0n]);
    order(prices(100n));
    order(CLOSE);
    order(CLOSE);
    expect(outcomes()[0]).toEqual({ kind: "set" });
    expect(sealed().map(({ draft }) => draft.info.gasPrices.l1Gas)).toEqual([
      { wei: 1n, fri: 1n },
      { wei: 100n, fri: 150n },
    ]);
    expect(sealed()[1]?.draft.info.gasPrices.l1DataGas).toEqual({ wei: 5n, fri: 7n });
  });

  sharedTest("that no block can have are refused", () => {
    const { order, outcomes, sealed } = world();
    order(prices(1n << 128n));
    order(prices((1n << 128n) - 1n));
    order(prices(-1n));
    order({
      kind: "setL1Prices",
      prices: { ...prices(1n).prices, friPerWei: { numerator: 1n, denominator: 0n } },
    });
    order(CLOSE);
    expect(outcomes().map(({ kind }) => kind)).toEqual([
      "refused",
      "refused",
      "refused",
      "refused",
      "sealed",
    ]);
    expect(sealed()[0]?.draft.info.gasPrices.l1Gas).toEqual({ wei: 1n, fri: 1n });
  });
});

describe("a halt", () => {
  const HALT: ControlCommand = { kind: "halt", reason: "L1 has another root" };
  const refused = { kind: "refused", reason: "L1 has another root" } as const;

  sharedTest("ends production: nothing is opened, sealed or executed, and all is answered", () => {
    const { order, batch, timer, outcomes, sealed, settled, log } = world();
    batch([0n]);
    order(messages(1n));
    order(HALT);
    const told = settled().length;
    const waiting = batch([1n]);
    order(CLOSE);
    order(messages(2n));
    order({ kind: "message", bytes: message(3n).bytes, l1TransactionHash: null });
    order({ ...HALT, reason: "another one" });
    timer.advance(10 * BLOCK_TIME_MS);
    expect(outcomes()).toEqual([
      refused,
      { kind: "set" },
      refused,
      refused,
      refused,
      { kind: "set" },
    ]);
    expect(sealed()).toEqual([]);
    expect(settled().slice(told)).toEqual([
      { kind: "settled", delta: null, included: [], rejected: [], givenBack: waiting },
    ]);
    expect(log.filter((line) => line.startsWith("begin"))).toHaveLength(2);
  });

  sharedTest("lets what was sealed be accepted", () => {
    const { order, accept, service, timer, reads } = world();
    order(CLOSE);
    order(HALT);
    accept(5);
    timer.advance(BLOCK_TIME_MS);
    service.stop();
    expect(reads).not.toContain(6);
  });

  sharedTest("refuses orders that waited", () => {
    const { order, outcomes } = world();
    for (let i = 0; i < 8; i++) order(CLOSE);
    order(CLOSE);
    order(HALT);
    expect(outcomes().slice(8)).toEqual([refused, { kind: "set" }]);
  });

  sharedTest("leaves prices to be set: they hold when the threads start again", () => {
    const { order, outcomes } = world();
    order(HALT);
    const friPerWei = { numerator: 1n, denominator: 1n };
    order({ kind: "setL1Prices", prices: { l1GasWei: 9n, l1DataGasWei: 9n, friPerWei } });
    expect(outcomes()).toEqual([{ kind: "set" }, { kind: "set" }]);
  });
});
