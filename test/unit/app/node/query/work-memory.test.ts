import { describe, expect, test } from "bun:test";
import { SHORT_MS, WorkMemory } from "#app/node/query/work-memory.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

const LONG_MS = 500;
const MEMORY_MS = 10 * 60_000;

const workOf = (kind: string, exact = "") => ({ kind, exact });

function world() {
  const timer = new FakeTimer();
  const memory = new WorkMemory(() => timer.nowMs());
  const a = workOf("a");
  return { timer, memory, a };
}

describe("the expectation for a query", () => {
  test("is unknown before one of its kind has run", () => {
    const { memory, a } = world();
    expect([memory.expect(a), memory.expectedMs(a)]).toEqual(["unknown", 10]);
  });

  test.each([
    [SHORT_MS, "short"],
    [SHORT_MS + 1, "long"],
  ] as const)("after one that took %p ms is %s", (tookMs, expected) => {
    const { memory, a } = world();
    memory.note(a, tookMs, true);
    expect([memory.expect(a), memory.expectedMs(a)]).toEqual([expected, tookMs]);
    expect(memory.expect(workOf("b"))).toBe("unknown");
  });

  test("is long once one was long, and unknown again after several short ones", () => {
    const { memory, a } = world();
    memory.note(a, 1, true);
    memory.note(a, LONG_MS, true);
    const told: string[] = [];
    for (let i = 0; i < 5; i++) {
      told.push(memory.expect(a));
      memory.note(a, 1, true);
    }
    expect(told).toEqual(["long", "long", "long", "long", "unknown"]);
  });

  test("expires after ten minutes, also for long ones", () => {
    const { timer, memory, a } = world();
    memory.note(a, SHORT_MS + 1, true);
    for (let i = 0; i < 3; i++) memory.note(a, 1, true);
    timer.advance(MEMORY_MS - 1);
    expect(memory.expect(a)).toBe("unknown");
    memory.note(a, 1, true);
    timer.advance(1);
    expect(memory.expect(a)).toBe("short");
    timer.advance(MEMORY_MS - 1);
    expect(memory.expect(a)).toBe("unknown");
    expect(memory.expectedMs(a)).toBe(10);
  });
});

describe("a cancelled query", () => {
  test("sets a minimum for the expected time", () => {
    const { memory, a } = world();
    memory.note(a, LONG_MS, false);
    expect(memory.expect(a)).toBe("long");
    memory.note(a, 2 * LONG_MS, false);
    memory.note(a, 1, false);
    expect(memory.expectedMs(a)).toBe(2 * LONG_MS);
  });

  test("sets nothing if it was cancelled immediately", () => {
    const { memory, a } = world();
    memory.note(a, 1, false);
    expect(memory.expect(a)).toBe("unknown");
  });
});

describe("a kind with short and long queries", () => {
  test("is tracked query by query", () => {
    const { memory } = world();
    const [long, short, other] = ["long", "short", "other"].map((exact) => workOf("a", exact));
    if (long === undefined || short === undefined || other === undefined) return;
    memory.note(long, LONG_MS, true);
    memory.note(short, 1, true);
    expect([long, short, other].map((work) => memory.expect(work))).toEqual([
      "long",
      "short",
      "long",
    ]);
  });

  test("takes one entry while all of a kind are short", () => {
    const { memory } = world();
    for (let i = 0; i < 100; i++) memory.note(workOf("a", String(i)), 1, true);
    expect(memory.size).toBe(1);
  });
});

test("bounds its size and evicts the oldest entries first", () => {
  const { memory } = world();
  for (let i = 0; i < 10_000; i++) {
    memory.note(workOf("kept"), LONG_MS, true);
    memory.note(workOf(`${i}`, `exact ${i}`), LONG_MS, true);
  }
  expect(memory.size).toBe(2 * 4_096);
  expect([memory.expect(workOf("kept")), memory.expect(workOf("0"))]).toEqual(["long", "unknown"]);
});
