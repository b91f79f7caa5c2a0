import { describe, expect } from "bun:test";
import { encodeTransaction, type L1Handler } from "#protocol/chain/index.ts";
import { balanceHighKey, balanceKey } from "#engine/execution/index.ts";
import { createDevPage, DevEnvironment, NO_CHANGE } from "#services/sequencer/index.ts";
import { MAX_WRITES } from "#services/sequencer/block-producer.ts";
import { executorWorld, type WorldParts } from "#test/helpers/executor-world.ts";
import { sharedTest } from "#test/helpers/shared.ts";
import { SENDER, STRK } from "#test/helpers/transfer-chain.ts";

function world(schedule: NonNullable<WorldParts["schedule"]> = { onDemand: false }) {
  const environment = new DevEnvironment(createDevPage(null, 0));
  const made = executorWorld({ environment, schedule });
  made.service.start();
  const blocks = () =>
    made.sealed().map(({ draft }) => ({
      number: draft.info.number,
      transactions: draft.transactions.map(({ hash }) => hash),
      cells: [...(draft.stateDiff.storageDiffs.get(CONTRACT) ?? [])],
    }));
  return { ...made, environment, blocks };
}

const CONTRACT = 0x1337n;
const write = (key: bigint, value: bigint) =>
  ({ kind: "writeStorage", contractAddress: CONTRACT, key, value }) as const;
const SEAL = { kind: "createBlock", fresh: false } as const;

function message(nonce: bigint) {
  const transaction: L1Handler = {
    type: "L1_HANDLER",
    version: 0,
    nonce,
    contractAddress: STRK,
    entryPointSelector: 0x123n,
    calldata: [0x11n],
    paidFeeOnL1: 1n,
  };
  const bytes = encodeTransaction({ hash: 0x900n, transaction });
  return { kind: "message", bytes, l1TransactionHash: null } as const;
}

describe("a storage write without a transaction", () => {
  sharedTest("opens a block, and is in its state diff", () => {
    const { order, outcomes, blocks } = world();
    order(write(0x20n, 0xabcn));
    order(SEAL);
    expect(outcomes()).toEqual([
      { kind: "included", blockNumber: 5 },
      { kind: "sealed", blockNumber: 5 },
    ]);
    expect(blocks()).toEqual([{ number: 5, transactions: [], cells: [[0x20n, 0xabcn]] }]);
  });

  sharedTest("shares the block with earlier transactions and other writes", () => {
    const { order, batch, blocks } = world();
    const hashes = batch([0n]);
    order(write(1n, 2n));
    order(write(1n, 3n));
    order(write(2n, 4n));
    order(SEAL);
    const cells = [
      [1n, 3n],
      [2n, 4n],
    ];
    expect(blocks()).toMatchObject([{ number: 5, transactions: hashes, cells }]);
  });

  sharedTest("is followed by no transaction or message in its block", () => {
    const { order, batch, blocks, settled } = world();
    order(write(1n, 2n));
    const before = batch([0n]);
    expect(settled().flatMap(({ requeued }) => requeued)).toEqual(before);
    const [again] = batch([0n]);
    order(write(2n, 3n));
    order(message(1n));
    order(SEAL);
    expect(blocks().map(({ number, transactions }) => [number, transactions])).toEqual([
      [5, []],
      [6, [again ?? 0n]],
      [7, [0x900n]],
    ]);
  });

  sharedTest("is sealed immediately if blocks follow submissions", () => {
    const { order, blocks, timer } = world({ onDemand: true });
    timer.advance(1_000);
    order(write(1n, 2n));
    timer.advance(1_000);
    expect(blocks()).toEqual([{ number: 5, transactions: [], cells: [[1n, 2n]] }]);
  });

  sharedTest("goes into the next block if the open one has too many", () => {
    const { order, blocks } = world();
    for (let i = 0; i <= MAX_WRITES; i++) order(write(BigInt(i), 1n));
    order(SEAL);
    expect(blocks().map(({ cells }) => cells.length)).toEqual([MAX_WRITES, 1]);
  });
});

describe("a balance without a transaction", () => {
  const balance = (amount: bigint, token = STRK) =>
    ({ kind: "setBalance", token, account: 0x777n, amount }) as const;

  sharedTest("is written to the variables that a real token reads", () => {
    const { order, outcomes, sealed } = world();
    order(balance((3n << 128n) + 5n));
    order(SEAL);
    expect(outcomes()[0]).toEqual({ kind: "included", blockNumber: 5 });
    const [draft] = sealed().map((block) => block.draft);
    expect(draft?.stateDiff.storageDiffs.get(STRK)).toEqual(
      new Map([
        [balanceKey(0x777n), 5n],
        [balanceHighKey(0x777n), 3n],
      ]),
    );
  });

  sharedTest("is refused for a contract that is no token, and opens no block", () => {
    const { order, outcomes, service, sealed } = world();
    order(balance(1n, SENDER));
    order(balance(1n, 0x404n));
    expect(outcomes().map(({ kind }) => kind)).toEqual(["refused", "refused"]);
    service.stop();
    expect(sealed()).toEqual([]);
  });
});

sharedTest("a change of the state that is refused changes nothing", () => {
  const { order, outcomes, blocks } = world();
  order({
    kind: "changeState",
    change: {
      ...NO_CHANGE,
      storage: [{ contractAddress: CONTRACT, key: 1n, value: 2n }],
      nonces: [{ contractAddress: 0x404n, nonce: 1n }],
    },
  });
  order(write(3n, 4n));
  order(SEAL);
  expect(outcomes()[0]).toMatchObject({
    kind: "refused",
    fault: { code: "contract", at: ["nonces", 0] },
  });
  expect(blocks()).toMatchObject([{ number: 5, cells: [[3n, 4n]] }]);
});

sharedTest("held blocks are created on request only", () => {
  const { order, batch, blocks, environment, timer } = world({ onDemand: true });
  timer.advance(1_000);
  environment.hold(true);
  const hashes = batch([0n]);
  timer.advance(10_000);
  expect(blocks()).toEqual([]);
  order(SEAL);
  expect(blocks()).toMatchObject([{ number: 5, transactions: hashes }]);
  batch([1n]);
  environment.reset(0);
  timer.advance(10_000);
  expect(blocks()).toHaveLength(1);
  environment.hold(false);
  timer.advance(10_000);
  expect(blocks()).toHaveLength(2);
});
