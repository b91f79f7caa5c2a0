import { expect, test } from "bun:test";
import { pendingWorld as world } from "#test/helpers/open-blocks.ts";

test("a pre-confirmed block stores the hash of the block ten before where contracts read it", async () => {
  const { chain, open, pass, feed, verifier, until, latest, seen, close } = await world();
  open.set(3, "a", [1n]);
  await pass(1_500);
  expect(feed.current().state().storageAt(1n, 0n)).toBe(0n);
  chain.grow(9);
  verifier.learn(chain);
  await until(() => latest() === 11);
  open.blocks.delete(3);
  open.set(12, "b", []);
  await pass(1_500);
  expect(seen()).toEqual(["12: "]);
  const state = feed.current().state();
  expect([1n, 2n, 3n].map((key) => state.storageAt(1n, key))).toEqual([
    0n,
    chain.blocks[2]?.hash ?? 0n,
    0n,
  ]);
  await close();
});
