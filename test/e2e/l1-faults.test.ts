import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { integerOfEnvironment } from "#test/helpers/environment.ts";
import { metricOf } from "#test/helpers/follower-state.ts";
import { L1FaultWorld } from "#test/helpers/l1-fault-world.ts";
import { L1_FAULTS, type L1Rule } from "#test/helpers/l1-proxy.ts";

/** Duration of each fault; set it to a minute by hand. */
const FAULT_MS = integerOfEnvironment("L1_FAULT_MS") ?? 1000;
const TIMEOUT_MS = 60_000 + 10 * FAULT_MS;

/** Concurrent faults of both endpoints. */
const FAULTS: Readonly<Record<string, (head: number) => readonly [L1Rule, L1Rule]>> = {
  "are unreachable": () => [L1_FAULTS.down(), L1_FAULTS.down()],
  "send nonsense and truncated responses": () => [L1_FAULTS.nonsense(), L1_FAULTS.half()],
  "hang and throttle": () => [L1_FAULTS.hang(), L1_FAULTS.throttle("1")],
  "are of another chain and omit logs": () => [L1_FAULTS.otherChain(1), L1_FAULTS.omitLogs()],
  "serve a stale head": (head) => [L1_FAULTS.staleHead(head), L1_FAULTS.staleHead(head)],
};

describe("L1 endpoints", () => {
  let world: L1FaultWorld;

  beforeAll(async () => {
    world = await L1FaultWorld.start(3);
    await world.startChain();
  }, TIMEOUT_MS);

  afterAll(() => world.stop());

  /** Reason in `/ready` why L1 is not followed; `undefined` if it is. */
  const notFollowed = async (): Promise<string | undefined> => {
    const response = await fetch(`${world.chain.url}/ready`);
    return ((await response.json()) as { l1_not_followed?: string }).l1_not_followed;
  };

  // Runs first, while both endpoints are in use.
  test(
    "of which one forges logs do not stop blocks, and the node reports that it does not follow L1",
    async () => {
      world.proxies[0].add(L1_FAULTS.forgeLogs());
      const settled = await world.settleNewest();
      await world.mine(3);
      await world.until(async () => (await notFollowed()) !== undefined);
      expect(await notFollowed()).toContain("contradict each other");
      expect(await metricOf(world.chain, "appchain_l1_not_followed")).toEqual({ "": 1 });
      await world.makeBlocks(FAULT_MS);
      expect((await fetch(`${world.chain.url}/ready`)).status).toBe(200);
      world.honest();
      await world.until(() => world.isSettled(settled));
      await world.until(async () => (await notFollowed()) === undefined);
      expect(await metricOf(world.chain, "appchain_l1_not_followed")).toEqual({ "": 0 });
    },
    TIMEOUT_MS,
  );

  for (const [what, faults] of Object.entries(FAULTS)) {
    test(
      `that ${what} neither stop blocks nor lose messages`,
      async () => {
        const { proxies } = world;
        const [first, second] = faults(await world.head());
        proxies[0].add(first);
        proxies[1].add(second);
        const nonce = await world.send();
        const settled = await world.settleNewest();
        await world.mine(3);
        const before = await world.blockNumber();
        await world.makeBlocks(FAULT_MS);
        expect(await world.blockNumber()).toBeGreaterThan(before + 2);
        expect(await world.executed()).not.toContain(nonce);
        // With omitted logs, the state of the core contract is still correct.
        const hasState = what.endsWith("omit logs");
        if (!hasState) expect(await world.isSettled(settled)).toBe(false);
        world.honest();
        await world.until(async () => (await world.executed()).includes(nonce));
        await world.until(() => world.isSettled(settled));
      },
      TIMEOUT_MS,
    );
  }

  test(
    "that are down at the start are followed once they respond",
    async () => {
      expect(await world.chain.stop()).toBe(0);
      for (const proxy of world.proxies) proxy.add(L1_FAULTS.down());
      const nonce = await world.send();
      await world.mine(3);
      await world.startChain();
      await world.makeBlocks(FAULT_MS);
      expect(await world.executed()).not.toContain(nonce);
      world.honest();
      await world.until(async () => (await world.executed()).includes(nonce));
      expect(world.chain.output()).toContain("L1 is followed again");
    },
    TIMEOUT_MS,
  );

  test("let each message execute once, in order, without an alarm", async () => {
    const executed = await world.executed();
    expect(executed).toEqual(executed.map((_, index) => index));
    expect(executed).toHaveLength(world.sent);
    expect(world.log()).not.toContain("ALARM");
    expect(world.log()).toContain("switched away from an L1 endpoint");
    expect(world.log()).toContain("L1 is followed again");
    expect((await fetch(`${world.chain.url}/ready`)).status).toBe(200);
  });
});
