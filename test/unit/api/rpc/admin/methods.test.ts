import { StorageError } from "#base/errors/index.ts";
import { afterAll, describe, expect, test } from "bun:test";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { createAdminTable } from "#api/rpc/admin/table.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { adminServer } from "#test/helpers/admin-server.ts";
import { CONTRACT, SAMPLE_CHAIN } from "#test/helpers/sample-chain.ts";

const { listener, ask, done, before, context, finished } = await adminServer();
afterAll(() => listener.stop(0, () => undefined));

test("each admin method declares its result schema", () => {
  for (const [name, { answer }] of createAdminTable().methods) {
    expect({ name, isSaid: answer !== undefined }).toEqual({ name, isSaid: true });
  }
});

describe("admin methods", () => {
  test("getMempool lists queued transactions", async () => {
    const { body } = await ask("appchain_getMempool", { offset: 7, limit: 1000 });
    expect(body.result).toEqual({
      waiting: 1,
      in_flight: 2,
      transactions: [
        {
          transaction_hash: "0x5",
          type: "INVOKE",
          sender_address: "0x2",
          nonce: "0x3",
          tip: "0x4",
          received_at_ms: 9,
        },
      ],
    });
    await ask("appchain_getMempool", [null, null, "0x9"]);
    expect(done).toEqual([
      ["mempool", 7, 1000, {}],
      ["mempool", 0, 100, { sender: 9n }],
    ]);
  });

  test("dropTransaction reports whether it dropped the transaction", async () => {
    const outcomeOf = async (hash: string) =>
      (await ask("appchain_dropTransaction", [hash])).body.result;
    expect(await outcomeOf("0x5")).toEqual({ outcome: "DROPPED" });
    expect(await outcomeOf("0x6")).toEqual({ outcome: "UNKNOWN" });
  });

  test("setLogLevel returns the previous level", async () => {
    const set = async (level: string) => (await ask("appchain_setLogLevel", { level })).body;
    expect((await set("debug")).result).toEqual({ previous: "info" });
    expect((await set("warn")).result).toEqual({ previous: "debug" });
    expect((await set("loud")).error?.code).toBe(-32602);
  });

  test("flushMempool flushes transactions by any single selector", async () => {
    done.length = 0;
    const flush = async (params: unknown) => (await ask("appchain_flushMempool", params)).body;
    expect((await flush({ all: true })).result).toEqual({ dropped: 3, in_flight: 1 });
    await flush({ contract_address: "0x2", nonce_after: "0x1", nonce_before: "0x9" });
    await flush({ transaction_hashes: ["0x5", "0x6"] });
    expect(done).toEqual([
      ["flush", {}],
      ["flush", { sender: 2n, nonceAfter: 1n, nonceBefore: 9n }],
      ["flush", { hashes: [5n, 6n] }],
    ]);
  });

  test("revertTo reverts to a block hash and returns the number of removed blocks", async () => {
    done.length = 0;
    const { chain } = sampleContext();
    const hashOf = (number: number) => `0x${(chain.header(number)?.hash ?? 0n).toString(16)}`;
    expect((await ask("appchain_revertTo", [hashOf(0)])).body.result).toEqual({
      block_number: 0,
      block_hash: hashOf(0),
      removed: 1,
    });
    expect((await ask("appchain_revertTo", ["0x404"])).body.error?.code).toBe(24);
    expect(done).toEqual([["revertTo", 0]]);
  });

  test("revertTo names the oldest block of a chain from a snapshot", async () => {
    const { chain } = context;
    const { oldestBlock } = chain;
    chain.oldestBlock = () => 1;
    expect((await ask("appchain_revertTo", ["0x404"])).body.error).toMatchObject({
      code: 24,
      data: "this chain was made from a snapshot: its oldest block is 1",
    });
    chain.oldestBlock = oldestBlock;
  });

  test("revertTo checks the block again once the revert starts", async () => {
    done.length = 0;
    const { chain } = context;
    const hash = `0x${(chain.header(0)?.hash ?? 0n).toString(16)}`;
    const { numberByHash, l1AcceptedNumber } = chain;
    before.revert = () => {
      chain.numberByHash = () => undefined;
    };
    expect((await ask("appchain_revertTo", [hash])).body.error?.code).toBe(24);
    chain.numberByHash = numberByHash;
    before.revert = () => {
      chain.l1AcceptedNumber = () => 1;
    };
    expect((await ask("appchain_revertTo", [hash])).body.error).toMatchObject({
      code: -32600,
      message: "blocks up to 1 are accepted on L1, which does not revert them",
    });
    chain.l1AcceptedNumber = () => 0;
    before.revert = () => {
      throw new StorageError("STORAGE_ROOT_MISMATCH", "the database is damaged");
    };
    expect((await ask("appchain_revertTo", [hash])).body.error).toMatchObject({
      code: -1,
      message: "the database is damaged",
    });
    before.revert = () => undefined;
    expect((await ask("appchain_revertTo", [hash])).body.error).toBeUndefined();
    chain.l1AcceptedNumber = l1AcceptedNumber;
    expect(done).toEqual([["revertTo", 0]]);
  });

  test("closeBlock returns the sealed block", async () => {
    const { body } = await ask("appchain_closeBlock", []);
    expect(body.result).toEqual({ block_number: 7, block_hash: "0x77" });
  });

  test("addL1HandlerMessage accepts a message to a deployed contract only", async () => {
    done.length = 0;
    const message = {
      from_address: "0x11",
      to_address: "0x1234567",
      entry_point_selector: "0x3",
      payload: ["0x4"],
      nonce: "0x5",
      paid_fee_on_l1: "0x6",
    };
    const { body } = await ask("appchain_addL1HandlerMessage", message);
    expect(body.error?.code).toBe(20);
    const deployed = { ...message, to_address: hexFromFelt(CONTRACT) };
    expect((await ask("appchain_addL1HandlerMessage", deployed)).body.result).toEqual({
      transaction_hash: "0x99",
      block_number: 8,
      block_hash: "0x88",
    });
    expect(done).toEqual([
      [
        "message",
        {
          l1ContractAddress: 0x11n,
          l2ContractAddress: CONTRACT,
          entryPointSelector: 3n,
          payload: [4n],
          nonce: 5n,
          paidFeeOnL1: 6n,
          l1TransactionHash: null,
        },
      ],
    ]);
  });

  test("status and ping report the state of the node", async () => {
    const newest = SAMPLE_CHAIN.header(SAMPLE_CHAIN.latestNumber() ?? -1);
    expect((await ask("appchain_status", [])).body.result).toEqual({
      role: "sequencer",
      name: "node",
      version: "1.2.3",
      protocol_version: "0.14.0",
      chain_id: "0x41",
      latest_block: {
        block_number: newest?.number,
        block_hash: hexFromFelt(newest?.hash ?? 0n),
        timestamp: newest?.timestamp,
      },
      pre_confirmed_block: expect.objectContaining({ transaction_count: expect.any(Number) }),
      mempool: { waiting: 5, in_flight: 6 },
      open_connections: 2,
      uptime_seconds: 10,
      memory_bytes: 11,
    });
    expect((await ask("appchain_ping", [])).body.result).toBe("pong");
  });

  test("shutdown stops the node", async () => {
    done.length = 0;
    expect((await ask("appchain_shutdown", [])).body.result).toEqual({ stopping: true });
    expect(done).toEqual([["shutdown"]]);
  });

  test("getBlockBouncerWeights rejects unknown blocks", async () => {
    done.length = 0;
    const weigh = async (block: unknown) =>
      (await ask("appchain_getBlockBouncerWeights", [block])).body.error?.code;
    expect(await weigh(1e9)).toBe(24);
    expect(await weigh(-1)).toBe(-32602);
    expect(done).toEqual([["getBlockBouncerWeights", { block: 1e9 }]]);
  });

  test.each([
    ["appchain_getMempool", { limit: 1001 }],
    ["appchain_getMempool", { limit: 0 }],
    ["appchain_getMempool", { offset: -1 }],
    ["appchain_dropTransaction", []],
    ["appchain_dropTransaction", ["5"]],
    ["appchain_closeBlock", [1]],
    ["appchain_revertTo", []],
    ["appchain_revertTo", [5]],
    ["appchain_flushMempool", []],
    ["appchain_flushMempool", { all: false }],
    ["appchain_flushMempool", { nonce_after: "0x1" }],
    ["appchain_flushMempool", { all: true, contract_address: "0x1" }],
    ["appchain_flushMempool", { all: true, sender: "0x1" }],
    ["appchain_flushMempool", { transaction_hashes: [] }],
    ["appchain_flushMempool", { transaction_hashes: Array(501).fill("0x1") }],
    ["appchain_addL1HandlerMessage", [{}]],
    ["appchain_shutdown", { now: true }],
  ])("reject %s %p", async (method, params) => {
    expect((await ask(method, params)).body.error?.code).toBe(-32602);
  });

  test.each(["starknet_blockNumber", "appchain_getmempool", "starknet_appchain_getMempool"])(
    "do not include %s",
    async (method) => {
      expect((await ask(method, [])).body.error?.code).toBe(-32601);
    },
  );

  test("are reported to the observer when they finish", () => {
    expect(finished).toContainEqual(["appchain_dropTransaction", true]);
  });
});
