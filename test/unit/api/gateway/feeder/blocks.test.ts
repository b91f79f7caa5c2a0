import { describe, expect, test } from "bun:test";
import {
  readBlockReference,
  readGatewayBlock,
  readGatewaySignature,
  readGatewayStateUpdate,
  readGatewayWholeBlock,
} from "#io/feeder/index.ts";
import { type JsonObject, parseJson } from "#base/codec/index.ts";
import { createFakeChain, fakeBlock, fakeReceipt } from "#test/helpers/fake-chain.ts";
import { feederOf } from "#test/helpers/feeder.ts";
import {
  emptyContext,
  INVOKE_V3,
  SAMPLE_CHAIN,
  sampleContext,
} from "#test/helpers/sample-chain.ts";

const { ask } = feederOf();
const HASH_0 = "0xb10c0";
const HASH_1 = "0xb10c1";

describe("block selection", () => {
  test.each([
    ["", 1],
    ["?blockNumber=latest", 1],
    ["?blockNumber=pending", 1],
    ["?blockNumber=0", 0],
    ["?blockNumber=00", 0],
    [`?blockHash=${HASH_0}`, 0],
    ["?blockHash=0x00B10C1", 1],
    ["?blockNumber=1&something=else", 1],
    ["?blockNumber=null", 1],
    ["?blockHash=null&blockNumber=0", 0],
    ["?blockHash=0xb10c0&blockNumber=null", 0],
  ])("get_block%s returns block %i", async (query, number) => {
    expect(readGatewayBlock((await ask(`get_block${query}`)).json).header.number).toBe(number);
    const update = await ask(`get_state_update${query}`);
    expect(readGatewayStateUpdate(update.json).blockHash).toBe(0xb10c0n + BigInt(number));
  });

  test.each([
    ["blockNumber=2", "BLOCK_NOT_FOUND", "Block not found"],
    ["blockNumber=18446744073709551615", "BLOCK_NOT_FOUND", "Block not found"],
    ["blockHash=0xdead", "BLOCK_NOT_FOUND", "Block not found"],
    [
      "blockHash=0xb10c0&blockNumber=0",
      "MALFORMED_REQUEST",
      "Ambiguous criteria: only one of (block number, block hash) can be provided.",
    ],
    [
      "blockNumber=-1",
      "MALFORMED_REQUEST",
      "Field blockNumber must be a non-negative integer; got: -1.",
    ],
    [
      "blockNumber=18446744073709551616",
      "MALFORMED_REQUEST",
      "Field blockNumber must be a non-negative integer; got: 18446744073709551616.",
    ],
    [
      "blockNumber=",
      "MALFORMED_REQUEST",
      "Field blockNumber must be a non-negative integer; got: .",
    ],
    [
      "blockNumber=1.5",
      "MALFORMED_REQUEST",
      "Field blockNumber must be a non-negative integer; got: 1.5.",
    ],
    [
      "blockNumber=0x1",
      "MALFORMED_REQUEST",
      "Field blockNumber must be a non-negative integer; got: 0x1.",
    ],
    [
      "blockNumber=Latest",
      "MALFORMED_REQUEST",
      "Field blockNumber must be a non-negative integer; got: Latest.",
    ],
    [
      "blockNumber=1&blockNumber=1",
      "MALFORMED_REQUEST",
      "Field blockNumber is given more than once.",
    ],
    [
      "blockHash=b10c0",
      "MALFORMED_REQUEST",
      "Block hash should be a hexadecimal string starting with 0x, or 'null'; got: b10c0.",
    ],
    [
      "blockHash=0x",
      "MALFORMED_REQUEST",
      "Block hash should be a hexadecimal string starting with 0x, or 'null'; got: 0x.",
    ],
    [
      `blockHash=0x0${"0".repeat(64)}`,
      "OUT_OF_RANGE_BLOCK_HASH",
      `Block hash 0x${"0".repeat(65)} is out of range.`,
    ],
    [
      "blockHash=0x800000000000011000000000000000000000000000000000000000000000001",
      "OUT_OF_RANGE_BLOCK_HASH",
      "Block hash 0x800000000000011000000000000000000000000000000000000000000000001 is out of range.",
    ],
  ] as const)("rejects %s with %s", async (query, name, message) => {
    for (const route of ["get_block", "get_state_update", "get_signature", "get_block_traces"]) {
      const { status, json, headers } = await ask(`${route}?${query}`);
      const prefix = name === "MALFORMED_REQUEST" ? "StarkErrorCode" : "StarknetErrorCode";
      expect(json).toEqual({ code: `${prefix}.${name}`, message });
      expect(status).toBe(400);
      expect(headers).toMatchObject({ "cache-control": "no-store" });
      expect(headers).not.toHaveProperty("etag");
    }
  });

  test("responds BLOCK_NOT_FOUND on an empty chain", async () => {
    const empty = feederOf({ context: emptyContext() });
    for (const route of ["get_block", "get_state_update", "get_block?headerOnly=true"]) {
      expect((await empty.ask(route)).json).toEqual({
        code: "StarknetErrorCode.BLOCK_NOT_FOUND",
        message: "Block not found",
      });
    }
  });

  test("rejects an overlong query and truncates long values in its errors", async () => {
    const { status, text } = await ask(`get_block?x=${"1".repeat(2_050)}`);
    expect(status).toBe(400);
    expect(text.length).toBeLessThan(200);
    const shown = await ask(`get_block?blockNumber=${"9".repeat(2_000)}`);
    expect(shown.text.length).toBeLessThan(250);
  });

  test.each(["%", "%zz", "&&&=", "a=1&a", "blockNumber=%00"])(
    "parses the query %p without an internal error",
    async (query) => {
      expect([200, 400]).toContain((await ask(`get_block?${query}`)).status);
    },
  );
});

describe("block responses", () => {
  test("headerOnly returns only the hash and the number", async () => {
    const { json } = await ask("get_block?headerOnly=true");
    expect(json).toEqual({ block_hash: HASH_1, block_number: 1 });
    expect(readBlockReference(json)).toEqual({ hash: 0xb10c1n, number: 1 });
    expect((await ask("get_block?headerOnly=false")).json).toHaveProperty("transactions");
  });

  test.each(["1", "True", "", "yes"])("rejects the flag value %p", async (text) => {
    for (const query of [`get_block?headerOnly=${text}`, `get_state_update?includeBlock=${text}`]) {
      expect((await ask(query)).status).toBe(400);
    }
  });

  test("includeBlock adds the block, and includeSignature the signature", async () => {
    const block = await ask("get_block");
    const update = await ask("get_state_update");
    expect((await ask("get_state_update?includeBlock=true")).json).toEqual({
      block: block.json,
      state_update: update.json,
    });
    const whole = await ask("get_state_update?includeBlock=true&includeSignature=true");
    expect(whole.json).toEqual({
      block: block.json,
      state_update: update.json,
      signature: ["0x1", "0x2"],
    });
    expect(readGatewayWholeBlock(whole.json).signature).toEqual({ r: 1n, s: 2n });
  });

  test("get_block and get_state_update return the stored block", async () => {
    const { header, transactions, receipts } = readGatewayBlock(
      (await ask("get_block?blockNumber=0")).json,
    );
    const stored = SAMPLE_CHAIN.header(0);
    expect(header).toMatchObject({
      hash: stored?.hash,
      parentHash: 0n,
      newRoot: stored?.newRoot,
      status: "ACCEPTED_ON_L1",
      receiptCommitment: stored?.receiptCommitment,
      stateDiffLength: 3,
    });
    expect(transactions.map(({ hash }) => hash)).toEqual(SAMPLE_CHAIN.transactionHashes(0));
    expect(receipts).toHaveLength(transactions.length);
    const update = readGatewayStateUpdate((await ask("get_state_update?blockNumber=0")).json);
    expect(update).toMatchObject({ oldRoot: 0n, newRoot: stored?.newRoot });
    expect(update.stateDiff).toEqual(SAMPLE_CHAIN.stateDiff(0) ?? update.stateDiff);
  });

  test("old_root is the state root of the parent block", async () => {
    const update = readGatewayStateUpdate((await ask("get_state_update?blockNumber=1")).json);
    expect(update.oldRoot).toBe(SAMPLE_CHAIN.header(0)?.newRoot ?? 0n);
  });

  const LATER = ["receipt_commitment", "state_diff_commitment", "state_diff_length"];
  test.each([
    ["0.13.0", { later: false, migrations: false }],
    ["0.13.1", { later: false, migrations: false }],
    ["0.13.2", { later: true, migrations: false }],
    ["0.13.4", { later: true, migrations: false }],
    ["0.14.0", { later: true, migrations: false }],
    ["0.14.1", { later: true, migrations: true }],
    ["0.14.4", { later: true, migrations: true }],
  ])("a block of version %s has the members of that version", async (protocolVersion, has) => {
    const chain = createFakeChain([
      fakeBlock({
        header: {
          number: 0,
          protocolVersion,
          gasPrices: {
            l1Gas: { wei: 1n, fri: 2n },
            l1DataGas: { wei: 3n, fri: 4n },
            l2Gas: { wei: 1n, fri: 1n },
          },
        },
        transactions: [{ hash: 1n, transaction: INVOKE_V3 }],
        receipts: [fakeReceipt({ transactionHash: 1n })],
      }),
    ]);
    const context = sampleContext({ chain, pending: () => undefined });
    const old = feederOf({ context });
    const block = (await old.ask("get_block")).json;
    for (const name of [
      "transaction_commitment",
      "event_commitment",
      "l1_gas_price",
      "l1_data_gas_price",
      "l1_da_mode",
    ]) {
      expect(block).toHaveProperty(name);
    }
    for (const name of LATER)
      expect([name, Object.hasOwn(block as object, name)]).toEqual([name, has.later]);
    const hasL2Price = protocolVersion >= "0.13.4";
    expect(Object.hasOwn(block as object, "l2_gas_price")).toBe(hasL2Price);
    const update = (await old.ask("get_state_update")).json as { state_diff: JsonObject };
    expect(Object.hasOwn(update.state_diff, "migrated_compiled_classes")).toBe(has.migrations);
    const whole = (await old.ask("get_state_update?includeBlock=true")).json;
    expect(whole).toEqual({ block, state_update: update });
  });
});

describe("get_signature", () => {
  test("returns the signature with the block hash that it signs", async () => {
    const { json } = await ask("get_signature?blockNumber=0");
    expect(json).toEqual({ block_hash: HASH_0, signature: ["0x1", "0x2"] });
    expect(readGatewaySignature(json)).toEqual({ blockHash: 0xb10c0n, r: 1n, s: 2n });
  });

  test("returns a signature for every block that get_block returns", async () => {
    for (const query of ["", "?blockNumber=latest", "?blockNumber=0", `?blockHash=${HASH_1}`]) {
      const header = readBlockReference(
        (await ask(`get_block${query || "?"}&headerOnly=true`)).json,
      );
      const signature = readGatewaySignature((await ask(`get_signature${query}`)).json);
      expect(signature.blockHash).toBe(header.hash);
    }
  });

  test("responds NO_SIGNATURE_FOR_PENDING_BLOCK for a pending block", async () => {
    expect((await ask("get_signature?blockNumber=pending")).json).toEqual({
      code: "StarknetErrorCode.NO_SIGNATURE_FOR_PENDING_BLOCK",
      message:
        "BlockSignature is not supported for pending blocks; try querying with a concrete block identifier",
    });
  });
});

test("get_block responses round-trip through parseJson", async () => {
  const { text, json } = await ask("get_block?blockNumber=0");
  expect(parseJson(text)).toEqual(json);
  expect(text).not.toContain("undefined");
});
