import { expect, test } from "bun:test";
import { BlockCache } from "#api/explorer/page/rpc/block-cache.ts";
import { PageError } from "#api/explorer/page/rpc/page-error.ts";
import type { RpcCall } from "#api/explorer/page/rpc/rpc-client.ts";

const METHOD = "starknet_getBlockWithReceipts";

/** A node whose blocks have a hash below `accepted`, and do not exist above `newest`. */
function world(newest: number, accepted: number) {
  let nowMs = 0;
  const requested: number[][] = [];
  const rpc = {
    batch(calls: readonly RpcCall[]) {
      const numbers = calls.map(
        ({ params = {} }) => (params["block_id"] as { block_number: number }).block_number,
      );
      if (numbers.length > 0) requested.push(numbers);
      return Promise.resolve(
        numbers.map((number) =>
          number > newest
            ? new PageError("Block not found", 24)
            : { block_number: number, ...(number < accepted ? { block_hash: "0x1" } : {}) },
        ),
      );
    },
  };
  const cache = new BlockCache(rpc, () => nowMs);
  return { cache, requested, pass: (ms: number) => (nowMs += ms) };
}

test("only blocks that are not kept are requested, newest first", async () => {
  const { cache, requested } = world(9, 9);
  await cache.from(7, 3, METHOD);
  const blocks = await cache.from(8, 3, METHOD);
  expect(requested).toEqual([[7, 6, 5], [8]]);
  expect(blocks.map(({ block_number }) => block_number)).toEqual([8, 7, 6]);
});

test("a block that is not accepted yet is requested again", async () => {
  const { cache, requested } = world(9, 8);
  await cache.from(9, 3, METHOD);
  await cache.from(9, 3, METHOD);
  expect(requested).toEqual([
    [9, 8, 7],
    [9, 8],
  ]);
});

test("blocks are requested again after a while, and after a revert", async () => {
  const { cache, requested, pass } = world(9, 10);
  await cache.from(1, 5, METHOD);
  pass(29_999);
  await cache.from(1, 5, METHOD);
  expect(requested).toEqual([[1, 0]]);
  pass(1);
  await cache.from(1, 5, METHOD);
  cache.forget();
  await cache.from(1, 5, METHOD);
  expect(requested).toEqual([
    [1, 0],
    [1, 0],
    [1, 0],
  ]);
});

test("a block that was requested before a revert is not kept", async () => {
  const { cache, requested } = world(9, 10);
  const pending = cache.from(1, 1, METHOD);
  cache.forget();
  await pending;
  await cache.from(1, 1, METHOD);
  expect(requested).toEqual([[1], [1]]);
});

test("fails without any block, and skips unknown ones", async () => {
  const { cache } = world(4, 10);
  expect(await cache.from(10, 2, METHOD).catch((error: unknown) => error)).toBeInstanceOf(
    PageError,
  );
  expect(await cache.from(5, 2, METHOD)).toHaveLength(1);
});

test("few blocks are kept", async () => {
  const { cache, requested } = world(200, 201);
  for (let number = 0; number < 100; number++) await cache.from(number, 1, METHOD);
  requested.length = 0;
  await cache.from(99, 100, METHOD);
  expect(requested[0]).toHaveLength(68);
});
