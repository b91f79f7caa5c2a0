import { describe, expect, test } from "bun:test";
import { FakeL1, messageLog, stateUpdateLog } from "#test/helpers/fake-l1.ts";
import { L1_FAULTS } from "#test/helpers/l1-proxy.ts";
import { type L1SourceWorld, l1SourceWorld, newest, sameChain } from "#test/helpers/l1-source.ts";

function askedOf({ proxies }: L1SourceWorld, index: number, method: string): number {
  return proxies[index]?.call.filter((each) => each.method === method).length ?? 0;
}

/** Waits until a background recovery probe has ended with this report. */
async function settled(world: L1SourceWorld, text: string): Promise<void> {
  for (let i = 0; i < 200 && !world.reports.includes(text); i++) await Bun.sleep(5);
  expect(world.reports).toContain(text);
}

const FAILURES = {
  "is down": [L1_FAULTS.down(), "cannot reach"],
  hangs: [L1_FAULTS.hang(), "did not answer"],
  "is throttling": [L1_FAULTS.throttle("3600"), "status 429"],
  "returns HTML": [L1_FAULTS.nonsense(), "does not answer"],
  "returns a number": [L1_FAULTS.nonsense(`{"jsonrpc":"2.0","id":1,"result":5}`), "is no"],
  "truncates responses": [L1_FAULTS.half(), "cannot reach"],
  "serves another chain": [L1_FAULTS.otherChain(1), "serves chain 1, not 31337"],
} as const;

describe("an endpoint that", () => {
  for (const [what, [fault, reason]] of Object.entries(FAILURES)) {
    test(`${what} is replaced by the next one and retried later`, async () => {
      const l1 = new FakeL1(10);
      const { world, timer } = await sameChain(l1, 3);
      await using _ = world;
      await world.source.chainId();
      expect(await newest(world)).toBe(7);
      expect(world.reports.splice(0)).toEqual(["0 in use", "1 in use", "2 standing by"]);
      world.proxies[0]?.add(fault);
      l1.mine(5);
      expect(await newest(world)).toBe(12);
      expect(world.reports).toHaveLength(2);
      expect(world.reports[0]).toStartWith("0 left: ");
      expect(world.reports[0]).toContain(reason);
      expect(world.reports[1]).toBe("2 in use");
      const asked = world.proxies[0]?.call.length;
      expect(await newest(world)).toBe(12);
      expect(world.proxies[0]?.call.length).toBe(asked ?? 0);
      world.proxies[0]?.honest();
      timer.advance(300_000);
      await newest(world);
      await settled(world, "0 standing by");
      await newest(world);
      expect(world.reports.slice(-2).toSorted()).toEqual(["0 in use", "2 standing by"]);
    });
  }

  test("failed a moment ago is retried if only one other is left", async () => {
    const l1 = new FakeL1(10);
    l1.mine(5, [messageLog({ nonce: 0n })]);
    const { world } = await sameChain(l1, 2);
    await using _ = world;
    await newest(world);
    world.proxies[0]?.add(L1_FAULTS.nonsense());
    await newest(world);
    expect(world.reports.at(-1)).toStartWith("0 left: ");
    world.proxies[0]?.honest();
    world.proxies[1]?.add(L1_FAULTS.omitLogs());
    const logs = await world.source.view(2, (view) => view.logs(0, view.block.number));
    expect(logs).toHaveLength(1);
    expect(world.reports.at(-1)).toStartWith("1 left: ");
  });

  test("fails all the time is probed less and less often", async () => {
    const l1 = new FakeL1(10);
    const { world, timer } = await sameChain(l1, 3);
    await using _ = world;
    world.proxies[0]?.add(L1_FAULTS.down());
    for (let i = 0; i < 60; i++) {
      await newest(world);
      timer.advance(1000);
      await Bun.sleep(2);
    }
    const asked = askedOf(world, 0, "eth_chainId");
    expect(asked).toBeGreaterThanOrEqual(3);
    expect(asked).toBeLessThanOrEqual(5);
  });

  test("went backwards is dropped while another did not", async () => {
    const l1 = new FakeL1(30);
    const { world } = await sameChain(l1, 2);
    await using _ = world;
    await newest(world);
    world.proxies[0]?.add(L1_FAULTS.staleHead(10));
    expect(await newest(world)).toBe(27);
    expect(world.reports.at(-1)).toContain("0 left: ");
    expect(world.reports.at(-1)).toContain("has gone back from block 29 to 10");
  });

  test("is stuck is dropped while another advances", async () => {
    const l1 = new FakeL1(30);
    const { world, timer } = await sameChain(l1, 2);
    await using _ = world;
    await newest(world);
    world.proxies[1]?.add(L1_FAULTS.staleHead(29));
    l1.mine(10);
    timer.advance(60_000);
    // The endpoint may be slow: until it is dropped, both have to agree on a block.
    expect(await newest(world)).toBe(27);
    timer.advance(61_000);
    expect(await newest(world)).toBe(37);
    expect(world.reports.at(-1)).toContain("is stuck at block 29 while others have 39");
  });
});

describe("with two endpoints", () => {
  test("a block that only one of them has does not count", async () => {
    const l1 = new FakeL1(30);
    const liar = l1.fork();
    liar.mine(50);
    await using world = await l1SourceWorld([liar, l1]);
    expect(await newest(world)).toBe(27);
  });

  test("a block on which they disagree does not count", async () => {
    const l1 = new FakeL1(30);
    const liar = l1.fork();
    liar.reorg(20);
    await using world = await l1SourceWorld([liar, l1]);
    expect(newest(world)).rejects.toMatchObject({ code: "L1_CONTRADICTION", retryable: true });
  });

  test("the one that changed an already counted block is dropped", async () => {
    const l1 = new FakeL1(30);
    const liar = l1.fork();
    await using world = await l1SourceWorld([liar, l1]);
    await newest(world);
    liar.reorg(10);
    l1.mine(1);
    liar.mine(1);
    expect(await newest(world)).toBe(28);
    expect(world.reports.at(-1)).toContain("0 left: ");
    expect(world.reports.at(-1)).toContain("contradicts the others about block 28");
  });

  test("both may replace a counted block", async () => {
    const l1 = new FakeL1(30);
    const { world } = await sameChain(l1, 2);
    await using _ = world;
    await newest(world);
    l1.reorg(10);
    l1.mine(1);
    expect(await world.source.view(2, async ({ block }) => block.hash)).toBe(
      BigInt(l1.block(28).hash),
    );
  });

  test("a state on which they disagree is not reported", async () => {
    const l1 = new FakeL1(10);
    const other = l1.fork();
    other.getters.set("stateBlockNumber()", 5n);
    await using world = await l1SourceWorld([l1, other]);
    expect(world.source.view(2, (view) => view.coreState())).rejects.toMatchObject({
      code: "L1_CONTRADICTION",
    });
  });

  test("one that fails mid-step is dropped, and the step continues", async () => {
    const l1 = new FakeL1(10);
    l1.mine(5, [stateUpdateLog(1n, 2n, 3n)]);
    const { world } = await sameChain(l1, 2);
    await using _ = world;
    const logs = await world.source.view(2, async (view) => {
      world.proxies[0]?.add(L1_FAULTS.down());
      return view.logs(0, view.block.number);
    });
    expect(logs).toHaveLength(1);
    expect(world.reports.at(-1)).toStartWith("0 left: ");
  });
});

describe("with three endpoints", () => {
  test("two outvote the third on a block and on logs", async () => {
    const l1 = new FakeL1(30);
    l1.mine(5, [messageLog({ nonce: 0n })]);
    const liar = l1.fork();
    liar.reorg(20);
    await using world = await l1SourceWorld([liar, l1, l1]);
    expect(await newest(world)).toBe(32);
    expect(world.reports[0]).toContain("0 left: ");
    expect(world.reports.slice(1).toSorted()).toEqual(["1 in use", "2 in use"]);
    await using other = await l1SourceWorld([l1, l1, l1]);
    other.proxies[0]?.add(L1_FAULTS.omitLogs());
    const logs = await other.source.view(2, (view) => view.logs(0, view.block.number));
    expect(logs).toHaveLength(1);
    expect(other.reports.at(-1)).toContain("0 left: ");
    expect(other.reports.at(-1)).toContain("contradicts two others about logs");
  });

  test("the third is on standby and is only asked for its head", async () => {
    const l1 = new FakeL1(30);
    l1.mine(5, [messageLog({ nonce: 0n })]);
    const { world } = await sameChain(l1, 3);
    await using _ = world;
    await world.source.view(2, (view) => view.logs(0, view.block.number));
    expect(world.reports).toEqual(["0 in use", "1 in use", "2 standing by"]);
    expect([0, 1, 2].map((index) => askedOf(world, index, "eth_getLogs"))).toEqual([1, 1, 0]);
  });
});

describe("L1Source.chainId", () => {
  test("permanently rejects endpoints of different chains", async () => {
    const other = new FakeL1(10);
    other.chainId = 5;
    await using world = await l1SourceWorld([new FakeL1(10), other]);
    const failure = await world.source.chainId().catch((cause: unknown) => cause);
    expect(failure).toMatchObject({ code: "L1_OTHER_CHAIN", retryable: false });
    expect(String(failure)).toContain("serves 31337, ");
    expect(String(failure)).toContain("serves 5");
  });

  test("skips an endpoint of a chain other than the configured one", async () => {
    const other = new FakeL1(10);
    other.chainId = 5;
    other.deployedAt = 100;
    await using world = await l1SourceWorld([other, new FakeL1(10)], { chainId: 31_337 });
    expect(await world.source.hasCoreContract()).toBe(true);
    expect(world.reports.map((each) => each.slice(0, 6))).toEqual(["0 left", "1 stan"]);
  });

  test("ignores endpoints that are down", async () => {
    const { world } = await sameChain(new FakeL1(10), 2);
    await using _ = world;
    world.proxies[0]?.add(L1_FAULTS.down());
    expect(await world.source.chainId()).toBe(31_337);
  });
});

describe("fee quotes", () => {
  test("come from the next endpoint when the first fails, or from another on request", async () => {
    const l1 = new FakeL1(10);
    const other = l1.fork();
    other.baseFees = [99n];
    await using world = await l1SourceWorld([l1, other]);
    const [first, second] = world.proxies.map(({ url }) => url);
    expect(await world.source.feeQuote()).toMatchObject({ endpoint: first, l1GasWei: 8n });
    const otherQuote = await world.source.otherFeeQuote(first ?? "");
    expect(otherQuote).toMatchObject({ endpoint: second, l1GasWei: 99n });
    world.proxies[0]?.add(L1_FAULTS.nonsense());
    expect(await world.source.feeQuote()).toMatchObject({ endpoint: second, l1GasWei: 99n });
    expect(await world.source.otherFeeQuote(second ?? "")).toBeUndefined();
  });
});
