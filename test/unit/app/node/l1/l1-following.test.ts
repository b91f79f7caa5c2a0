import { describe, expect, test } from "bun:test";
import type { L1ProductionPorts } from "#app/node/l1/l1-connection.ts";
import { L1Following } from "#app/node/l1/l1-following.ts";
import { POLL_MS } from "#app/node/l1/l1-run.ts";
import { L1Report } from "#app/node/l1/reports/l1-report.ts";
import { createNodeMetrics } from "#base/metrics/index.ts";
import { L1Error } from "#base/errors/index.ts";
import { createLogger } from "#base/telemetry/index.ts";
import { MessageIndex } from "#services/l1-watch/index.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { FakeChain, headerOf } from "#test/helpers/l1-chain.ts";
import { FrozenL1 } from "#test/helpers/frozen-l1.ts";

const PRICES = {
  l1GasWei: 5n,
  l1DataGasWei: 6n,
  friPerWei: { numerator: 2n, denominator: 1n },
};

/** An `L1Following` whose collaborators are fakes. */
function world(isProducer = true) {
  const l1 = new FrozenL1();
  const chain = new FakeChain(5);
  const timer = new FakeTimer();
  const metrics = createNodeMetrics();
  const lines: string[] = [];
  const told: unknown[] = [];
  const log = createLogger({ level: "info", format: "text", write: (line) => lines.push(line) });
  const production: L1ProductionPorts = {
    setPrices: (prices) => told.push(prices),
    execute: (orders) => Promise.resolve(orders.map(() => ({ kind: "known" }))),
    halt: (reason) => told.push(`halt: ${reason}`),
  };
  const following = new L1Following({
    source: l1,
    finality: 0,
    acceptedDivergences: [],
    config: { chainId: "TEST", l1MessagesReplayMaxDurationMs: 1_000 },
    chain: Object.assign(chain, {
      consumedMessage: () => undefined,
      newestConsumedNonce: () => undefined,
      firstConsumedFrom: () => undefined,
      l1BlockOf: () => undefined,
    }),
    ports: {
      settle(blockNumber, blockHash) {
        told.push(["settle", blockNumber, blockHash]);
        return chain.settle(blockNumber);
      },
      production: isProducer ? production : null,
    },
    report: new L1Report({ log, metrics, timer }),
    index: new MessageIndex(10),
    log,
    timer,
  });
  /** Makes L1 report a block of the chain, by default with its own root and hash. */
  const settled = (blockNumber: number, { stateRoot } = headerOf(blockNumber)): void => {
    l1.state = {
      stateRoot,
      blockNumber: BigInt(blockNumber),
      blockHash: headerOf(blockNumber).hash,
    };
  };
  const pass = async (times = 3): Promise<void> => {
    for (let i = 0; i < times; i++) {
      await Bun.sleep(0);
      timer.advance(POLL_MS);
      await Bun.sleep(0);
    }
  };
  const metric = async (name: string) =>
    (await metrics.registry.getSingleMetric(name)?.get())?.values[0]?.value;
  return { following, l1, chain, told, lines, settled, pass, metric };
}

const WRONG = { hash: 0n, stateRoot: 0xbadn };

describe("L1 following", () => {
  test("starts polling once released", async () => {
    const { following, l1, pass } = world();
    await pass();
    expect(l1.views).toBe(0);
    following.release();
    await pass();
    expect(l1.views).toBeGreaterThan(0);
    await following.end();
  });

  test("reports L1-accepted blocks by number and hash", async () => {
    const { following, chain, told, settled, pass, lines } = world();
    settled(3);
    following.release();
    await pass();
    expect(told).toEqual([["settle", 3, headerOf(3).hash]]);
    expect(chain.settled).toEqual([3]);
    expect(lines.join("\n")).toMatch(/L1 head: block 3 .*state_root=0x2003/);
    expect(following.alarm()).toBeUndefined();
    await following.end();
  });

  test("halts production once if L1 has another state root, and says why", async () => {
    const { following, chain, told, settled, pass, metric, lines } = world();
    settled(3, WRONG);
    following.release();
    await pass();
    expect(following.alarm()).toContain("block 3");
    expect(told).toEqual([`halt: ${following.alarm()}`]);
    expect(chain.settled).toEqual([]);
    expect(await metric("appchain_l1_state_mismatch")).toBe(1);
    expect(lines.filter((line) => line.includes("ALARM"))).toHaveLength(1);
    await following.end();
  });

  test("reports a finding and sets a metric while L1 gives no usable response", async () => {
    const { following, l1, pass, metric } = world();
    expect(following.finding()).toBeUndefined();
    following.release();
    await pass();
    expect(following.finding()).toBeUndefined();
    l1.failure = new L1Error("L1_CONTRADICTION", "the endpoints contradict each other", true);
    await pass();
    expect(following.finding()).toContain("the endpoints contradict each other");
    expect(following.alarm()).toBeUndefined();
    expect(await metric("appchain_l1_not_followed")).toBe(1);
    l1.failure = undefined;
    await pass();
    expect(following.finding()).toBeUndefined();
    expect(await metric("appchain_l1_not_followed")).toBe(0);
    await following.end();
  });

  test("reports a finding while a differing update is unconfirmed", async () => {
    const { following, l1, settled, pass } = world();
    l1.endpoints = 1;
    settled(3, WRONG);
    following.release();
    await pass();
    expect(following.finding()).toContain("another block 3");
    expect(following.alarm()).toBeUndefined();
    settled(3);
    following.hold();
    following.release();
    await pass();
    expect(following.finding()).toBeUndefined();
    await following.end();
  });

  test("checks everything again after a hold and release", async () => {
    const { following, chain, told, settled, pass, metric } = world();
    settled(3, WRONG);
    following.release();
    await pass();
    following.hold();
    told.length = 0;
    chain.changed.set(3, { ...headerOf(3), stateRoot: WRONG.stateRoot });
    following.release();
    expect(following.alarm()).toBeUndefined();
    await pass();
    expect(told).toEqual([["settle", 3, headerOf(3).hash]]);
    expect(await metric("appchain_l1_state_mismatch")).toBe(0);
    await following.end();
  });

  test("repeats the alarm after a hold and release if nothing has changed", async () => {
    const { following, told, settled, pass } = world();
    settled(3, WRONG);
    following.release();
    await pass();
    following.hold();
    following.release();
    await pass();
    expect(told).toHaveLength(2);
    expect(following.alarm()).toContain("block 3");
    await following.end();
  });

  test("does nothing while held, and catches up when released", async () => {
    const { following, told, settled, pass } = world();
    following.release();
    await pass();
    following.hold();
    settled(3);
    following.setPrices(PRICES);
    await pass();
    expect(told).toEqual([]);
    following.release();
    await pass();
    expect(told).toEqual([PRICES, ["settle", 3, headerOf(3).hash]]);
    await following.end();
  });

  test("ignores L1 responses that arrive after a hold", async () => {
    for (const wrong of [WRONG, headerOf(3)]) {
      const { following, l1, told, settled, pass } = world();
      settled(3, wrong);
      const gate = Promise.withResolvers<void>();
      l1.gate = gate.promise;
      following.release();
      await pass(1);
      following.hold();
      gate.resolve();
      await pass();
      expect([told, following.alarm()]).toEqual([[], undefined]);
      await following.end();
    }
  });

  test("forwards prices to the executor immediately", async () => {
    const { following, told, metric } = world();
    following.release();
    following.setPrices(PRICES);
    expect(told).toEqual([PRICES]);
    expect(await metric("appchain_l1_gas_price_strk")).toBe(10);
    await following.end();
  });

  test("does nothing once it has ended", async () => {
    const { following, l1, settled, told, pass } = world();
    await following.end();
    settled(3);
    following.release();
    await pass();
    expect([l1.views, told]).toEqual([0, []]);
  });

  test("raises the alarm on a node without production, without orders to an executor", async () => {
    const { following, told, settled, pass } = world(false);
    settled(2, WRONG);
    following.release();
    following.setPrices(PRICES);
    await pass();
    expect(told).toEqual([]);
    expect(following.alarm()).toContain("block 2");
    await following.end();
  });
});
