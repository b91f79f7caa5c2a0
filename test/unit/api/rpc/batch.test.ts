import { describe, expect, test } from "bun:test";
import {
  answerBatch,
  type BatchRules,
  byteLength,
  joinBatch,
  QUERY_LANES,
} from "#api/rpc/batch.ts";

/** Rules under which requests below `queries` run on a query thread, and what a test saw. */
function world(queries: number) {
  const open: { readonly request: number; readonly end: () => void }[] = [];
  const begun: number[] = [];
  const rules: BatchRules<number> = {
    answer(request) {
      begun.push(request);
      if (request >= queries) return Promise.resolve(String(request));
      return new Promise((resolve) => {
        open.push({ request, end: () => resolve(String(request)) });
      });
    },
    refuse: () => "refused",
    refuseBusy: () => "busy",
    held: { add: () => undefined, room: () => true },
    isAbandoned: () => false,
    isQuery: (request) => request < queries,
    isSilent: () => false,
    maxBytes: 1_000_000,
    nextTurn: () => Promise.resolve(),
  };
  return { open, begun, rules };
}

const requestsOf = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

describe("a batch", () => {
  test("has few queries in hand at a time, and begins the next when one has ended", async () => {
    const { open, begun, rules } = world(20);
    const answering = answerBatch(requestsOf(20), rules);
    await Bun.sleep(0);
    expect(begun).toEqual(requestsOf(QUERY_LANES));
    for (let ended = 0; ended < 20; ended++) {
      expect(open.length - ended).toBeLessThanOrEqual(QUERY_LANES);
      open[ended]?.end();
      await Bun.sleep(0);
    }
    expect(await answering).toEqual(requestsOf(20).map(String));
    expect(begun).toEqual(requestsOf(20));
  });

  test("goes on when a query fails", async () => {
    const { rules } = world(0);
    const failing: BatchRules<number> = {
      ...rules,
      isQuery: () => true,
      answer: (request) =>
        request === 3 ? Promise.reject(new RangeError("asked")) : Promise.resolve("fine"),
    };
    const failed = await answerBatch(requestsOf(20), failing).catch(String);
    expect(failed).toContain("asked");
  });

  test("answers what runs elsewhere many at a time", async () => {
    const { begun, rules } = world(0);
    const answering = answerBatch(requestsOf(200), {
      ...rules,
      async answer(request) {
        begun.push(request);
        await Bun.sleep(1);
        return String(request);
      },
    });
    await Promise.resolve();
    expect(begun.length).toBeGreaterThan(QUERY_LANES);
    expect(await answering).toEqual(requestsOf(200).map(String));
  });

  test("runs no query once its answers are too large, also none that waited", async () => {
    const { open, begun, rules } = world(10);
    const answering = answerBatch(requestsOf(10), {
      ...rules,
      maxBytes: 2_000,
      answer: async (request) => String(await rules.answer(request)).padEnd(1_500),
    });
    await Bun.sleep(0);
    for (let i = 0; i < QUERY_LANES; i++) {
      open[i]?.end();
      await Bun.sleep(0);
    }
    for (const { end } of open) end();
    const answers = await answering;
    expect(answers.filter((answer) => answer === "refused")).toHaveLength(9);
    expect(begun.length).toBeLessThanOrEqual(2 * QUERY_LANES);
  });

  test("counts its responses and starts no request while there is no room", async () => {
    const { begun, rules } = world(0);
    const counted: number[] = [];
    const wait = Promise.withResolvers<boolean>();
    let asked = 0;
    const answering = answerBatch(requestsOf(10), {
      ...rules,
      held: {
        add: (bytes) => void counted.push(bytes),
        room: () => (asked++ === 3 ? wait.promise : true),
      },
    });
    await Bun.sleep(0);
    expect(begun).toEqual([0, 1, 2]);
    wait.resolve(true);
    expect(await answering).toEqual(requestsOf(10).map(String));
    expect(counted).toEqual(Array.from({ length: 10 }, () => 1));
  });

  test("refuses the rest as busy when it waits for room for too long, and runs what is silent", async () => {
    const { begun, rules } = world(0);
    let asked = 0;
    const answers = await answerBatch(requestsOf(6), {
      ...rules,
      isSilent: (request) => request === 4,
      held: { add: () => undefined, room: () => asked++ < 2 || Promise.resolve(false) },
    });
    expect(answers).toEqual(["0", "1", "busy", "busy", "4", "busy"]);
    expect(begun).toEqual([0, 1, 4]);
  });

  test("keeps no response that nobody will read", async () => {
    const { rules } = world(0);
    const counted: number[] = [];
    const answers = await answerBatch(requestsOf(3), {
      ...rules,
      held: { add: (bytes) => void counted.push(bytes), room: () => true },
      isAbandoned: () => true,
    });
    expect([answers, counted]).toEqual([[undefined, undefined, undefined], []]);
  });
});

describe("responses as one body", () => {
  const long = new Uint8Array(100_000).fill(49);

  test("are the very bytes of each, between brackets and commas", () => {
    const body = joinBatch(["1", ["2", long], undefined, "3"]);
    expect(body).toEqual(["[", "1", ",", "2", long, ",", "3", "]"]);
    expect((body as unknown[])[4]).toBe(long);
    expect(byteLength(body)).toBe(100_000 + "[1,2,3]".length);
  });

  test("are one text where all are short, and nothing where there is none", () => {
    expect(joinBatch(["1", undefined, "2"])).toBe("[1,2]");
    expect(joinBatch([undefined])).toBeUndefined();
  });
});
