import { isDeepStrictEqual } from "node:util";
import type { Outcome } from "#test/helpers/sierra/fuzz-class.ts";

const PARTS = ["bytecode", "hints", "entryPoints", "bytecodeSegmentLengths"] as const;

/** In what two compilers differ about a class; `undefined` when in nothing. */
export function differenceOf(ours: Outcome, reference: Outcome): string | undefined {
  if (ours.kind === "refused") {
    return reference.kind === "refused" ? undefined : `only this compiler refuses: ${ours.reason}`;
  }
  if (reference.kind === "refused") return `only the reference refuses: ${reference.reason}`;
  const part = PARTS.find((each) => !isDeepStrictEqual(ours.casm[each], reference.casm[each]));
  return part === undefined ? undefined : `${part} differ`;
}
