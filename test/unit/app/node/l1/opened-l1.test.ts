import { describe, expect, test } from "bun:test";
import { OpenedL1, START_MS } from "#app/node/l1/opened-l1.ts";
import { L1Report } from "#app/node/l1/reports/l1-report.ts";
import { L1Error, NodeError } from "#base/errors/index.ts";
import { createNodeMetrics } from "#base/metrics/index.ts";
import { createLogger } from "#base/telemetry/index.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { FrozenL1 } from "#test/helpers/frozen-l1.ts";

const PRICES = {
  l1GasWei: 5n,
  l1DataGasWei: 6n,
  friPerWei: { numerator: 2n, denominator: 1n },
};
const CONFIG = {
  chainId: "TEST",
  ethCoreContractAddress: 0xc0den,
  l1MessagesReplayMaxDurationMs: 1_000,
};

/** L1 at start, with responses that the test supplies. */
function world({
  chainId = Promise.resolve(31_337),
  first = Promise.resolve(PRICES),
  fixed = {},
}: {
  chainId?: Promise<number>;
  first?: Promise<typeof PRICES>;
  fixed?: Partial<typeof PRICES>;
} = {}) {
  const timer = new FakeTimer();
  const lines: string[] = [];
  const told: unknown[] = [];
  const log = createLogger({ level: "info", format: "text", write: (line) => lines.push(line) });
  const source = Object.assign(new FrozenL1(), {
    chainId: () => chainId,
    hasCoreContract: () => Promise.resolve(true),
    feeQuote: () => Promise.reject(new L1Error("L1_UNREACHABLE", "nobody", true)),
    otherFeeQuote: () => Promise.resolve(undefined),
  });
  const opened = new OpenedL1({
    source,
    prices: {
      ageMs: 3_000,
      first: () => first,
      resume: (prices) => told.push(prices),
      start: () => told.push("start"),
      stop: () => told.push("stop"),
    },
    fixed,
    finality: 0,
    acceptedDivergences: [],
    config: CONFIG,
    report: new L1Report({ log, metrics: createNodeMetrics(), timer }),
    log,
    timer,
  });
  return { opened, timer, lines, told };
}

const NEVER = new Promise<never>(() => undefined);
const SILENT = new L1Error("L1_UNREACHABLE", "nobody answers", true);

const rejected = <T>(error: Error): Promise<T> => {
  const answer = Promise.reject<T>(error);
  answer.catch(() => undefined);
  return answer;
};

describe("L1 at start", () => {
  test("yields the L1 chain id and prices", async () => {
    const { opened, lines } = world();
    await opened.look(new AbortController().signal);
    expect([opened.chainId, opened.startPrices, opened.finding]).toEqual([
      31_337,
      PRICES,
      undefined,
    ]);
    expect(lines.join()).toMatch(/L1 gas price gas_wei=5 data_gas_wei=6 strk_per_eth=2/);
  });

  test("starts without prices if L1 is silent, and logs it", async () => {
    const { opened, lines } = world({ chainId: rejected(SILENT), first: rejected(SILENT) });
    await opened.look(new AbortController().signal);
    expect([opened.chainId, opened.startPrices, opened.finding]).toEqual([
      undefined,
      undefined,
      "nobody answers",
    ]);
    expect(lines.join()).toContain("L1 does not respond");
  });

  test("gives up after a timeout", async () => {
    const { opened, timer } = world({ chainId: NEVER, first: NEVER });
    const looked = opened.look(new AbortController().signal);
    for (let i = 0; i < 3; i++) {
      await Bun.sleep(0);
      timer.advance(START_MS);
    }
    await looked;
    expect(opened.finding).toContain("no answer");
    expect(timer.alarms).toBe(0);
  });

  test("stops waiting when the node stops", async () => {
    const { opened } = world({ chainId: NEVER, first: NEVER });
    const stopped = new AbortController();
    const looked = opened.look(stopped.signal);
    stopped.abort();
    await looked;
    expect(opened.finding).toContain("is stopping");
  });

  test("throws if the endpoints are of different L1 chains", async () => {
    const error = new L1Error("L1_OTHER_CHAIN", "two chains", false);
    const looked = world({ chainId: rejected(error) }).opened.look(new AbortController().signal);
    expect(await looked.catch((cause: unknown) => cause)).toBeInstanceOf(NodeError);
  });

  test("resumes with a block's prices, except those that are fixed", () => {
    const { opened, told } = world({ fixed: { l1GasWei: 77n } });
    expect(opened.resume(PRICES)).toEqual({ ...PRICES, l1GasWei: 77n });
    expect(told).toEqual([{ ...PRICES, l1GasWei: 77n }]);
  });
});

test("polls prices while a role follows L1", async () => {
  const { opened, told } = world();
  const settle = () => Promise.resolve(true);
  const chain = {
    latestNumber: () => undefined,
    oldestBlock: () => 0,
    header: () => undefined,
    l1AcceptedNumber: () => undefined,
    consumedMessage: () => undefined,
    newestConsumedNonce: () => undefined,
    firstConsumedFrom: () => undefined,
    l1BlockOf: () => undefined,
  };
  const set: unknown[] = [];
  const production = {
    setPrices: (prices: unknown) => set.push(prices),
    execute: () => Promise.resolve([]),
    halt: () => undefined,
  };
  opened.setPrices(PRICES);
  const following = opened.follow(chain, { settle, production });
  following.release();
  opened.setPrices({ ...PRICES, l1GasWei: 8n });
  expect(set).toEqual([{ ...PRICES, l1GasWei: 8n }]);
  await opened.end();
  expect(told).toEqual(["start", "stop"]);
});
