/** A place where parts are put together, and how it looks when that is done wrong. */
export interface Wire {
  /** What is wrong when it is broken. */
  readonly fault: string;
  /** Below the repository's root. */
  readonly file: string;
  /** Stands in the file once. */
  readonly text: string;
  /** What stands there instead; its types are right, or the compiler would be the one to notice. */
  readonly broken: string;
  /**
   * Files of tests that are to notice. Those of `test/e2e` stand alone: they run against a program
   * that is built from the broken code, which takes longer.
   */
  readonly tests: readonly string[];
}

/** Whether only a whole program can notice it. */
export function isEndToEnd({ tests }: Wire): boolean {
  return tests.some((path) => path.startsWith("test/e2e/"));
}
