import { describe, expect, test } from "bun:test";
import { L1Error } from "#base/errors/index.ts";
import { FIELD_PRIME } from "#base/primitives/index.ts";
import { l1MessageHash, type L1Handler } from "#protocol/chain/index.ts";
import { type SettledRange, Settler } from "#services/settlement/index.ts";
import { FakeBlocks, FakeCore, plainBlock } from "#test/helpers/fake-core.ts";

const MESSAGE: L1Handler = {
  type: "L1_HANDLER",
  version: 0,
  nonce: 3n,
  contractAddress: 10n,
  entryPointSelector: 11n,
  calldata: [12n, 13n],
  paidFeeOnL1: null,
};

/** A settler of six blocks, with its reports. */
function settlement(
  core = new FakeCore(),
  blocks = new FakeBlocks([0, 1, 2, 3, 4, 5].map(plainBlock)),
) {
  const settled: (readonly [number, number])[] = [];
  const stop = new AbortController();
  const settler = new Settler({
    blocks,
    core,
    onSettled: ({ firstNumber, number }: SettledRange) => settled.push([firstNumber, number]),
    signal: stop.signal,
  });
  return { core, blocks, settler, settled, stop };
}

async function failure(run: Promise<unknown>): Promise<L1Error> {
  const error = await run.catch((cause: unknown) => cause);
  if (!(error instanceof L1Error)) throw new TypeError(`no L1Error but ${String(error)}`);
  return error;
}

describe("settling", () => {
  test("posts the blocks up to the requested one in one update", async () => {
    const { core, settler, settled } = settlement();
    expect(await settler.settle(3)).toBe(3);
    expect(settled).toEqual([[0, 3]]);
    expect(core.posted.map(({ programOutput }) => programOutput.slice(0, 6))).toEqual([
      [0n, 0x203n, -1n + FIELD_PRIME, 3n, 0n, 0x103n],
    ]);
  });

  test("continues from the core contract's block, and does nothing if it is further", async () => {
    const { core, blocks } = settlement();
    await settlement(core, blocks).settler.settle(2);
    const next = settlement(core, blocks);
    expect(await next.settler.settle(5)).toBe(5);
    expect(next.settled).toEqual([[3, 5]]);
    expect(await settlement(core, blocks).settler.settle(1)).toBe(5);
    expect(core.posted).toHaveLength(2);
  });

  test("puts 500 blocks into an update, and one more into the next", async () => {
    const blocks = new FakeBlocks(Array.from({ length: 501 }, (_, number) => plainBlock(number)));
    const { settler, settled } = settlement(new FakeCore(), blocks);
    expect(await settler.settle(500)).toBe(500);
    expect(settled).toEqual([
      [0, 499],
      [500, 500],
    ]);
  });

  test("continues if another process posted a block meanwhile", async () => {
    const { core, blocks, settler, settled } = settlement();
    core.beforePost = () => {
      core.beforePost = () => undefined;
      const { hash, stateRoot } = plainBlock(1);
      core.current = { blockNumber: 1n, blockHash: hash, stateRoot };
    };
    expect(await settler.settle(3)).toBe(3);
    expect(settled).toEqual([[2, 3]]);
    expect(await blocks.newest()).toBe(5);
  });

  test("posts no update after an abort", async () => {
    const blocks = new FakeBlocks(Array.from({ length: 502 }, (_, number) => plainBlock(number)));
    const { core, settler, stop } = settlement(new FakeCore(), blocks);
    core.beforePost = () => stop.abort();
    expect(await settler.settle(501)).toBe(499);
    expect(core.posted).toHaveLength(1);
  });

  test("posts nothing if aborted while it reads blocks", async () => {
    const { core, blocks, settler, stop } = settlement();
    const { block } = blocks;
    blocks.block = (number) => {
      if (number === 2) stop.abort();
      return block.call(blocks, number);
    };
    expect(await settler.settle(5)).toBe(-1);
    expect(core.posted).toEqual([]);
  });

  test("fails with L1's error", async () => {
    const { core, settler } = settlement();
    core.beforePost = () => {
      throw new L1Error("L1_FAILED", "the state update failed", false);
    };
    expect((await failure(settler.settle(5))).message).toBe("the state update failed");
    expect(core.posted).toEqual([]);
  });

  test("stops if L1 accepts updates without effect", async () => {
    const { core, settler } = settlement();
    core.takes = false;
    expect(await failure(settler.settle(5))).toMatchObject({
      code: "L1_NOT_SETTLED",
      retryable: true,
    });
    expect(core.posted).toHaveLength(1);
  });
});

describe("detects the core contract of another chain before anything is posted", () => {
  const { hash, stateRoot } = plainBlock(2);

  test.each([
    ["by its hash", { blockNumber: 2n, blockHash: hash + 1n, stateRoot }],
    ["by its root", { blockNumber: 2n, blockHash: hash, stateRoot: stateRoot + 1n }],
    ["by an initial state's root", { blockNumber: -1n, blockHash: 0n, stateRoot }],
    ["by a hash before the first block", { blockNumber: -1n, blockHash: 1n, stateRoot: 0n }],
  ])("%s", async (_, state) => {
    const { core, settler } = settlement();
    core.current = state;
    expect((await failure(settler.settle(5))).code).toBe("L1_OTHER_CHAIN");
    expect((await failure(settler.settle(0))).code).toBe("L1_OTHER_CHAIN");
    expect(core.posted).toEqual([]);
  });

  test("by a block that the node does not have", async () => {
    const { core, settler } = settlement();
    core.current = { blockNumber: 6n, blockHash: hash, stateRoot };
    expect((await failure(settler.settle(5))).message).toBe(
      "the core contract has block 6, the node only has block 5",
    );
  });

  test("by a block that does not follow its own", async () => {
    const { core, blocks, settler } = settlement();
    blocks.blocks[3] = { ...plainBlock(3), parentHash: 1n };
    expect((await failure(settler.settle(5))).code).toBe("L1_OTHER_CHAIN");
    expect(core.posted.map(({ programOutput }) => programOutput[3])).toEqual([2n]);
  });
});

describe("a block that consumed messages", () => {
  const second: L1Handler = { ...MESSAGE, nonce: 4n };
  const withMessages = (): FakeBlocks =>
    new FakeBlocks([plainBlock(0), { ...plainBlock(1), messagesToL2: [MESSAGE, second] }]);

  test("is settled if they are pending at the core contract", async () => {
    const { core, settler } = settlement(new FakeCore(), withMessages());
    for (const message of [MESSAGE, second]) core.waiting.add(l1MessageHash(message));
    expect(await settler.settle(1)).toBe(1);
  });

  test("is named with a message that is not pending", async () => {
    const { core, settler, settled } = settlement(new FakeCore(), withMessages());
    core.waiting.add(l1MessageHash(MESSAGE));
    const { code, message } = await failure(settler.settle(1));
    expect(code).toBe("L1_UNKNOWN_MESSAGE");
    expect(message).toContain(
      `block 1 consumed message 0x${l1MessageHash(second).toString(16)} (nonce 4)`,
    );
    expect(message).toContain("cannot be settled beyond block 0");
    expect(settled).toEqual([[0, 0]]);
  });
});

describe("messages of a range", () => {
  const toL1 = (count: number, words: number) =>
    Array.from({ length: count }, (_, at) => ({
      fromAddress: BigInt(at + 1),
      toAddress: 2n,
      payload: Array.from({ length: words }, () => 7n),
    }));

  test("are in one update in block order", async () => {
    const blocks = new FakeBlocks([
      { ...plainBlock(0), messagesToL1: toL1(1, 1) },
      plainBlock(1),
      { ...plainBlock(2), messagesToL1: toL1(2, 0) },
    ]);
    const { core, settler } = settlement(new FakeCore(), blocks);
    await settler.settle(2);
    expect(core.posted[0]?.programOutput.slice(10)).toEqual(
      [10, 1, 2, 1, 7, 1, 2, 0, 2, 2, 0, 0].map(BigInt),
    );
  });

  test("end an update at L1's limit, and a block above it is alone", async () => {
    // A hundred such messages count as 6 million gas: those of two blocks reach the limit.
    const blocks = new FakeBlocks([
      { ...plainBlock(0), messagesToL1: toL1(100, 7) },
      { ...plainBlock(1), messagesToL1: toL1(100, 7) },
      { ...plainBlock(2), messagesToL1: toL1(100, 7) },
      { ...plainBlock(3), messagesToL1: toL1(1000, 3) },
      plainBlock(4),
    ]);
    const { settler, settled } = settlement(new FakeCore(), blocks);
    await settler.settle(4);
    expect(settled).toEqual([
      [0, 1],
      [2, 2],
      [3, 3],
      [4, 4],
    ]);
  });
});
