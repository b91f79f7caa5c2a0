import { describe, expect, test } from "bun:test";
import { FakeL1, FakeRefusal, messageLog, stateUpdateLog } from "#test/helpers/fake-l1.ts";
import { l1SourceWorld, type L1SourceWorldOptions } from "#test/helpers/l1-source.ts";

type Log = Record<string, unknown>;

function chain(): FakeL1 {
  const l1 = new FakeL1(10);
  l1.mine(1, [messageLog({ nonce: 0n, payload: [1n] }), messageLog({ nonce: 1n })]);
  l1.mine(1, [stateUpdateLog(1n, 2n, 3n), messageLog({ nonce: 2n })]);
  l1.mine(10);
  return l1;
}

/** Result of reading logs after `change` altered the first response. */
async function readChanged(
  change: (logs: Log[]) => unknown,
  options: L1SourceWorldOptions = {},
): Promise<unknown> {
  const l1 = chain();
  const honest = l1.answer.bind(l1);
  l1.intercept = (method, params) => {
    if (method !== "eth_getLogs") return undefined;
    l1.intercept = () => undefined;
    return change(structuredClone(honest(method, params)) as Log[]);
  };
  await using world = await l1SourceWorld([l1], options);
  return await world.source
    .view(2, (view) => view.logs(0, view.block.number))
    .catch((cause: unknown) => cause);
}

function set(index: number, members: Log): (logs: Log[]) => Log[] {
  return (logs) => logs.map((log, i) => (i === index ? { ...log, ...members } : log));
}

function topicsOf(logs: readonly Log[]): readonly string[] {
  return logs[1]?.["topics"] as readonly string[];
}

function dataOf(logs: readonly Log[]): string {
  return String(logs[0]?.["data"]);
}

const CHANGES: Readonly<Record<string, (logs: Log[]) => unknown>> = {
  "of another contract": set(1, { address: `0x${"11".repeat(20)}` }),
  "with another topic": set(1, { topics: [`0x${"11".repeat(32)}`] }),
  "without topics": set(1, { topics: [] }),
  "with a topic too few": (logs) => set(1, { topics: topicsOf(logs).slice(0, 3) })(logs),
  "with a sender that is no address": (logs) =>
    set(1, { topics: topicsOf(logs).with(1, `0x${"ff".repeat(32)}`) })(logs),
  "above the range": set(3, { blockNumber: "0xfff" }),
  "of another block than its number": set(1, { blockHash: `0x${"11".repeat(32)}` }),
  "all of a block outside the chain": (logs) =>
    logs.map((log, i) => (i < 2 ? { ...log, blockHash: `0x${"11".repeat(32)}` } : log)),
  "out of order": (logs) => logs.toReversed(),
  "reported twice": (logs) => [logs[0], ...logs],
  "that is removed": set(0, { removed: true }),
  "that is pending": set(0, { blockHash: null, blockNumber: null }),
  "omitted between two others": (logs) => logs.filter((_, i) => i !== 1),
  "with data that is cut": (logs) => set(0, { data: dataOf(logs).slice(0, -64) })(logs),
  "with data of half words": (logs) => set(0, { data: dataOf(logs).slice(0, -2) })(logs),
  "with more data than it says": (logs) =>
    set(0, { data: `${dataOf(logs)}${"00".repeat(32)}` })(logs),
  "with data elsewhere": (logs) => set(0, { data: dataOf(logs).replace("60", "80") })(logs),
  "of an update with two words": (logs) => set(2, { data: `0x${"00".repeat(64)}` })(logs),
  "without data": set(0, { data: "0x" }),
  "with an index of 2^64": set(0, { logIndex: "0x10000000000000000" }),
  "that is a number": () => [5],
  "in no list": () => ({ length: 1 }),
  "that is null": () => [null],
};

describe("an endpoint is rejected for logs", () => {
  for (const [what, change] of Object.entries(CHANGES)) {
    test(what, async () => {
      const failure = await readChanged(change);
      expect(failure).toMatchObject({ code: "L1_UNREACHABLE", retryable: true });
    });
  }

  for (const index of [0, 3]) {
    test(`of old blocks outside the chain, from log ${index} on`, async () => {
      const l1 = chain();
      l1.mine(400);
      const honest = l1.answer.bind(l1);
      l1.intercept = (method, params) => {
        if (method !== "eth_getLogs") return undefined;
        l1.intercept = () => undefined;
        const logs = (honest(method, params) as Log[]).map((log, i) => {
          const isWrong = index === 0 ? i < 2 : i >= 2;
          return isWrong ? { ...log, blockHash: `0x${"11".repeat(32)}` } : log;
        });
        return logs;
      };
      await using world = await l1SourceWorld([l1]);
      expect(world.source.view(2, (view) => view.logs(0, 400))).rejects.toMatchObject({
        code: "L1_UNREACHABLE",
      });
    });
  }

  test("unless they are unchanged", async () => {
    expect(await readChanged((logs) => logs)).toHaveLength(4);
  });
});

describe("logs", () => {
  test("are requested in narrower ranges when a response is too long", async () => {
    const limits = { maxAnswerBytes: 4000 };
    expect(await readChanged((logs) => logs, { limits })).toHaveLength(4);
  });

  test("of one block have a separate length limit", async () => {
    const l1 = new FakeL1(5);
    l1.mine(1, [messageLog({ nonce: 0n, payload: Array.from({ length: 1000 }, () => 7n) })]);
    const read = async (maxBlockAnswerBytes: number) => {
      const limits = { maxAnswerBytes: 2000, maxBlockAnswerBytes };
      await using world = await l1SourceWorld([l1], { limits });
      return await world.source.view(0, (view) => view.logs(0, 5)).catch((cause: unknown) => cause);
    };
    expect(await read(100_000)).toHaveLength(1);
    const failure = await read(50_000);
    expect(String(failure)).toContain("is longer than 50000 bytes");
  });

  test("above the memory limit are rejected", async () => {
    const failure = await readChanged((logs) => logs, { limits: { maxLogWords: 60 } });
    expect(String(failure)).toContain("more logs of blocks 0 to 19 than fit into memory");
    expect(await readChanged((logs) => logs, { limits: { maxLogWords: 65 } })).toHaveLength(4);
  });

  test("are requested in the range that a refusal suggests", async () => {
    const l1 = chain();
    l1.intercept = (method, params) => {
      if (method !== "eth_getLogs") return undefined;
      const [{ fromBlock, toBlock }] = params as readonly [Record<string, string>];
      if (Number(toBlock) - Number(fromBlock) < 5) return undefined;
      return new FakeRefusal(-32_600, "eth_getLogs requests with up to a 5 block range");
    };
    await using world = await l1SourceWorld([l1]);
    const logs = await world.source.view(2, (view) => view.logs(0, view.block.number));
    expect(logs).toHaveLength(4);
    const asked = world.proxies[0]?.call.filter(({ method }) => method === "eth_getLogs");
    expect(asked).toHaveLength(5);
  });
});
