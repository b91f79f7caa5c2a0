import { describe, expect, test } from "bun:test";
import type { BlockHeader, HashedTransaction, Receipt } from "#protocol/chain/index.ts";
import { PublishedChain } from "#app/node/storage/chain/published-chain.ts";
import type { BlockPortion, ChainReader, DeclaredClass } from "#engine/state/index.ts";
import { NO_TRIES } from "#test/helpers/fake-chain.ts";
import { numberedChain, storageState } from "#test/helpers/memory-chain.ts";

/** A store whose results name their block. */
function storeAt(latest: number): ChainReader {
  const of = (blockNumber: number) => blockNumber as unknown;
  return {
    ...numberedChain(latest, (block) => storageState(new Map([["1/1", BigInt(block)]]))),
    l1AcceptedNumber: () => 1,
    header: (number) => of(number) as BlockHeader,
    numberByHash: Number,
    signature: (number) => of(number) as { r: bigint; s: bigint },
    transactions: (number) => [of(number)] as HashedTransaction[],
    transactionHashes: (number) => [BigInt(number)],
    receipts: (number) => [of(number)] as Receipt[],
    locate: (hash) => ({ blockNumber: Number(hash), index: 0 }),
    transactionAt: ({ blockNumber }) => of(blockNumber) as HashedTransaction,
    receiptAt: ({ blockNumber }) => of(blockNumber) as Receipt,
    portionAt: ({ blockNumber }) => of(blockNumber) as unknown as BlockPortion,
    messagesOfL1Transaction: (hash) => [{ transactionHash: hash, blockNumber: Number(hash) }],
    consumedL1Message: (nonce) => ({ transactionHash: nonce, blockNumber: Number(nonce) }),
    declaredClass: (hash) => ({ declaredAtBlock: Number(hash) }) as DeclaredClass,
  };
}

/** Every way to read a block; missing data is `undefined` or an empty list. */
const READS: Readonly<Record<string, (chain: ChainReader, block: number) => unknown>> = {
  header: (chain, block) => chain.header(block),
  numberByHash: (chain, block) => chain.numberByHash(BigInt(block)),
  signature: (chain, block) => chain.signature(block),
  transactions: (chain, block) => chain.transactions(block)[0],
  transactionHashes: (chain, block) => chain.transactionHashes(block)[0],
  receipts: (chain, block) => chain.receipts(block)[0],
  locate: (chain, block) => chain.locate(BigInt(block)),
  transactionAt: (chain, block) => chain.transactionAt({ blockNumber: block, index: 0 }),
  receiptAt: (chain, block) => chain.receiptAt({ blockNumber: block, index: 0 }),
  portionAt: (chain, block) => chain.portionAt({ blockNumber: block, index: 0 }),
  messagesOfL1Transaction: (chain, block) => chain.messagesOfL1Transaction(BigInt(block))[0],
  consumedL1Message: (chain, block) => chain.consumedL1Message(BigInt(block)),
  declaredClass: (chain, block) => chain.declaredClass(BigInt(block)),
};

describe("a committed block stays hidden until it is published", () => {
  for (const [name, read] of Object.entries(READS)) {
    test(name, () => {
      const chain = new PublishedChain(storeAt(3));
      expect(read(chain, 3)).toBeDefined();
      expect(read(chain, 4)).toBeUndefined();
      chain.publish(4);
      expect(read(chain, 4)).toEqual(read(storeAt(4), 4));
    });
  }

  test("stateDiff", () => {
    const stateDiff = () => ({}) as ReturnType<ChainReader["stateDiff"]>;
    const chain = new PublishedChain({ ...storeAt(3), stateDiff });
    expect([chain.stateDiff(3), chain.stateDiff(4)]).toEqual([stateDiff(), undefined]);
  });

  test("searches for events and storage updates end at the newest published block", () => {
    const chain = new PublishedChain({
      ...storeAt(3),
      nextEventBlock: (_query, _from, to) => to,
      lastStorageUpdate: (_address, _key, block) => block,
    });
    const query = { addresses: [], keys: [] };
    const reads = () => [chain.nextEventBlock(query, 0, 4), chain.lastStorageUpdate(1n, 2n, 4)];
    expect(reads()).toEqual([3, 3]);
    chain.publish(4);
    expect(reads()).toEqual([4, 4]);
  });

  test("the state never exceeds the newest published block", () => {
    const chain = new PublishedChain(storeAt(3));
    expect(chain.stateAt(4).storageAt(1n, 1n)).toBe(3n);
    expect(chain.stateAt(2).storageAt(1n, 1n)).toBe(2n);
    chain.publish(4);
    expect(chain.stateAt(4).storageAt(1n, 1n)).toBe(4n);
  });

  test("the tries never exceed the newest published block", () => {
    const trieAt: ChainReader["trieAt"] = (block) => ({
      ...NO_TRIES,
      root: () => ({ id: 1, hash: BigInt(block) }),
    });
    const chain = new PublishedChain({ ...storeAt(3), trieAt });
    const rootAt = (block: number) =>
      chain.trieAt(block).root({ kind: "classes", contractAddress: 0n })?.hash;
    expect([rootAt(4), rootAt(2)]).toEqual([3n, 2n]);
    chain.publish(4);
    expect(rootAt(4)).toBe(4n);
  });

  test("the newest number", () => {
    const chain = new PublishedChain(storeAt(3));
    expect(chain.latestNumber()).toBe(3);
    chain.publish(4);
    expect(chain.latestNumber()).toBe(4);
    expect(chain.l1AcceptedNumber()).toBe(1);
  });
});

test("a late announcement does not move the newest block back", () => {
  const chain = new PublishedChain(storeAt(5));
  chain.publish(2);
  expect(chain.latestNumber()).toBe(5);
});

test("an empty chain has no newest block", () => {
  const chain = new PublishedChain(storeAt(-1));
  expect(chain.latestNumber()).toBeUndefined();
});

test("shows the stored blocks after a reset", () => {
  let latest = 9;
  const chain = new PublishedChain({ ...storeAt(9), latestNumber: () => latest });
  latest = 4;
  expect(chain.latestNumber()).toBe(9);
  chain.reset();
  expect([chain.latestNumber(), chain.header(5)]).toEqual([4, undefined]);
  chain.publish(5);
  expect(chain.latestNumber()).toBe(5);
});

test("hides blocks above the one withdrawn to", () => {
  const chain = new PublishedChain({ ...storeAt(9), latestNumber: () => 9 });
  chain.withdraw(20);
  expect(chain.latestNumber()).toBe(9);
  chain.withdraw(4);
  expect([chain.latestNumber(), chain.header(5)]).toEqual([4, undefined]);
  chain.reset();
  expect(chain.latestNumber()).toBe(9);
});

test("reports once that the tries of the shown block were pruned while later blocks are stored", () => {
  let oldest = 9;
  const chain = new PublishedChain({
    ...storeAt(9),
    latestNumber: () => 11,
    oldestTrieBlock: () => oldest,
  });
  chain.withdraw(10);
  expect([chain.oldestTrieBlock(), chain.takeOutpaced()]).toEqual([9, undefined]);
  oldest = 11;
  expect(chain.takeOutpaced()).toBeUndefined();
  expect(chain.oldestTrieBlock()).toBe(11);
  expect([chain.takeOutpaced(), chain.takeOutpaced()]).toEqual([11, undefined]);
  chain.publish(11);
  chain.oldestTrieBlock();
  expect(chain.takeOutpaced()).toBeUndefined();
});
