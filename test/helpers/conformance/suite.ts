/** Items of a conformance suite that are not compared in full, with the reason. */
export interface Exception {
  readonly what: string;
  /** Matches the items' names in the suite's test. */
  readonly items: RegExp;
  readonly count: number;
  readonly reason: string;
}

/** A comparison of a conformance test with external data, and its exceptions. */
export interface Suite {
  readonly title: string;
  /** Test file, relative to the root; it checks the numbers if the fixtures are available. */
  readonly test: string;
  /** Source of the data. */
  readonly against: string;
  /** Counted items, in the plural. */
  readonly unit: string;
  readonly compared: number;
  /** Items that are not compared. */
  readonly leftOut: readonly Exception[];
  /** Items of which a part is not compared. */
  readonly inPart: readonly Exception[];
}

/** Sum of the exceptions' counts. */
export function countOf(exceptions: readonly Exception[]): number {
  return exceptions.reduce((sum, { count }) => sum + count, 0);
}
