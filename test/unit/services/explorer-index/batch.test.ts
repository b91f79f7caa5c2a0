import { describe, expect, test } from "bun:test";
import { readBatch } from "#services/explorer-index/batch.ts";
import { explorerBlock, invokeOf } from "#test/helpers/explorer-blocks.ts";
import { createFakeChain, type FakeBlock } from "#test/helpers/fake-chain.ts";

/** A chain of `count` blocks with `size` transactions each. */
function blocks(count: number, size: number): readonly FakeBlock[] {
  const transactions = Array.from({ length: size }, () => ({ transaction: invokeOf(0xa11cen) }));
  return Array.from({ length: count }, (_, number) => explorerBlock(number, transactions));
}

/** Numbers of the blocks in the batch from a block on. */
function batchFrom(chain: readonly FakeBlock[], from: number, head = chain.length - 1) {
  const hash = chain[from - 1]?.header.hash;
  const newest = hash === undefined ? undefined : { number: from - 1, hash };
  const batch = readBatch(createFakeChain(chain), newest, from, head);
  return batch.kind === "blocks" ? batch.blocks.map(({ number }) => number) : batch.kind;
}

describe("a batch", () => {
  test("ends at the head, also of a chain that is longer", () => {
    expect(batchFrom(blocks(6, 1), 2, 4)).toEqual([2, 3, 4]);
  });

  test("ends where the chain ends", () => {
    expect(batchFrom(blocks(6, 1), 4, 99)).toEqual([4, 5]);
  });

  test("has at most 200 blocks", () => {
    expect(batchFrom(blocks(250, 0), 10)).toHaveLength(200);
  });

  test("ends with the block that makes it 500 transactions", () => {
    expect(batchFrom(blocks(8, 100), 1)).toEqual([1, 2, 3, 4, 5]);
    expect(batchFrom(blocks(8, 499), 1)).toEqual([1, 2]);
  });

  test("is none if its first block has another parent than the newest indexed one", () => {
    const chain = [...blocks(3, 1), explorerBlock(3, [], {}, { own: 1, parent: 1 })];
    expect(batchFrom(chain, 3)).toBe("otherParent");
  });
});
