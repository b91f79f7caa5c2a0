import { describe, expect, test } from "bun:test";
import {
  answerBatch,
  type BatchRules,
  byteLength,
  joinBatch,
  QUERY_LANES,
} from "#api/rpc/batch.ts";

/** Batch rules under which requests below `queries` run on a query thread, and a record of the run. */
function world(queries: number) {
  const open: { readonly request: number; readonly end: () => void }[] = [];
  const started: number[] = [];
  const rules: BatchRules<number> = {
    answer(request) {
      started.push(request);
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
  return { open, started, rules };
}

const requestsOf = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

describe("answerBatch", () => {
  test("limits queries in flight and starts the next when one ends", async () => {
    const { open, started, rules } = world(20);
    const answering = answerBatch(requestsOf(20), rules);
    await Bun.sleep(0);
    expect(started).toEqual(requestsOf(QUERY_LANES));
    for (let ended = 0; ended < 20; ended++) {
      expect(open.length - ended).toBeLessThanOrEqual(QUERY_LANES);
      open[ended]?.end();
      await Bun.sleep(0);
    }
    expect(await answering).toEqual(requestsOf(20).map(String));
    expect(started).toEqual(requestsOf(20));
  });

  test("rejects when a query fails instead of hanging", async () => {
    const { rules } = world(0);
    const failing: BatchRules<number> = {
      ...rules,
      isQuery: () => true,
      answer: (request) =>
        request === 3 ? Promise.reject(new RangeError("failed query")) : Promise.resolve("fine"),
    };
    const failed = await answerBatch(requestsOf(20), failing).catch(String);
    expect(failed).toContain("failed query");
  });

  test("runs requests without queries concurrently", async () => {
    const { started, rules } = world(0);
    const answering = answerBatch(requestsOf(200), {
      ...rules,
      async answer(request) {
        started.push(request);
        await Bun.sleep(1);
        return String(request);
      },
    });
    await Promise.resolve();
    expect(started.length).toBeGreaterThan(QUERY_LANES);
    expect(await answering).toEqual(requestsOf(200).map(String));
  });

  test("skips queued queries once the responses exceed the size limit", async () => {
    const { open, started, rules } = world(10);
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
    expect(started.length).toBeLessThanOrEqual(2 * QUERY_LANES);
  });

  test("counts its responses and starts no request while there is no room", async () => {
    const { started, rules } = world(0);
    const counted: number[] = [];
    const wait = Promise.withResolvers<boolean>();
    let roomChecks = 0;
    const answering = answerBatch(requestsOf(10), {
      ...rules,
      held: {
        add: (bytes) => void counted.push(bytes),
        room: () => (roomChecks++ === 3 ? wait.promise : true),
      },
    });
    await Bun.sleep(0);
    expect(started).toEqual([0, 1, 2]);
    wait.resolve(true);
    expect(await answering).toEqual(requestsOf(10).map(String));
    expect(counted).toEqual(Array.from({ length: 10 }, () => 1));
  });

  test("refuses the rest as busy after waiting too long for room, and still runs silent requests", async () => {
    const { started, rules } = world(0);
    let roomChecks = 0;
    const answers = await answerBatch(requestsOf(6), {
      ...rules,
      isSilent: (request) => request === 4,
      held: { add: () => undefined, room: () => roomChecks++ < 2 || Promise.resolve(false) },
    });
    expect(answers).toEqual(["0", "1", "busy", "busy", "4", "busy"]);
    expect(started).toEqual([0, 1, 4]);
  });

  test("keeps no response of an abandoned batch", async () => {
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

describe("joinBatch", () => {
  const long = new Uint8Array(100_000).fill(49);

  test("joins the responses without copying their bytes", () => {
    const body = joinBatch(["1", ["2", long], undefined, "3"]);
    expect(body).toEqual(["[", "1", ",", "2", long, ",", "3", "]"]);
    expect((body as unknown[])[4]).toBe(long);
    expect(byteLength(body)).toBe(100_000 + "[1,2,3]".length);
  });

  test("returns one string for short responses, and `undefined` for none", () => {
    expect(joinBatch(["1", undefined, "2"])).toBe("[1,2]");
    expect(joinBatch([undefined])).toBeUndefined();
  });
});
