import { describe, expect, test } from "bun:test";
import { OriginError } from "#base/errors/index.ts";
import { EMPTY_STATE_DIFF, encodeContractClass, encodeStateDiff } from "#protocol/chain/index.ts";
import {
  ChannelOriginReader,
  encodeLocation,
  encodeNumber,
  encodeOriginClass,
  type OriginQuery,
  originQueryText,
} from "#io/origin/index.ts";
import { fakeHeader, fakeReceipt } from "#test/helpers/fake-chain.ts";
import { blockValue, feltValue, FORK_BLOCK, tableChannel } from "#test/helpers/origin-world.ts";
import { INVOKE_V3 } from "#test/helpers/sample-chain.ts";

const CLASS_HASH = 0x51e77an;
const SIERRA = {
  kind: "sierra",
  sierraProgram: [1n, 7n, 0n],
  contractClassVersion: "0.1.0",
  entryPoints: { EXTERNAL: [], L1_HANDLER: [], CONSTRUCTOR: [] },
  abi: "[]",
} as const;

function readerOf(rows: readonly (readonly [string, Uint8Array | null])[]) {
  const { channel, asked } = tableChannel(new Map(rows));
  return { reader: new ChannelOriginReader(channel, FORK_BLOCK), asked };
}

describe("ChannelOriginReader", () => {
  test("knows that block hashes which no block has stored yet are 0", () => {
    const { reader, asked } = readerOf([["storage 100 0x1 0x5a", feltValue(7n)]]);
    const state = reader.stateAt(FORK_BLOCK);
    expect([state.storageAt(1n, 91n), state.storageAt(1n, 110n)]).toEqual([0n, 0n]);
    expect(asked).toEqual([]);
    expect(state.storageAt(1n, 90n)).toBe(7n);
  });

  test("asks for a state value once", () => {
    const { reader, asked } = readerOf([
      ["storage 100 0x7 0x8", feltValue(5n)],
      ["nonce 100 0x7", feltValue(6n)],
      ["classHash 100 0x7", feltValue(0n)],
    ]);
    for (let i = 0; i < 2; i++) {
      const state = reader.stateAt(FORK_BLOCK);
      expect(state.storageAt(7n, 8n)).toBe(5n);
      expect(state.nonceAt(7n)).toBe(6n);
      expect(state.classHashAt(7n)).toBe(0n);
    }
    expect(asked).toHaveLength(3);
  });

  test("fetches what an entry point read in another contract with its first value", () => {
    const asked: (readonly string[])[] = [];
    const channel = {
      require: () => undefined,
      ask: (query: OriginQuery, companions: readonly OriginQuery[] = []) => {
        asked.push([query, ...companions].map(originQueryText));
        return feltValue(5n);
      },
    };
    const state = new ChannelOriginReader(channel, FORK_BLOCK).stateAt(FORK_BLOCK);
    for (const contractAddress of [0x70n, 0x71n]) {
      const call = { depth: 1, classHash: 1n, selector: 2n, callerAddress: 3n, calldata: [] };
      state.entering?.({ ...call, contractAddress });
      for (const key of [8n, 9n]) state.storageAt(contractAddress, key);
    }
    expect(asked.slice(0, 3)).toEqual([
      ["storage 100 0x70 0x8"],
      ["storage 100 0x70 0x9"],
      ["storage 100 0x71 0x8", "storage 100 0x71 0x9"],
    ]);
  });

  test("separates the states of two blocks", () => {
    const { reader } = readerOf([
      ["nonce 100 0x7", feltValue(6n)],
      ["nonce 99 0x7", feltValue(5n)],
    ]);
    expect(reader.stateAt(100).nonceAt(7n)).toBe(6n);
    expect(reader.stateAt(99).nonceAt(7n)).toBe(5n);
  });

  test("passes on the error of the channel, and asks again afterwards", () => {
    const { reader, asked } = readerOf([]);
    const state = reader.stateAt(FORK_BLOCK);
    expect(() => state.nonceAt(7n)).toThrow(OriginError);
    expect(() => state.nonceAt(7n)).toThrow(OriginError);
    expect(asked).toHaveLength(2);
  });

  test("rejects a missing state value", () => {
    const { reader } = readerOf([["nonce 100 0x7", null]]);
    expect(() => reader.stateAt(FORK_BLOCK).nonceAt(7n)).toThrow("nonce 100 0x7");
  });

  test("reads a class with its compiled class hash", () => {
    const value = encodeOriginClass({
      contractClass: encodeContractClass(SIERRA),
      casmJson: null,
      compiledClassHash: 9n,
    });
    const { reader, asked } = readerOf([[`class 100 0x${CLASS_HASH.toString(16)}`, value]]);
    const state = reader.stateAt(FORK_BLOCK);
    expect(state.compiledClassHashOf(CLASS_HASH)).toBe(9n);
    expect(state.executableClass(CLASS_HASH)).toBeUndefined();
    expect(reader.declaredClass(CLASS_HASH)).toEqual({
      contractClass: SIERRA,
      declaredAtBlock: FORK_BLOCK,
    });
    expect(asked).toHaveLength(1);
  });

  test("knows a class that is not declared", () => {
    const { reader, asked } = readerOf([["class 100 0x9", null]]);
    const state = reader.stateAt(FORK_BLOCK);
    expect(state.compiledClassHashOf(9n)).toBe(0n);
    expect(state.executableClass(9n)).toBeUndefined();
    expect(reader.declaredClass(9n)).toBeUndefined();
    expect(asked).toHaveLength(1);
  });

  test("reads a block once, with what its encoding contains", () => {
    const block = {
      header: fakeHeader({ number: 42 }),
      transactions: [{ hash: 0xa1n, transaction: INVOKE_V3 }],
      receipts: [fakeReceipt({ transactionHash: 0xa1n })],
    };
    const { reader, asked } = readerOf([["block 42", blockValue(block)]]);
    expect(reader.block(42)).toMatchObject(block);
    expect(reader.block(42).header).toEqual(block.header);
    expect(asked).toEqual(["block 42"]);
  });

  test("reads a state diff", () => {
    const { reader } = readerOf([["stateDiff 42", encodeStateDiff(EMPTY_STATE_DIFF)]]);
    expect(reader.stateDiff(42)).toEqual(EMPTY_STATE_DIFF);
  });

  test("finds blocks and transactions by hash", () => {
    const { reader } = readerOf([
      ["numberByHash 0x1", encodeNumber(42)],
      ["numberByHash 0x2", null],
      ["locate 0x1", encodeLocation({ blockNumber: 42, index: 300 })],
      ["locate 0x2", null],
    ]);
    expect(reader.numberByHash(1n)).toBe(42);
    expect(reader.numberByHash(2n)).toBeUndefined();
    expect(reader.locate(1n)).toEqual({ blockNumber: 42, index: 300 });
    expect(reader.locate(2n)).toBeUndefined();
  });

  test("limits acceptance on L1 to the fork block", () => {
    expect(readerOf([["l1Accepted", encodeNumber(42)]]).reader.l1AcceptedNumber()).toBe(42);
    expect(readerOf([["l1Accepted", encodeNumber(999)]]).reader.l1AcceptedNumber()).toBe(100);
    expect(readerOf([["l1Accepted", null]]).reader.l1AcceptedNumber()).toBeUndefined();
  });

  test("omits messages that no block up to the fork block consumed", () => {
    const status = [{ transaction_hash: "0x1" }, { transaction_hash: "0x2" }];
    const { reader } = readerOf([
      ["messages 0xf00", Buffer.from(JSON.stringify(status))],
      ["locate 0x1", encodeLocation({ blockNumber: 42, index: 0 })],
      ["locate 0x2", null],
    ]);
    expect(reader.messagesOfL1Transaction(0xf00n)).toEqual([
      { transactionHash: 1n, blockNumber: 42 },
    ]);
  });
});
