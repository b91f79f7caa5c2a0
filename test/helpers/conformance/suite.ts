/** Some items of a suite with the reason why they are an exception. */
export interface Exception {
  readonly what: string;
  /** Names of the items, as the suite's test finds them. */
  readonly items: RegExp;
  readonly count: number;
  readonly reason: string;
}

/** What a conformance test compares with data that others made, and what it does not. */
export interface Suite {
  readonly title: string;
  /** Test file, relative to the root; it checks the numbers where the fixtures are. */
  readonly test: string;
  /** Whose data it is. */
  readonly against: string;
  /** What is counted, in the plural. */
  readonly unit: string;
  readonly compared: number;
  /** Not compared at all. */
  readonly leftOut: readonly Exception[];
  /** Compared, but for a part of the item. */
  readonly inPart: readonly Exception[];
}

/** Sum of the exceptions' counts. */
export function countOf(exceptions: readonly Exception[]): number {
  return exceptions.reduce((sum, { count }) => sum + count, 0);
}
