import { describe, expect, test } from "bun:test";
import { SourceChain } from "#test/helpers/source-chain.ts";
import { syncWorld } from "#test/helpers/sync-world.ts";

describe("a follower", () => {
  test("takes all blocks of a gateway in order, and goes on at its tip", async () => {
    const chain = new SourceChain().grow(70);
    const world = await syncWorld(chain);
    expect(await world.until(() => world.latest() === 69)).toBe(true);
    chain.grow(2);
    world.verifier.learn(chain);
    expect(await world.until(() => world.latest() === 71)).toBe(true);
    const accepted = world.told("accepted").map(({ blockNumber }) => blockNumber);
    expect(accepted).toEqual(Array.from({ length: 72 }, (_, i) => i));
    expect(world.folder.reader.header(71)?.hash).toBe(chain.head.hash);
    expect(world.source.mostOpen).toBe(32);
    expect(world.failures).toEqual([]);
    await world.close();
  });
});
