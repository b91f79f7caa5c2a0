/**
 * Compares the compiler with the reference compiler: mutated classes, and classes of some functions
 * of others. Both must give the same code, or both refuse. Ends with 1 when they differ; each class
 * that they differ about stays in a file.
 */
import { readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { type SierraClass, sierraClassFromJson } from "#protocol/chain/index.ts";
import {
  compileOutcome,
  MAX_FUZZ_FELTS,
  mutatedClass,
  type Outcome,
  recombinedClass,
} from "#test/helpers/sierra/fuzz-class.ts";
import { fixturePath, SHARED } from "#test/helpers/shared.ts";
import { differenceOf } from "./fuzz-compiler-lib/difference.ts";
import { createReferenceCompiler, writeClass } from "./fuzz-compiler-lib/reference.ts";

/** A compilation that takes longer is printed. */
const SLOW_MS = 10_000;
const PROGRESS_EVERY = 500;

const WAYS = { mutated: mutatedClass, recombined: recombinedClass } as const;

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** The fixtures that are small and that this compiler takes. */
function originals(): { id: string; original: SierraClass }[] {
  return readdirSync(fixturePath("casm-golden"))
    .filter((name) => name.endsWith(".sierra.json"))
    .map((name) => ({
      id: name.replace(".sierra.json", ""),
      original: sierraClassFromJson(readFileSync(fixturePath("casm-golden", name), "utf8")),
    }))
    .filter(({ original }) => original.sierraProgram.length < MAX_FUZZ_FELTS)
    .filter(({ original }) => compileOutcome(original).kind === "compiled");
}

function outcomeOf(sierraClass: SierraClass): Outcome | Error {
  try {
    return compileOutcome(sierraClass);
  } catch (error) {
    return error instanceof Error ? error : new TypeError("not an error was thrown");
  }
}

function main([
  countText = "1000",
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
  const reference = createReferenceCompiler(
    process.env["REFERENCE_COMPILER"] ?? "starknet-sierra-compile",
    folder,
  );
  const classes = originals();
  const path = join(folder, "class.json");
  const tally = { compiled: 0, refused: 0, different: 0 };
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    const chosen = classes[seed % classes.length];
    if (chosen === undefined) break;
    const way = Math.floor(seed / classes.length) % 4 === 0 ? "recombined" : "mutated";
    const sierraClass = WAYS[way](chosen.original, seed);
    writeClass(path, sierraClass);
    const startedMs = performance.now();
    const ours = outcomeOf(sierraClass);
    const tookMs = performance.now() - startedMs;
    const difference =
      ours instanceof Error
        ? `a crash: ${ours.stack}`
        : differenceOf(ours, reference.outcome(path));
    if (difference !== undefined || tookMs > SLOW_MS) {
      const kept = join(folder, `${way}-${chosen.id}-${seed}.json`);
      renameSync(path, kept);
      print(`${kept}: ${difference ?? `took ${Math.round(tookMs)} ms`}`);
    }
    if (difference !== undefined) tally.different++;
    else if (!(ours instanceof Error)) tally[ours.kind]++;
    if ((seed - firstSeed + 1) % PROGRESS_EVERY === 0)
      print(`seed ${seed}: ${JSON.stringify(tally)}`);
  }
  print(`${JSON.stringify(tally)}, seeds from ${firstSeed}`);
  return tally.different === 0 ? 0 : 1;
}

process.exitCode = main(process.argv.slice(2));
