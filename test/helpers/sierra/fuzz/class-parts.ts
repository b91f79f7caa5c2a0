import { decodeProgram } from "#engine/sierra/index.ts";
import type { Program } from "#engine/sierra/program/program.ts";
import type { EntryPointType, SierraClass } from "#protocol/chain/index.ts";
import { programFelts } from "./program-felts.ts";

/** A class with its program unpacked. */
export interface ClassParts {
  /** Versions of Sierra and of the compiler, six felts. */
  readonly versions: readonly bigint[];
  readonly program: Program;
  readonly entryPoints: SierraClass["entryPoints"];
}

const TYPES = ["EXTERNAL", "L1_HANDLER", "CONSTRUCTOR"] as const satisfies EntryPointType[];

/** Unpacks a class, whose program must be valid. */
export function classParts({ sierraProgram, entryPoints }: SierraClass): ClassParts {
  const { program } = decodeProgram(sierraProgram);
  return { versions: sierraProgram.slice(0, 6), program, entryPoints };
}

/** Packs a class. */
export function classOfParts({ versions, program, entryPoints }: ClassParts): SierraClass {
  return {
    kind: "sierra",
    sierraProgram: programFelts(versions, program),
    contractClassVersion: "0.1.0",
    entryPoints,
    abi: "[]",
  };
}

/** Entry points after functions moved; those of removed functions are removed. */
export function movedEntryPoints(
  entryPoints: SierraClass["entryPoints"],
  move: (functionIdx: number) => number | undefined,
): SierraClass["entryPoints"] {
  const [EXTERNAL, L1_HANDLER, CONSTRUCTOR] = TYPES.map((type) =>
    entryPoints[type].flatMap(({ selector, functionIdx }) => {
      const moved = move(functionIdx);
      return moved === undefined ? [] : [{ selector, functionIdx: moved }];
    }),
  ) as [never[], never[], never[]];
  return { EXTERNAL, L1_HANDLER, CONSTRUCTOR };
}
