import { describe, expect, test } from "bun:test";
import { answerBatch, type BatchRules, QUERY_LANES } from "#api/rpc/batch.ts";

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
});
