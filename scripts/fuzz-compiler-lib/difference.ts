import { isDeepStrictEqual } from "node:util";
import type { SierraClass } from "#protocol/chain/index.ts";
import type { Outcome } from "#test/helpers/sierra/fuzz/outcome.ts";
import type { ReferenceOutcome } from "./reference.ts";

const PARTS = ["bytecode", "hints", "entryPoints", "bytecodeSegmentLengths"] as const;

/** Minor version of Sierra from which on gas is computed without equations. */
const LINEAR_SINCE = 4n;

/** Difference between two compilers for a class; `undefined` if they agree. */
export function differenceOf(ours: Outcome, reference: ReferenceOutcome): string | undefined {
  if (reference.kind === "compiled") {
    if (ours.kind === "refused") return `only this compiler refuses: ${ours.reason}`;
    const part = PARTS.find((each) => !isDeepStrictEqual(ours.casm[each], reference.casm[each]));
    return part === undefined ? undefined : `${part} differ`;
  }
  // A compiler without output refuses, whatever the form of its error.
  if (ours.kind === "refused") return undefined;
  return `only the reference gives no code: it ${reference.kind}: ${reference.reason}`;
}

/**
 * Whether a difference is a known one. Before Sierra 1.4.0 the reference computes builtins twice. It
 * panics if its equations have several least solutions and the two results differ, which happens for
 * functions with `withdraw_gas_all` that are not entry points. Compilers of that time emitted none.
 */
export function isKnown({ sierraProgram }: SierraClass, reference: ReferenceOutcome): boolean {
  return (
    (sierraProgram[1] ?? 0n) < LINEAR_SINCE &&
    reference.kind === "panicked" &&
    reference.reason.includes("gas_info.rs")
  );
}
