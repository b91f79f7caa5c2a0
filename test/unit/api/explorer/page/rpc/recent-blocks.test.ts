import { expect, test } from "bun:test";
import { RecentBlocks } from "#api/explorer/page/rpc/recent-blocks.ts";

/** A node whose blocks have `transactions` each; their hashes name the branch of the chain. */
function world(transactions = 0, shown = 10) {
  let branch = "a";
  let newest = 1_000;
  const requested: string[] = [];
  const api = {
    get(path: string, query: Readonly<Record<string, string | null>> = {}) {
      requested.push(`${path} ${query["after"]} ${query["limit"]} ${query["transactions"]}`);
      const first = Math.min(Number(query["after"]) - 1, newest);
      const count = Math.min(Number(query["limit"]), first + 1);
      let left = Number(query["transactions"]);
      const items = Array.from({ length: count }, (_, i) => {
        const own = Math.min(left, transactions);
        left -= own;
        return {
          block_number: first - i,
          block_hash: `${branch}${first - i}`,
          parent_hash: `${branch}${first - i - 1}`,
          transactions: Array.from({ length: own }, () => ({})),
        };
      });
      return Promise.resolve({ items, next: null });
    },
  };
  const blocks = new RecentBlocks(api, shown);
  return {
    blocks,
    requested,
    revert(to: number) {
      [branch, newest] = ["b", to];
    },
  };
}

const BLOCKS = { blocks: 10, transactions: 0 };

test("a new block is loaded alone, and links to those that are kept", async () => {
  const { blocks, requested } = world();
  await blocks.load(50, 1, BLOCKS);
  const loaded = await blocks.load(51, 2, BLOCKS);
  expect(requested).toEqual(["blocks 51 10 10", "blocks 52 1 10"]);
  expect(loaded.slice(0, 3).map(({ number }) => number)).toEqual([51, 50, 49]);
});

test("several new blocks are loaded together", async () => {
  const { blocks, requested } = world();
  await blocks.load(50, 1, BLOCKS);
  await blocks.load(54, 2, BLOCKS);
  expect(requested.at(-1)).toBe("blocks 55 4 10");
});

test("a view that asks at the same time for the same blocks shares the request", async () => {
  const { blocks, requested } = world(1);
  await Promise.all([
    blocks.load(50, 1, BLOCKS),
    blocks.load(50, 1, { blocks: 0, transactions: 10 }),
  ]);
  expect(requested).toHaveLength(1);
});

test("blocks are loaded until there are enough transactions, at most 500", async () => {
  const { blocks, requested } = world();
  const loaded = await blocks.load(1_000, 1, { blocks: 0, transactions: 10 });
  expect(requested.slice(0, 2)).toEqual(["blocks 1001 10 10", "blocks 991 100 10"]);
  expect(loaded).toHaveLength(500);
});

test("the blocks of a reverted chain are replaced", async () => {
  const { blocks, revert } = world();
  await blocks.load(50, 1, BLOCKS);
  revert(50);
  const loaded = await blocks.load(50, 2, BLOCKS);
  expect(new Set(loaded.map(({ hash }) => hash.slice(0, 1)))).toEqual(new Set(["b"]));
});

test("a block that the node lost meanwhile is not replaced by one below it", async () => {
  const { blocks, revert } = world();
  revert(48);
  expect(await blocks.load(50, 1, BLOCKS)).toEqual([]);
});

test("a failed request is that of one load alone", async () => {
  let isFailing = true;
  const api = {
    get: () =>
      isFailing
        ? Promise.reject(new RangeError("the node is away"))
        : Promise.resolve({ items: [{ block_number: 0 }] }),
  };
  const blocks = new RecentBlocks(api, 10);
  expect(blocks.load(0, 1, BLOCKS)).rejects.toThrow("the node is away");
  await Bun.sleep(0);
  isFailing = false;
  expect(await blocks.load(0, 1, BLOCKS)).toHaveLength(1);
});
