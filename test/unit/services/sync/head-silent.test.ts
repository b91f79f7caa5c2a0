import { expect, test } from "bun:test";
import { SourceChain } from "#test/helpers/source-chain.ts";
import { syncWorld } from "#test/helpers/sync-world.ts";

test("releases stored blocks even while no newer one is announced", async () => {
  const chain = new SourceChain().grow(40);
  const given: WeakRef<object>[] = [];
  const world = await syncWorld(chain);
  const { checkBlock } = world.verifier;
  world.verifier.checkBlock = async (request) => {
    const outcome = { ...(await checkBlock.call(world.verifier, request)) };
    given.push(new WeakRef(outcome));
    return outcome;
  };
  let heads = 0;
  world.source.before = (question) =>
    question === "head" && ++heads > 1 ? new Promise(() => undefined) : Promise.resolve();
  expect(await world.until(() => world.latest() === 39)).toBe(true);
  expect(given.length).toBe(40);
  for (let i = 0; i < 3; i++) {
    await new Promise((next) => void setTimeout(next, 5));
    Bun.gc(true);
  }
  const held = given.filter((each) => each.deref() !== undefined);
  expect(held.length).toBeLessThan(10);
  await world.close();
});
