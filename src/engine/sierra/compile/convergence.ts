import { isIndependentOfAp } from "../casm/cell-expression.ts";
import { CompileError } from "../compile-error.ts";
import { environmentDifference } from "./environment.ts";
import {
  isSameCells,
  isSameIntroduction,
  type References,
  type ReferenceValue,
} from "./reference-value.ts";
import type { StatementState } from "./statement-state.ts";

/**
 * Checks that two paths to a statement have equal states.
 *
 * @param expected - state of the first path
 * @param actual - state of the second path
 * @throws {CompileError} SIERRA_INVALID when they differ, or when the statement is the target of a branch
 */
export function requireSameState(expected: StatementState, actual: StatementState): void {
  if (expected.functionId !== actual.functionId) refuse("it belongs to two functions");
  const difference = environmentDifference(expected.environment, actual.environment);
  if (difference !== undefined) refuse(`two paths to it differ in ${difference}`);
  const isTracked = actual.environment.apTracking.kind === "enabled";
  requireSameReferences(expected.refs, actual.refs, isTracked);
  if (!expected.mayConverge) refuse("two paths lead to the target of a branch");
}

function requireSameReferences(expected: References, actual: References, isTracked: boolean): void {
  if (expected.size !== actual.size) refuse("two paths to it have different variables");
  for (const [variable, value] of actual) {
    const other = expected.get(variable);
    if (other === undefined) refuse(`only one path to it has variable ${variable}`);
    const difference = valueDifference(other, value, isTracked);
    if (difference !== undefined) refuse(`variable ${variable} ${difference}`);
  }
}

function valueDifference(
  expected: ReferenceValue,
  actual: ReferenceValue,
  isTracked: boolean,
): string | undefined {
  if (expected.type !== actual.type) return "has two types";
  if (!isSameCells(expected.cells, actual.cells)) return "is in two places";
  if (expected.stackIndex !== actual.stackIndex) return "is at two places of the stack";
  if (actual.stackIndex !== undefined || actual.cells.every(isIndependentOfAp)) return undefined;
  if (!isTracked) return "is relative to ap, which is not tracked";
  return isSameIntroduction(expected.introduction, actual.introduction)
    ? undefined
    : "was created at two places";
}

function refuse(message: string): never {
  throw new CompileError("SIERRA_INVALID", message);
}
