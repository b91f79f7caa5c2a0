import { compileClass, CompileError } from "#engine/sierra/index.ts";
import type { CasmClass, EntryPointType, SierraClass } from "#protocol/chain/index.ts";
import { mutatedProgram } from "./mutated-program.ts";
import { packedWords, programWords, wordsOf } from "./program-words.ts";
import { createRandom } from "../random.ts";
import { recombinedProgram } from "./recombined-program.ts";

/** Larger classes take too long for what they add. */
export const MAX_FUZZ_FELTS = 5000;

/** Felts of bytecode that a class of the fuzzers may come to. */
export const FUZZ_LIMITS = { maxBytecodeSize: 180_000 };

const TYPES = ["EXTERNAL", "L1_HANDLER", "CONSTRUCTOR"] as const satisfies EntryPointType[];

/** A class with damage somewhere in its program, the same for the same seed. */
export function mutatedClass(original: SierraClass, seed: number): SierraClass {
  const program = programWords(original.sierraProgram);
  return { ...original, sierraProgram: mutatedProgram(program, createRandom(seed)) };
}

/** A class of some functions of another, in another order, the same for the same seed. */
export function recombinedClass(original: SierraClass, seed: number): SierraClass {
  const whole = programWords(original.sierraProgram);
  const { program, functionIndices } = recombinedProgram(whole, createRandom(seed));
  const kept = (type: EntryPointType) =>
    original.entryPoints[type].flatMap(({ selector, functionIdx }) => {
      const moved = functionIndices.get(functionIdx);
      return moved === undefined ? [] : [{ selector, functionIdx: moved }];
    });
  const [EXTERNAL, L1_HANDLER, CONSTRUCTOR] = TYPES.map(kept) as [never[], never[], never[]];
  return {
    ...original,
    sierraProgram: packedWords(program.versions, wordsOf(program)),
    entryPoints: { EXTERNAL, L1_HANDLER, CONSTRUCTOR },
  };
}

/** What a compiler says to a class. */
export type Outcome =
  | { readonly kind: "compiled"; readonly casm: CasmClass }
  | { readonly kind: "refused"; readonly reason: string };

/** What this compiler says to a class. Errors that are no refusal are thrown. */
export function compileOutcome(sierraClass: SierraClass): Outcome {
  try {
    return { kind: "compiled", casm: compileClass(sierraClass, FUZZ_LIMITS) };
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    return { kind: "refused", reason: `${error.code}: ${error.message}` };
  }
}
