import { expect, test } from "bun:test";
import type { BlockHeader } from "#protocol/chain/index.ts";
import { ChainSource } from "#api/rpc/ws/chain-source.ts";
import { SubscriptionWorld } from "#test/helpers/subscription-world.ts";

/** World with a block of `count` transactions, and a record of the reads of portions. */
function blockOf(count: number, isSeen: boolean) {
  const world = new SubscriptionWorld();
  const source = new ChainSource(world.context);
  for (let i = 0; i < count; i++) world.execute();
  if (isSeen) source.unaccepted();
  world.accept();
  const reads: number[] = [];
  const { portionAt } = world.context.chain;
  Object.assign(world.context.chain, {
    portionAt(location: Parameters<typeof portionAt>[0]) {
      reads.push(location.index);
      return portionAt(location);
    },
  });
  const header = source.header(1);
  if (header === undefined) throw new RangeError("there is no block 1");
  return { source, header, reads };
}

/** Hashes of all transactions of a block. */
function hashesOf(source: ChainSource, header: BlockHeader): (bigint | undefined)[] {
  const content = source.content(header);
  const place = { finality: "ACCEPTED_ON_L2", blockNumber: 1 } as const;
  return Array.from(
    { length: header.transactionCount + 1 },
    (_, i) => content.executed(i, place)?.receipt.transactionHash,
  );
}

test("ChainSource does not read the content of a block it has seen", () => {
  const { source, header, reads } = blockOf(1, true);
  expect([hashesOf(source, header), reads]).toEqual([[0x1000n, undefined], []]);
});

test("ChainSource forgets a block once notified, and reads it lazily afterwards", () => {
  const { source, header, reads } = blockOf(1, true);
  source.forget(0);
  hashesOf(source, header);
  expect(reads).toEqual([]);
  source.forget(1);
  source.content(header);
  expect(reads).toEqual([]);
  expect(hashesOf(source, header)).toEqual([0x1000n, undefined]);
});

test("ChainSource reads a stored block in portions, each once for concurrent readers", () => {
  const { source, header, reads } = blockOf(5, false);
  const expected = [0x1000n, 0x1001n, 0x1002n, 0x1003n, 0x1004n, undefined];
  expect([hashesOf(source, header), reads]).toEqual([expected, [0, 2, 4, 5]]);
  expect([hashesOf(source, header), reads]).toEqual([expected, [0, 2, 4, 5, 5]]);
  source.rest();
  hashesOf(source, header);
  expect(reads).toEqual([0, 2, 4, 5, 5, 0, 2, 4, 5]);
});

test("ChainSource returns the same object for a stored transaction per finality", () => {
  const { source, header } = blockOf(1, false);
  const at = (finality: "ACCEPTED_ON_L2" | "ACCEPTED_ON_L1") =>
    source.content(header).executed(0, { finality, blockNumber: 1 });
  expect(at("ACCEPTED_ON_L2")).toBe(at("ACCEPTED_ON_L2"));
  expect(at("ACCEPTED_ON_L1")?.placement.finality).toBe("ACCEPTED_ON_L1");
});

test("ChainSource keeps a bounded number of portions", () => {
  const { source, header, reads } = blockOf(80, false);
  hashesOf(source, header);
  expect(reads.length).toBe(41);
  hashesOf(source, header);
  expect(reads.length).toBe(82);
});
