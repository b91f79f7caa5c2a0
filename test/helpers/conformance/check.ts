import { expect } from "bun:test";
import type { Exception } from "./suite.ts";
import { SUITES, type SuiteName } from "./suites.ts";

/** What a suite's test has found, by the items' names. */
export interface Found {
  readonly compared: number;
  readonly leftOut?: readonly string[];
  readonly inPart?: readonly string[];
}

/**
 * Asserts that the suite's row is true: so many items are compared, and each of the others belongs
 * to exactly one of its exceptions, whose numbers are right.
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

/** The number of items by exception; items of none, or of several, stand by their own name. */
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
