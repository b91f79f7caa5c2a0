import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  ClockPage,
  createClockPage,
  MAX_CLOCK_ERROR_MS,
  SteadyClock,
} from "#services/sequencer/index.ts";
import { assertProperty } from "#test/helpers/property.ts";

const START_MS = 1_700_000_000_000;
const IN_2040_MS = 2_208_988_800_000;

/** Both clocks, moved by the test. */
function world() {
  const time = { wallMs: START_MS, monotonicMs: 5_000 };
  const buffer = createClockPage();
  const page = new ClockPage(buffer);
  const jumps: number[] = [];
  const start = (): SteadyClock =>
    new SteadyClock({
      wallMs: () => time.wallMs,
      monotonicMs: () => time.monotonicMs,
      page: new ClockPage(buffer),
      onJump: (byMs) => jumps.push(byMs),
    });
  const pass = (ms: number): void => {
    time.wallMs += ms;
    time.monotonicMs += ms;
  };
  return { time, page, jumps, start, pass };
}

describe("the clock of a producer", () => {
  test("follows the wall clock with errors of up to a minute", () => {
    const { time, page, jumps, start, pass } = world();
    const clock = start();
    for (const [passedMs, byMs] of [
      [2_000, 0],
      [2_000, MAX_CLOCK_ERROR_MS],
      [0, -MAX_CLOCK_ERROR_MS],
      [86_400_000, 59_999],
    ] as const) {
      pass(passedMs);
      time.wallMs += byMs;
      expect(clock.nowMs()).toBe(time.wallMs);
    }
    expect(jumps).toEqual([]);
    expect(page.correctionMs).toBe(0);
  });

  test.each([
    ["2040", IN_2040_MS - START_MS],
    ["a minute and a millisecond ahead", MAX_CLOCK_ERROR_MS + 1],
    ["an hour back", -3_600_000],
  ])("follows the monotonic clock when the wall clock is set to %s", (_, byMs) => {
    const { time, page, jumps, start, pass } = world();
    const clock = start();
    pass(2_000);
    time.wallMs += byMs;
    expect(clock.nowMs()).toBe(START_MS + 2_000);
    expect(jumps).toEqual([byMs]);
    expect(time.wallMs + page.correctionMs).toBe(START_MS + 2_000);
    pass(10_000);
    expect(clock.nowMs()).toBe(START_MS + 12_000);
    expect(jumps).toHaveLength(1);
  });

  test("stays with the monotonic clock when the wall clock is corrected, which is another jump", () => {
    const { time, page, jumps, start, pass } = world();
    const clock = start();
    pass(1_000);
    time.wallMs += IN_2040_MS;
    clock.nowMs();
    pass(1_000);
    time.wallMs -= IN_2040_MS;
    expect(clock.nowMs()).toBe(START_MS + 2_000);
    expect(jumps).toEqual([IN_2040_MS, -IN_2040_MS]);
    expect(page.correctionMs).toBe(0);
    time.wallMs += 50_000;
    expect(clock.nowMs()).toBe(START_MS + 2_000);
  });

  test("continues in the next thread", () => {
    const { time, jumps, start, pass } = world();
    const first = start();
    time.wallMs += IN_2040_MS;
    first.nowMs();
    pass(3_000);
    const second = start();
    pass(1_000);
    expect(second.nowMs()).toBe(START_MS + 4_000);
    time.wallMs += 30_000;
    expect(second.nowMs()).toBe(START_MS + 4_000);
    expect(jumps).toEqual([IN_2040_MS]);
  });

  test("never moves by more than the elapsed time and a minute, whatever the wall clock does", () => {
    const step = fc.record({
      passedMs: fc.nat({ max: 10_000_000 }),
      byMs: fc.oneof(
        fc.integer({ min: -(2 ** 42), max: 2 ** 42 }),
        fc.integer({ min: -MAX_CLOCK_ERROR_MS, max: MAX_CLOCK_ERROR_MS }),
        fc.constant(0),
      ),
    });
    assertProperty(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { time, jumps, start, pass } = world();
        const clock = start();
        let before = clock.nowMs();
        let expected = 0;
        for (const { passedMs, byMs } of steps) {
          pass(passedMs);
          time.wallMs += byMs;
          if (Math.abs(byMs) > MAX_CLOCK_ERROR_MS) expected++;
          const now = clock.nowMs();
          const errorMs = Math.abs(now - before - passedMs);
          expect(errorMs).toBeLessThanOrEqual(expected > 0 ? 0 : MAX_CLOCK_ERROR_MS);
          expect(jumps).toHaveLength(expected);
          before = now;
        }
      }),
    );
  });
});
