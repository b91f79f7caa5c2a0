/** A place that connects parts of the program, with a wrong version of it. */
export interface Wire {
  /** Fault of the program while the wire is broken. */
  readonly fault: string;
  /** Path below the repository's root. */
  readonly file: string;
  /** Original text, which occurs once in the file. */
  readonly text: string;
  /** Replacement; its types are right, because otherwise the compiler would notice it. */
  readonly broken: string;
  /**
   * Test files that must notice the fault. A file of `test/e2e` is the only one in its list: it runs against a
   * program that is built from the broken code, which takes longer.
   */
  readonly tests: readonly string[];
}

/** Whether only end-to-end tests can notice it. */
export function isEndToEnd({ tests }: Wire): boolean {
  return tests.some((path) => path.startsWith("test/e2e/"));
}
