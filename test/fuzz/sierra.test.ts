import { expect, test } from "bun:test";
import { integerOfEnvironment } from "#test/helpers/environment.ts";
import { ClassMaker, type Way } from "#test/helpers/sierra/fuzz/made-up-class.ts";
import { compileOutcome } from "#test/helpers/sierra/fuzz/outcome.ts";
import { fixtureSources } from "#test/helpers/sierra/fuzz/sources.ts";
import { busyMilliseconds } from "#test/helpers/stop-flag.ts";
import { bySize } from "#test/helpers/test-size.ts";

/** Small classes, which contain much of what may be damaged. */
const MAX_FELTS = 1100;
const DAMAGED = bySize({ quick: 100, full: 650 });
const CHANGED = bySize({ quick: 50, full: 350 });
const RECOMBINED = bySize({ quick: 15, full: 50 });
const JOINED = bySize({ quick: 15, full: 50 });

/** Processor time far above that of such classes. */
const MOST_BUSY_MS = 20_000;

const FIRST_SEED = integerOfEnvironment("FUZZ_SEED") ?? 20_261_121;

/** `FUZZ_RUNS` sets another number of classes of each kind. */
const RUNS = integerOfEnvironment("FUZZ_RUNS");

const maker = new ClassMaker(fixtureSources(MAX_FELTS));

/** Compiles generated classes; reports a crash or a slow class with its seed. */
function tryAll(way: Way, count: number) {
  const found: string[] = [];
  const tally = { compiled: 0, refused: 0 };
  for (let seed = FIRST_SEED; seed < FIRST_SEED + count; seed++) {
    const { sierraClass } = maker.make(way, seed);
    const startedBusyMs = busyMilliseconds();
    try {
      tally[compileOutcome(sierraClass).kind]++;
    } catch (error) {
      found.push(`seed ${seed}: ${String(error)}`);
    }
    if (busyMilliseconds() - startedBusyMs > MOST_BUSY_MS) found.push(`seed ${seed}: too slow`);
  }
  return { found, tally };
}

test.each([
  ["damaged felts", "damaged", DAMAGED],
  ["changed parts", "changed", CHANGED],
] as const)(
  "a class with %s is compiled or rejected with a reason, in time",
  (_, way, usual) => {
    const count = RUNS ?? usual;
    const { found, tally } = tryAll(way, count);
    expect(found).toEqual([]);
    // Some damage is irrelevant: the classes are not completely broken.
    expect(tally.compiled).toBeGreaterThanOrEqual(Math.floor(count / 100));
    expect(tally.refused).toBeGreaterThan(count / 4);
  },
  120_000,
);

test.each([
  ["a class", "recombined", RECOMBINED],
  ["two classes", "joined", JOINED],
] as const)(
  "functions of %s compile in other combinations and orders",
  (_, way, usual) => {
    const count = RUNS ?? usual;
    const { found, tally } = tryAll(way, count);
    expect(found).toEqual([]);
    expect(tally.compiled).toBeGreaterThan(count / 3);
  },
  60_000,
);
