/**
 * Compares the compiler with the reference compiler on classes that are composed of parts of others. Both
 * must produce the same code, or both refuse. Exits with 1 when they differ, and keeps each such class in a
 * file.
 */
import { renameSync } from "node:fs";
import { join } from "node:path";
import type { SierraClass } from "#protocol/chain/index.ts";
import { SHARED } from "#test/helpers/shared.ts";
import { ClassMaker, type Way } from "#test/helpers/sierra/fuzz/made-up-class.ts";
import { compileOutcome, type Outcome } from "#test/helpers/sierra/fuzz/outcome.ts";
import { fixtureSources, textSources } from "#test/helpers/sierra/fuzz/sources.ts";
import { differenceOf, isKnown } from "./fuzz-compiler-lib/difference.ts";
import { createReferenceCompiler, writeClass } from "./fuzz-compiler-lib/reference.ts";
import { Tally } from "./fuzz-compiler-lib/tally.ts";

/** A compilation that takes longer is printed. */
const SLOW_MS = 10_000;
const PROGRESS_EVERY = 1000;

/** Source classes may be larger than the classes that are composed of their functions. */
const MAX_SOURCE_FELTS = 12_500;

/** Ways of twelve seeds: ten damaged or changed classes, and two recombined ones, one of them from two classes. */
const WAY_OF_SEED: readonly Way[] = [
  "recombined",
  "damaged",
  "changed",
  "changed",
  "damaged",
  "changed",
  "joined",
  "changed",
  "damaged",
  "changed",
  "changed",
  "changed",
];

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function outcomeOf(sierraClass: SierraClass): Outcome | Error {
  try {
    return compileOutcome(sierraClass);
  } catch (error) {
    return error instanceof Error ? error : new TypeError("not an error was thrown");
  }
}

function main([
  countText = "1200",
  seedText = "1",
  folder = "build/fuzz-compiler",
]: string[]): number {
  const [count, firstSeed] = [Number(countText), Number(seedText)];
  if (!Number.isSafeInteger(count) || !Number.isSafeInteger(firstSeed) || SHARED === undefined) {
    process.stderr.write(
      "usage: scripts/fuzz-compiler [N] [FIRST SEED] [FOLDER]; needs fixtures\n",
    );
    return 2;
  }
  const program = process.env["REFERENCE_COMPILER"] ?? "starknet-sierra-compile";
  const reference = createReferenceCompiler(program, folder);
  const maker = new ClassMaker([...fixtureSources(MAX_SOURCE_FELTS), ...textSources()]);
  const path = join(folder, "class.json");
  const tally = new Tally();
  print(`seeds ${firstSeed} to ${firstSeed + count - 1}`);
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    const way = WAY_OF_SEED[seed % WAY_OF_SEED.length] ?? "changed";
    const { of, sierraClass } = maker.make(way, seed);
    writeClass(path, sierraClass);
    const startedMs = performance.now();
    const ours = outcomeOf(sierraClass);
    const tookMs = performance.now() - startedMs;
    const theirs = reference.outcome(path);
    const difference =
      ours instanceof Error ? `a crash: ${ours.stack}` : differenceOf(ours, theirs);
    const known = difference !== undefined && isKnown(sierraClass, theirs);
    tally.add(way, ours, theirs, difference === undefined ? "same" : known ? "known" : "different");
    if ((difference !== undefined && !known) || theirs.kind === "late" || tookMs > SLOW_MS) {
      const kept = join(folder, `${way}-${of}-${seed}.json`);
      renameSync(path, kept);
      const took = `took ${Math.round(tookMs)} ms, the reference ${theirs.kind}`;
      print(`${kept}: ${difference ?? took}`);
    }
    if ((seed - firstSeed + 1) % PROGRESS_EVERY === 0) print(`seed ${seed}\n${tally.table()}`);
  }
  print(tally.table());
  return tally.differences === 0 ? 0 : 1;
}

process.exitCode = main(process.argv.slice(2));
