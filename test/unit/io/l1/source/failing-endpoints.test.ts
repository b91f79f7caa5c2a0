import { describe, expect, test } from "bun:test";
import { FakeL1 } from "#test/helpers/fake-l1.ts";
import { L1_FAULTS } from "#test/helpers/l1-proxy.ts";
import { newest, sameChain } from "#test/helpers/l1-source.ts";

describe("without a reachable endpoint", () => {
  test("each read fails with the reason until an endpoint recovers", async () => {
    const l1 = new FakeL1(10);
    const { world } = await sameChain(l1, 2);
    await using _ = world;
    for (const proxy of world.proxies) proxy.add(L1_FAULTS.down());
    for (let i = 0; i < 3; i++) {
      const failure = await newest(world).catch((cause: unknown) => cause);
      expect(failure).toMatchObject({ code: "L1_UNREACHABLE", retryable: true });
    }
    expect(world.reports).toHaveLength(2);
    world.proxies[1]?.honest();
    expect(await newest(world)).toBe(7);
  });

  test("a throttling endpoint is not queried before its Retry-After", async () => {
    const l1 = new FakeL1(10);
    const { world, timer } = await sameChain(l1, 1);
    await using _ = world;
    world.proxies[0]?.add(L1_FAULTS.throttle("60"));
    await newest(world).catch(() => undefined);
    const asked = world.proxies[0]?.call.length;
    expect(newest(world)).rejects.toMatchObject({ code: "L1_UNREACHABLE" });
    timer.advance(59_000);
    await newest(world).catch(() => undefined);
    expect(world.proxies[0]?.call.length).toBe(asked ?? 0);
    world.proxies[0]?.honest();
    timer.advance(2000);
    expect(await newest(world)).toBe(7);
  });
});

describe("a single endpoint", () => {
  test("whose head falls back slightly keeps the counted block", async () => {
    const l1 = new FakeL1(30);
    const { world } = await sameChain(l1, 1);
    await using _ = world;
    expect(await newest(world)).toBe(27);
    world.proxies[0]?.add(L1_FAULTS.staleHead(28));
    expect(await newest(world)).toBe(27);
    world.proxies[0]?.add(L1_FAULTS.staleHead(20));
    expect(newest(world)).rejects.toMatchObject({ code: "L1_BACKWARDS", retryable: true });
    await newest(world).catch(() => undefined);
    world.proxies[0]?.honest();
    l1.mine(3);
    expect(await newest(world)).toBe(30);
  });

  test("that replaced the counted block is followed", async () => {
    const l1 = new FakeL1(30);
    const { world } = await sameChain(l1, 1);
    await using _ = world;
    await newest(world);
    l1.reorg(10);
    expect(await world.source.view(2, async ({ block }) => block.hash)).toBe(
      BigInt(l1.block(27).hash),
    );
  });
});
