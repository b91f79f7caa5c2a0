import { CompileError } from "../compile-error.ts";
import type { ApTracking } from "../libfunc/invocation-builder.ts";
import type { Metadata } from "../metadata/metadata.ts";
import type { Program } from "../program/program.ts";
import type { StatementInput } from "./annotations.ts";
import { requireOnStack, requireTypes } from "./arguments.ts";
import { isSameTracking, trackingText } from "./environment.ts";

/**
 * Checks that a function may return here. No other variable may be left, `ap` must have changed as the
 * function's callers expect, and locals must be finalized. The returned values must have the right types and
 * be at the top of the stack.
 *
 * @throws {CompileError} SIERRA_INVALID when a condition is violated
 */
export function requireReturn(
  { state, args }: StatementInput,
  program: Program,
  metadata: Metadata,
): void {
  const [left] = state.refs.keys();
  if (left !== undefined) refuse(`variable ${left} is never consumed`);
  const { apTracking, frame } = state.environment;
  const expected = returnTracking(metadata.functionApChanges.get(state.functionId));
  if (!isSameTracking(apTracking, expected)) {
    const texts = [apTracking, expected].map(trackingText);
    refuse(`ap is expected at: ${texts[1]}; but it is at: ${texts[0]}`);
  }
  requireTypes(args, program.functions[state.functionId]?.returns ?? []);
  if (frame.kind === "allocating") refuse("locals are allocated and not finalized");
  requireOnStack(args);
}

function returnTracking(apChange: number | undefined): ApTracking {
  return apChange === undefined
    ? { kind: "disabled" }
    : { kind: "enabled", base: undefined, cells: apChange };
}

function refuse(message: string): never {
  throw new CompileError("SIERRA_INVALID", message);
}
