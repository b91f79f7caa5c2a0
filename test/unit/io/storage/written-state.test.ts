import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { EMPTY_STATE_DIFF, type StateDiff } from "#protocol/chain/index.ts";
import { type ChainWriter, createChainWriter, type StoredChainReader } from "#io/storage/index.ts";
import { blockCommit } from "#test/helpers/blocks.ts";
import { type ChainFolder, openChainFolder, storageErrorOf } from "#test/helpers/chain-folder.ts";

const CONTRACT = 0x77n;
const CLASS = 0xc1a55n;

let chain: ChainFolder;
let writer: ChainWriter;
let reader: StoredChainReader;

beforeEach(async () => {
  chain = await openChainFolder();
  ({ writer, reader } = chain);
});

afterEach(() => chain[Symbol.dispose]());

function writes(key: bigint, value: bigint): StateDiff {
  return { ...EMPTY_STATE_DIFF, storageDiffs: new Map([[CONTRACT, new Map([[key, value]])]]) };
}

describe("StoredChainReader.writtenAt", () => {
  test("returns a written 0, and undefined for a variable that no block wrote", () => {
    writer.commitBlock(blockCommit(0, { stateDiff: writes(1n, 0n) }));
    const written = reader.writtenAt(0);
    expect(written.storageAt(CONTRACT, 1n)).toBe(0n);
    expect(written.storageAt(CONTRACT, 2n)).toBeUndefined();
    expect(written.storageAt(0x78n, 1n)).toBeUndefined();
  });

  test("returns undefined where the state reader returns 0", () => {
    writer.commitBlock(blockCommit(0, { stateDiff: writes(1n, 5n) }));
    const [written, state] = [reader.writtenAt(0), reader.stateAt(0)];
    expect([written.nonceAt(CONTRACT), state.nonceAt(CONTRACT)]).toEqual([undefined, 0n]);
    expect([written.classHashAt(CONTRACT), state.classHashAt(CONTRACT)]).toEqual([undefined, 0n]);
    expect(written.compiledClassHashOf(CLASS)).toBeUndefined();
    expect(state.compiledClassHashOf(CLASS)).toBe(0n);
  });

  test("omits values that only later blocks wrote", () => {
    const stateDiff: StateDiff = {
      ...writes(1n, 5n),
      nonces: new Map([[CONTRACT, 3n]]),
      deployedContracts: new Map([[CONTRACT, CLASS]]),
      declaredClasses: new Map([[CLASS, 0xcaan]]),
    };
    const contractClass = { kind: "legacy", json: "{}" } as const;
    const classes = [{ classHash: CLASS, contractClass, casmJson: null }];
    writer.commitBlock(blockCommit(0));
    writer.commitBlock(blockCommit(1, { stateDiff, classes }));
    const [before, after] = [reader.writtenAt(0), reader.writtenAt(1)];
    expect(before.storageAt(CONTRACT, 1n)).toBeUndefined();
    expect(before.nonceAt(CONTRACT)).toBeUndefined();
    expect(before.classHashAt(CONTRACT)).toBeUndefined();
    expect(before.compiledClassHashOf(CLASS)).toBeUndefined();
    expect(before.executableClass(CLASS)).toBeUndefined();
    expect(after.storageAt(CONTRACT, 1n)).toBe(5n);
    expect(after.nonceAt(CONTRACT)).toBe(3n);
    expect(after.classHashAt(CONTRACT)).toBe(CLASS);
    expect(after.compiledClassHashOf(CLASS)).toBe(0xcaan);
  });

  test("refuses an unwritten variable of a block whose state is pruned", () => {
    const pruning = createChainWriter(chain.writing, { pruneHistory: 16 });
    for (let number = 0; number < 20; number++) {
      pruning.commitBlock(blockCommit(number, { stateDiff: writes(1n, BigInt(number)) }));
    }
    expect(storageErrorOf(() => reader.writtenAt(1).storageAt(CONTRACT, 2n))).toBe(
      "STORAGE_PRUNED",
    );
    expect(reader.writtenAt(4).storageAt(CONTRACT, 2n)).toBeUndefined();
  });

  test("keeps a written 0 when older versions are pruned", () => {
    const pruning = createChainWriter(chain.writing, { pruneHistory: 16 });
    pruning.commitBlock(blockCommit(0, { stateDiff: writes(1n, 5n) }));
    pruning.commitBlock(blockCommit(1, { stateDiff: writes(1n, 0n) }));
    for (let number = 2; number < 20; number++) pruning.commitBlock(blockCommit(number));
    expect(reader.writtenAt(19).storageAt(CONTRACT, 1n)).toBe(0n);
  });
});
