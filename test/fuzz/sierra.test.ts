import { expect, test } from "bun:test";
import { integerOfEnvironment } from "#test/helpers/environment.ts";
import { ClassMaker, type Way } from "#test/helpers/sierra/fuzz/made-up-class.ts";
import { compileOutcome } from "#test/helpers/sierra/fuzz/outcome.ts";
import { fixtureSources } from "#test/helpers/sierra/fuzz/sources.ts";
import { busyMilliseconds } from "#test/helpers/stop-flag.ts";
import { bySize } from "#test/helpers/test-size.ts";

/** Small classes: much of what may be damaged is in each of them. */
const MAX_FELTS = 1100;
const DAMAGED = bySize({ quick: 200, full: 650 });
const CHANGED = bySize({ quick: 100, full: 350 });
const RECOMBINED = bySize({ quick: 15, full: 50 });
const JOINED = bySize({ quick: 15, full: 50 });

/** Processor time far above what such classes take. */
const MOST_BUSY_MS = 20_000;

const FIRST_SEED = integerOfEnvironment("FUZZ_SEED") ?? 20_261_121;

/** `FUZZ_RUNS` takes another number of classes of each kind. */
const RUNS = integerOfEnvironment("FUZZ_RUNS");

const maker = new ClassMaker(fixtureSources(MAX_FELTS));

/** Compiles made-up classes; a crash or a class that takes too long is told with its seed. */
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
  ["felts were damaged", "damaged", DAMAGED],
  ["parts were changed", "changed", CHANGED],
] as const)(
  "a class of which some %s is compiled or refused with its reason, soon",
  (_, way, usual) => {
    const count = RUNS ?? usual;
    const { found, tally } = tryAll(way, count);
    expect(found).toEqual([]);
    // Some damage changes nothing that counts: the classes are not beyond all recognition.
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
