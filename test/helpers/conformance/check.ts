import { expect } from "bun:test";
import type { Exception } from "./suite.ts";
import { SUITES, type SuiteName } from "./suites.ts";

/** Findings of a suite's test, by item name. */
export interface Found {
  readonly compared: number;
  readonly leftOut?: readonly string[];
  readonly inPart?: readonly string[];
}

/**
 * Asserts that the suite's table row is correct: the number of compared items, and that every other
 * item belongs to exactly one exception with the right count.
 */
export function expectSuite(name: SuiteName, { compared, leftOut = [], inPart = [] }: Found): void {
  const suite = SUITES[name];
  expect({
    compared,
    leftOut: counted(suite.leftOut, leftOut),
    inPart: counted(suite.inPart, inPart),
  }).toEqual({
    compared: suite.compared,
    leftOut: expectedCounts(suite.leftOut),
    inPart: expectedCounts(suite.inPart),
  });
}

/** Number of items by exception; items of no or several exceptions are listed by name. */
function counted(
  exceptions: readonly Exception[],
  items: readonly string[],
): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const item of items) {
    const [entry, second] = exceptions.filter(({ items: pattern }) => pattern.test(item));
    const name = entry === undefined || second !== undefined ? `no exception: ${item}` : entry.what;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

function expectedCounts(exceptions: readonly Exception[]): Readonly<Record<string, number>> {
  return Object.fromEntries(exceptions.map(({ what, count }) => [what, count]));
}
