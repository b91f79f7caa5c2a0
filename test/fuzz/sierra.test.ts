import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type SierraClass, sierraClassFromJson } from "#protocol/chain/index.ts";
import { integerOfEnvironment } from "#test/helpers/environment.ts";
import { fixturePath, SHARED } from "#test/helpers/shared.ts";
import { compileOutcome, mutatedClass, recombinedClass } from "#test/helpers/sierra/fuzz-class.ts";

/** Small classes: much of what may be damaged is in each of them. */
const MAX_FELTS = 1100;
const MUTATED = 1000;
const RECOMBINED = 100;

/** Far above what such classes take. */
const DEADLINE_MS = 20_000;

const FIRST_SEED = integerOfEnvironment("FUZZ_SEED") ?? 20_261_121;

const folder =
  SHARED === undefined ? join(import.meta.dir, "../../contracts/l2") : fixturePath("casm-golden");

const classes = readdirSync(folder)
  .filter((name) => name.endsWith(".sierra.json"))
  .sort()
  .map((name) => sierraClassFromJson(readFileSync(join(folder, name), "utf8")))
  .filter((each) => SHARED === undefined || each.sierraProgram.length < MAX_FELTS);

/** Compiles made-up classes; a crash or a class that takes too long is told with its seed. */
function tryAll(make: (original: SierraClass, seed: number) => SierraClass, count: number) {
  const found: string[] = [];
  const tally = { compiled: 0, refused: 0 };
  for (let seed = FIRST_SEED; seed < FIRST_SEED + count; seed++) {
    const original = classes[seed % classes.length];
    if (original === undefined) continue;
    const startedMs = performance.now();
    try {
      tally[compileOutcome(make(original, seed)).kind]++;
    } catch (error) {
      found.push(`seed ${seed}: ${String(error)}`);
    }
    if (performance.now() - startedMs > DEADLINE_MS) found.push(`seed ${seed}: too slow`);
  }
  return { found, tally };
}

test("a class that was damaged is compiled or refused with its reason, soon", () => {
  const { found, tally } = tryAll(mutatedClass, MUTATED);
  expect(found).toEqual([]);
  // Some damage changes nothing that counts: the classes are not beyond all recognition.
  expect(tally.compiled).toBeGreaterThan(MUTATED / 100);
  expect(tally.refused).toBeGreaterThan(MUTATED / 4);
}, 120_000);

test("functions of a class compile in other combinations and orders", () => {
  const { found, tally } = tryAll(recombinedClass, RECOMBINED);
  expect(found).toEqual([]);
  expect(tally.compiled).toBeGreaterThan(RECOMBINED / 3);
}, 60_000);
