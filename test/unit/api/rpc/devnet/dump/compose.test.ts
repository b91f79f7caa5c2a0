import { describe, expect, spyOn, test } from "bun:test";
import type { Felt } from "#base/primitives/index.ts";
import { composeDump, type DevnetFork } from "#api/rpc/index.ts";
import type { RecordedRequest } from "#api/rpc/devnet/dump/recorder.ts";
import type { HashedTransaction } from "#protocol/chain/index.ts";
import { dumpWorld } from "#test/helpers/dump-world.ts";
import { SAMPLE_CHAIN } from "#test/helpers/sample-chain.ts";
import { transfer } from "#test/helpers/transfer-chain.ts";
import type { FullContext } from "#test/helpers/serving.ts";

interface MadeBlock {
  readonly timestamp: number;
  readonly transactions?: readonly Felt[];
}

/** Blocks above genesis; the last unaccepted one is open. */
function world(
  accepted: readonly MadeBlock[],
  requests: readonly Partial<RecordedRequest>[],
  unaccepted: readonly MadeBlock[] = [],
  special: Partial<FullContext> = {},
  fork: DevnetFork | null = null,
) {
  const [header] = [SAMPLE_CHAIN.header(1)];
  if (header === undefined) throw new TypeError("the sample chain has block 1");
  const chain: FullContext["chain"] = {
    ...SAMPLE_CHAIN,
    latestNumber: () => accepted.length,
    header(number) {
      const block = accepted[number - 1];
      return block && { ...header, number, timestamp: block.timestamp };
    },
    transactionHashes: (number) => [...(accepted[number - 1]?.transactions ?? [])],
    transactionAt: () => transfer(7n),
  };
  const above = unaccepted.map(({ timestamp, transactions = [] }, i) => ({
    info: { ...header, number: accepted.length + 1 + i, timestamp },
    transactions: transactions.map((hash): HashedTransaction => ({ ...transfer(0n), hash })),
    receipts: [],
    stateDiff: SAMPLE_CHAIN.stateDiff(1) as never,
    state: SAMPLE_CHAIN.stateAt(1),
    find: () => undefined,
  }));
  const made = dumpWorld({
    context: { chain, unaccepted: () => above, ...special },
    access: { fork },
  });
  for (const request of requests) {
    made.recorder.add({ method: "devnet_mint", params: "{}", kind: "now", block: 1, ...request });
  }
  const dump = async (): Promise<readonly (readonly unknown[])[]> => {
    const text = await composeDump(made.context, made.dumps);
    const entries = JSON.parse(text) as { method: string; params: unknown; id: unknown }[];
    return entries.map(({ method, params, id }) => [method, params, id]);
  };
  return { ...made, dump };
}

const open = (time: number) => ["devnet_setTime", { time, generate_block: false }, "appchain:open"];
const SEAL = ["devnet_createBlock", {}, "appchain:seal"];

test("a chain from a snapshot cannot be dumped because its first blocks are missing", async () => {
  const { context, dumps } = world([{ timestamp: 5 }], []);
  const chain = { ...context.chain, oldestBlock: () => 1 };
  expect(composeDump({ ...context, chain }, dumps)).rejects.toThrow("its oldest block is 1");
  await Bun.sleep(0);
});

describe("composeDump", () => {
  test("lists each block's transactions in order between its open and seal entries", async () => {
    const { dump } = world(
      [{ timestamp: 10, transactions: [2n, 1n] }, { timestamp: 11 }],
      [
        { kind: "transaction", hash: 1n, params: "[1]" },
        { kind: "transaction", hash: 2n, params: "[2]" },
      ],
    );
    expect(await dump()).toEqual([
      open(10),
      ["devnet_mint", [2], "0x2"],
      ["devnet_mint", [1], "0x1"],
      SEAL,
      open(11),
      SEAL,
    ]);
  });

  test("replaces the seal of a block with the request that created it", async () => {
    const { dump } = world(
      [{ timestamp: 10 }, { timestamp: 75 }, { timestamp: 80 }],
      [
        { kind: "block", method: "devnet_createBlock", block: 1 },
        { kind: "block", method: "devnet_increaseTime", params: '{"time":60}', block: 2 },
        // The previous block was ahead of the clock: only the block's resulting timestamp is exact.
        { kind: "block", method: "devnet_increaseTime", params: "[7]", block: 3 },
      ],
    );
    expect(await dump()).toEqual([
      open(10),
      ["devnet_createBlock", {}, 1],
      open(15),
      ["devnet_increaseTime", { time: 60 }, 3],
      open(80),
      SEAL,
    ]);
  });

  test("opens a block with transactions at its final time even if increaseTime sealed it", async () => {
    const { dump } = world(
      [{ timestamp: 75, transactions: [1n] }],
      [{ kind: "block", method: "devnet_increaseTime", params: '{"time":60}', block: 1 }],
    );
    const entries = await dump();
    expect([entries[0], entries.at(-1)]).toEqual([open(75), SEAL]);
    expect(entries).toHaveLength(3);
  });

  test("puts settings before the blocks they apply to, and immediate requests before what follows them", async () => {
    const { dump } = world(
      [
        { timestamp: 10, transactions: [1n, 2n] },
        { timestamp: 11, transactions: [3n] },
      ],
      [
        { kind: "transaction", hash: 1n },
        { kind: "next", method: "devnet_setGasPrice", block: 2 },
        { kind: "now", method: "devnet_autoImpersonate", block: 2 },
        { kind: "transaction", hash: 2n },
        { kind: "now", method: "devnet_stopAutoImpersonate", block: 2 },
        { kind: "write", method: "dev_setStorageAt", block: 1 },
        { kind: "transaction", hash: 3n },
        { kind: "next", method: "devnet_setTime", block: 3 },
      ],
    );
    expect((await dump()).map(([method, , id]) => [method, id])).toEqual([
      ["devnet_setTime", "appchain:open"],
      ["devnet_mint", "0x1"],
      ["devnet_autoImpersonate", 2],
      ["devnet_mint", "0x2"],
      ["devnet_stopAutoImpersonate", 4],
      ["dev_setStorageAt", 5],
      ["devnet_createBlock", "appchain:seal"],
      ["devnet_setGasPrice", 7],
      ["devnet_setTime", "appchain:open"],
      ["devnet_mint", "0x3"],
      ["devnet_createBlock", "appchain:seal"],
      ["devnet_setTime", 11],
    ]);
  });

  test("omits the seal of the open block, and an empty open block entirely", async () => {
    const requests = [{ kind: "transaction", hash: 1n }] as const;
    const { dump } = world([], requests, [{ timestamp: 5 }, { timestamp: 6, transactions: [1n] }]);
    expect(await dump()).toEqual([open(5), SEAL, open(6), ["devnet_mint", {}, "0x1"]]);
    expect(await world([], [], [{ timestamp: 6 }]).dump()).toEqual([]);
  });

  test("includes pending transactions but not rejected ones", async () => {
    const requests = [1n, 2n].map((hash) => ({ kind: "transaction", hash }) as const);
    const { dump } = world([], requests, [], {
      mempool: {
        find: (hash) =>
          Promise.resolve(hash === 2n ? { ...transfer(0n), hash, isCandidate: false } : undefined),
        rejectionOf: () => Promise.resolve(undefined),
      },
    });
    expect(await dump()).toEqual([["devnet_mint", {}, "appchain:waiting"]]);
  });

  test("rebuilds transactions without a recorded request from the chain", async () => {
    const { dump } = world([{ timestamp: 10, transactions: [5n] }], []);
    const { hash, transaction } = transfer(7n);
    const [, entry] = await dump();
    expect(entry?.[0]).toBe("starknet_addInvokeTransaction");
    expect(entry?.[1]).toMatchObject({
      invoke_transaction: { type: "INVOKE", nonce: `0x${transaction.nonce.toString(16)}` },
    });
    expect(entry?.[2]).toBe(`0x${hash.toString(16)}`);
  });

  test("waits for received requests before it reads the chain", async () => {
    const { context, dumps, recorder } = world([], []);
    const order: string[] = [];
    const devnet = context.devnet;
    if (devnet === undefined) throw new TypeError("it is a development chain");
    spyOn(devnet, "settle").mockImplementation(async () => void order.push("settle"));
    spyOn(dumps, "accepted").mockImplementation(async () => void order.push("accepted"));
    spyOn(recorder, "requests").mockImplementation(() => {
      order.push("requests");
      return [];
    });
    expect(await composeDump(context, dumps)).toBe("[]");
    expect(order.slice(-3)).toEqual(["settle", "accepted", "requests"]);
  });
});

describe("the dump of a fork", () => {
  const fork = { chainId: "SN_MAIN", blockNumber: 0, blockHash: 0xabn };

  test("names the fork, and begins after its first block", async () => {
    const blocks = [{ timestamp: 5 }, { timestamp: 9 }];
    const { dump } = world(blocks, [{ kind: "block", block: 2 }], [], {}, fork);
    expect(await dump()).toEqual([
      ["devnet_getConfig", {}, "appchain:fork:0:0xab:SN_MAIN"],
      open(9),
      ["devnet_mint", {}, 1],
    ]);
  });

  test("is empty if nothing has changed the chain", async () => {
    const { dump } = world([{ timestamp: 5 }], [], [], {}, fork);
    expect(await dump()).toEqual([]);
  });
});
