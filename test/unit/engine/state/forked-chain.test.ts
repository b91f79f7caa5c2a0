import { describe, expect, test } from "bun:test";
import { ForkedChain, type LocalChain, type OriginReader } from "#engine/state/index.ts";
import { fakeDiff, fakeHeader, fakeReceipt } from "#test/helpers/fake-chain.ts";
import { numberedChain, storageState } from "#test/helpers/memory-chain.ts";
import { FORK_BLOCK, partialOrigin } from "#test/helpers/origin-world.ts";
import { INVOKE_V3 } from "#test/helpers/sample-chain.ts";

const ORIGIN_TRANSACTION = { hash: 0xa1n, transaction: INVOKE_V3 };
const LOCAL_TRANSACTION = { hash: 0xb1n, transaction: INVOKE_V3 };
const ORIGIN_HEADER = fakeHeader({ number: FORK_BLOCK - 20 });
const ANCESTOR = fakeHeader({ number: FORK_BLOCK });
const LOCAL_HEADER = fakeHeader({ number: FORK_BLOCK + 1 });
const ORIGIN_BLOCK = {
  header: ORIGIN_HEADER,
  transactions: [ORIGIN_TRANSACTION],
  receipts: [fakeReceipt({ transactionHash: ORIGIN_TRANSACTION.hash })],
};

/** Local chain that has one block above the fork block, and fails reads of blocks below it. */
function localChain(parts: Partial<LocalChain>): LocalChain {
  const isLocal = (number: number): void => expect(number).toBeGreaterThan(FORK_BLOCK);
  return {
    ...numberedChain(FORK_BLOCK + 1, () => expect.unreachable()),
    header(number) {
      isLocal(number);
      return LOCAL_HEADER;
    },
    transactions(number) {
      isLocal(number);
      return [LOCAL_TRANSACTION];
    },
    receipts(number) {
      isLocal(number);
      return [fakeReceipt({ transactionHash: LOCAL_TRANSACTION.hash })];
    },
    writtenAt: () => expect.unreachable(),
    ...parts,
  };
}

function forkedChain(local: Partial<LocalChain>, origin: Partial<OriginReader>): ForkedChain {
  return new ForkedChain(localChain(local), partialOrigin(origin));
}

describe("ForkedChain", () => {
  test("continues the fork block until a local block exists", () => {
    expect(forkedChain({ latestNumber: () => undefined }, {}).latestNumber()).toBe(FORK_BLOCK);
    expect(forkedChain({}, {}).latestNumber()).toBe(FORK_BLOCK + 1);
    expect(forkedChain({}, {}).oldestBlock()).toBe(0);
  });

  test("reads blocks up to the fork block from the origin", () => {
    const chain = forkedChain({}, { block: () => ORIGIN_BLOCK, stateDiff: () => fakeDiff({}) });
    const number = ORIGIN_HEADER.number;
    const location = { blockNumber: number, index: 0 };
    expect(chain.header(number)).toBe(ORIGIN_HEADER);
    expect(chain.transactions(number)).toEqual([ORIGIN_TRANSACTION]);
    expect(chain.transactionHashes(number)).toEqual([ORIGIN_TRANSACTION.hash]);
    expect(chain.receipts(number)).toEqual(ORIGIN_BLOCK.receipts);
    expect(chain.transactionAt(location)).toBe(ORIGIN_TRANSACTION);
    expect(chain.receiptAt(location)).toEqual(ORIGIN_BLOCK.receipts[0]);
    expect(chain.portionAt(location)).toMatchObject({ firstIndex: 0, count: 1 });
    expect(chain.stateDiff(number)).toEqual(fakeDiff({}));
  });

  test("reads blocks above the fork block from the local chain alone", () => {
    const chain = forkedChain({}, {});
    expect(chain.header(FORK_BLOCK + 1)).toBe(LOCAL_HEADER);
    expect(chain.transactions(FORK_BLOCK + 1)).toEqual([LOCAL_TRANSACTION]);
    expect(chain.receipts(FORK_BLOCK + 1)).toHaveLength(1);
  });

  test("reads stored ancestor headers without the origin", () => {
    expect(forkedChain({ ancestorHeader: () => ANCESTOR }, {}).header(FORK_BLOCK)).toBe(ANCESTOR);
  });

  test("has no block with a negative number", () => {
    const chain = forkedChain({}, {});
    expect(chain.header(-1)).toBeUndefined();
    expect(chain.transactions(-1)).toEqual([]);
    expect(chain.receipts(-1)).toEqual([]);
    expect(chain.stateDiff(-1)).toBeUndefined();
  });

  test("finds hashes in the local chain first", () => {
    const local = { blockNumber: FORK_BLOCK + 1, index: 0 };
    const chain = forkedChain(
      {
        locate: (hash) => (hash === LOCAL_TRANSACTION.hash ? local : undefined),
        numberByHash: (hash) => (hash === LOCAL_HEADER.hash ? FORK_BLOCK + 1 : undefined),
      },
      {
        locate: () => ({ blockNumber: 3, index: 4 }),
        numberByHash: () => 3,
      },
    );
    expect(chain.locate(LOCAL_TRANSACTION.hash)).toBe(local);
    expect(chain.locate(ORIGIN_TRANSACTION.hash)).toEqual({ blockNumber: 3, index: 4 });
    expect(chain.numberByHash(LOCAL_HEADER.hash)).toBe(FORK_BLOCK + 1);
    expect(chain.numberByHash(1n)).toBe(3);
  });

  test("reports local blocks accepted on L1 without the origin", () => {
    const local = (number: number | undefined) => ({ l1AcceptedNumber: () => number });
    expect(forkedChain(local(FORK_BLOCK + 1), {}).l1AcceptedNumber()).toBe(FORK_BLOCK + 1);
    expect(forkedChain(local(FORK_BLOCK), {}).l1AcceptedNumber()).toBeUndefined();
    expect(forkedChain(local(undefined), {}).l1AcceptedNumber()).toBeUndefined();
  });

  test("reads local state above that of the fork block", () => {
    const blocks: number[] = [];
    const chain = forkedChain(
      {
        writtenAt: (number) => ({
          storageAt: (_, key) => (key === 1n ? BigInt(number) : undefined),
          nonceAt: () => undefined,
          classHashAt: () => undefined,
          compiledClassHashOf: () => undefined,
          executableClass: () => undefined,
        }),
      },
      {
        stateAt(number) {
          blocks.push(number);
          return storageState(new Map([["9/2", 22n]]));
        },
      },
    );
    const state = chain.stateAt(FORK_BLOCK + 1);
    expect(state.storageAt(9n, 1n)).toBe(BigInt(FORK_BLOCK + 1));
    expect(state.storageAt(9n, 2n)).toBe(22n);
    expect(blocks).toEqual([FORK_BLOCK]);
  });

  test("reads the state after an older block from the origin at that block", () => {
    const blocks: number[] = [];
    const stateAt = (number: number) => {
      blocks.push(number);
      return storageState(new Map());
    };
    forkedChain({}, { stateAt }).stateAt(FORK_BLOCK - 7);
    expect(blocks).toEqual([FORK_BLOCK - 7]);
  });

  test("skips no block of the origin in an event search", () => {
    const query = { addresses: [], keys: [] };
    const chain = forkedChain({ nextEventBlock: () => FORK_BLOCK + 5 }, {});
    expect(chain.nextEventBlock(query, 3, FORK_BLOCK + 9)).toBe(3);
    expect(chain.nextEventBlock(query, FORK_BLOCK + 1, FORK_BLOCK + 9)).toBe(FORK_BLOCK + 5);
    expect(chain.nextEventBlock(query, 5, 4)).toBeUndefined();
  });

  test("lists the origin's messages of an L1 transaction before the local ones", () => {
    const before = { transactionHash: 1n, blockNumber: 3 };
    const after = { transactionHash: 2n, blockNumber: FORK_BLOCK + 1 };
    const chain = forkedChain(
      { messagesOfL1Transaction: () => [after] },
      { messagesOfL1Transaction: () => [before] },
    );
    expect(chain.messagesOfL1Transaction(7n)).toEqual([before, after]);
  });

  test("offers no proofs up to the fork block", () => {
    expect(forkedChain({}, {}).oldestTrieBlock()).toBe(FORK_BLOCK + 1);
  });
});
