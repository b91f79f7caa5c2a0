import type { LegacyProgram } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/** Cairo instruction word of `ret`. */
export const RETURN = 0x208b7fff7fff7ffen;

/** Instruction word `[ap] = IMMEDIATE, ap++`; the next word is the immediate. */
export const IMMEDIATE = 0x480680017fff8000n;

/**
 * Cairo instruction word of `[ap] = [ap] + IMMEDIATE` in the QM31 extension: three in the bits from
 * 63 on.
 */
export const QM31: bigint = (3n << 63n) | (0x4024n << 48n) | 0x800180008000n;

/** Parts of a program. */
export interface ProgramParts {
  /** Default: `ret`. */
  readonly bytecode?: readonly Felt[];
  /** Hint texts by program counter. */
  readonly hints?: readonly (readonly [pc: number, texts: readonly string[]])[];
  /** Selectors of external entry points at its start. */
  readonly selectors?: readonly Felt[];
}

/** A Cairo 0 program without references, constants or builtins. */
export function legacyProgram({
  bytecode = [RETURN],
  hints = [],
  selectors = [],
}: ProgramParts): LegacyProgram {
  return {
    bytecode,
    builtins: [],
    hints: new Map(
      hints.map(([pc, texts]) => [
        pc,
        texts.map((code) => ({
          code,
          apTracking: { group: 0, offset: 0 },
          variables: new Map(),
        })),
      ]),
    ),
    constants: new Map(),
    references: [],
    errorMessages: [],
    entryPoints: {
      EXTERNAL: selectors.map((selector) => ({ selector, offset: 0 })),
      L1_HANDLER: [],
      CONSTRUCTOR: [],
    },
  };
}
