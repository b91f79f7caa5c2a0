import { describe, expect, test } from "bun:test";
import { settle } from "#test/helpers/admission-world.ts";
import { declareServiceWorld, allSteps } from "#test/helpers/declare-service-world.ts";

const STOPPING = {
  kind: "rejected",
  code: "UNEXPECTED_ERROR",
  reason: "the node is stopping",
} as const;

/** Consecutive numbers from `first`. */
const numbers = (count: number, first = 1n) =>
  Array.from({ length: count }, (_, i) => first + BigInt(i));

describe("declarations of one sender", () => {
  test("are prepared in parallel, and judged once the previous one is in the mempool", async () => {
    const { declare, hold, release, log } = declareServiceWorld();
    hold("submit", 1n);
    const outcomes = [declare(1n), declare(2n)];
    await settle();
    expect(log.filter((each) => each.endsWith(" 2"))).toEqual(["prepare 2"]);
    release("submit", 1n);
    await Promise.all(outcomes);
    expect(log.slice(log.indexOf("submit 1"))).toEqual(["submit 1", ...allSteps(2n).slice(1)]);
  });

  test("continue after the previous one is rejected", async () => {
    const { declare, log } = declareServiceWorld({
      judge: (number) =>
        number === 1n ? { kind: "rejected", code: "DUPLICATE_TX", reason: "no" } : null,
    });
    const outcomes = await Promise.all([declare(1n), declare(2n)]);
    expect(outcomes).toMatchObject([{ code: "DUPLICATE_TX" }, { kind: "accepted" }]);
    expect(log).not.toContain("compile 1");
  });

  test("above eight are rejected, and accepted again after one has finished", async () => {
    const { declare, hold, release, log, refused } = declareServiceWorld();
    hold("compile", 1n);
    const outcomes = numbers(8).map((number) => declare(number));
    expect(await declare(9n)).toEqual({
      kind: "rejected",
      code: "UNEXPECTED_ERROR",
      reason: "the node is busy: too many declarations are pending; try again in 5 s",
      retryAfterSeconds: 5,
    });
    expect([refused, log.includes("judge 9")]).toEqual([["BUSY"], false]);
    release("compile", 1n);
    await outcomes[0];
    expect((await declare(10n)).kind).toBe("accepted");
    expect((await Promise.all(outcomes)).map(({ kind }) => kind)).toEqual(
      numbers(8).map(() => "accepted"),
    );
  });

  test("do not delay those of others", async () => {
    const { declare, hold, release } = declareServiceWorld();
    hold("compile", 1n);
    const slow = [declare(1n, 1n), declare(2n, 1n)];
    expect((await declare(3n, 2n)).kind).toBe("accepted");
    release("compile", 1n);
    await Promise.all(slow);
  });
});

describe("declarations queued for preparation", () => {
  test("do not wait for compilations", async () => {
    const { declare, hold, log } = declareServiceWorld();
    for (const number of numbers(100)) {
      hold("compile", number);
      void declare(number, number);
    }
    await settle();
    expect(log.filter((each) => each.startsWith("compile"))).toHaveLength(100);
  });

  test("are forwarded a few at a time, in turns between senders", async () => {
    const { declare, hold, release, log } = declareServiceWorld();
    for (const number of numbers(60)) hold("prepare", number);
    for (const number of numbers(59)) void declare(number, 1n);
    void declare(60n, 2n);
    await settle();
    const begun = log.length;
    expect(begun).toBeLessThan(59);
    release("prepare", 1n);
    await settle();
    expect(log.slice(begun)).toContain("prepare 60");
  });

  test("are bounded: one more is rejected with a retry time", async () => {
    const { declare, hold, refused } = declareServiceWorld();
    const outcomes = numbers(600).map((number) => {
      hold("prepare", number);
      return declare(number, number);
    });
    await settle();
    expect(refused).not.toEqual([]);
    expect(new Set(refused)).toEqual(new Set(["BUSY"]));
    // Declarations in preparation are not counted.
    expect(refused.length).toBeLessThan(600 - 512);
    expect(await outcomes.at(-1)).toMatchObject({ retryAfterSeconds: 1 });
  });
});

describe("stopping", () => {
  test("rejects queued and new declarations; running ones finish", async () => {
    const { service, declare, hold, release, refused } = declareServiceWorld();
    for (const number of numbers(60)) hold("prepare", number);
    const outcomes = numbers(60).map((number) => declare(number, number));
    service.stop();
    expect(await outcomes.at(-1)).toEqual(STOPPING);
    expect(await declare(61n)).toEqual(STOPPING);
    expect(new Set(refused)).toEqual(new Set(["UNEXPECTED_ERROR"]));
    release("prepare", 1n);
    expect((await outcomes[0])?.kind).toBe("accepted");
  });
});
