import { isDeepStrictEqual } from "node:util";
import type { SierraClass } from "#protocol/chain/index.ts";
import type { Outcome } from "#test/helpers/sierra/fuzz/outcome.ts";
import type { ReferenceOutcome } from "./reference.ts";

const PARTS = ["bytecode", "hints", "entryPoints", "bytecodeSegmentLengths"] as const;

/** Minor version of Sierra from which on gas is found without equations. */
const LINEAR_SINCE = 4n;

/** In what two compilers differ about a class; `undefined` when in nothing. */
export function differenceOf(ours: Outcome, reference: ReferenceOutcome): string | undefined {
  if (reference.kind === "compiled") {
    if (ours.kind === "refused") return `only this compiler refuses: ${ours.reason}`;
    const part = PARTS.find((each) => !isDeepStrictEqual(ours.casm[each], reference.casm[each]));
    return part === undefined ? undefined : `${part} differ`;
  }
  // A compiler that gives no code refuses, whatever its way to say so.
  if (ours.kind === "refused") return undefined;
  return `only the reference gives no code: it ${reference.kind}: ${reference.reason}`;
}

/**
 * Whether a difference is a known one. Before Sierra 1.4.0 the reference finds builtins twice, and
 * panics where its equations have several least solutions and it found two of them: of functions with
 * `withdraw_gas_all` that serve as no entry point. Compilers of that time wrote none.
 */
export function isKnown({ sierraProgram }: SierraClass, reference: ReferenceOutcome): boolean {
  return (
    (sierraProgram[1] ?? 0n) < LINEAR_SINCE &&
    reference.kind === "panicked" &&
    reference.reason.includes("gas_info.rs")
  );
}
