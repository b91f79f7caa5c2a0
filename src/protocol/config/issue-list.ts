import type { ConfigIssue } from "#base/errors/index.ts";

/** Findings that are kept; more are counted. Bounds what a hostile file can make of a message. */
const MAX_ISSUES = 100;

/** Collects everything that is wrong with a configuration. */
export class IssueList {
  readonly issues: ConfigIssue[] = [];
  readonly #places = new Set<string>();
  #count = 0;

  /** How many findings there are, also those that are not kept. */
  get count(): number {
    return this.#count;
  }

  /**
   * Adds a finding; of several at one place only the first counts.
   *
   * @param message - or how to make it: not called for a finding that is not kept
   */
  add(path: string, line: number, message: string | (() => string)): void {
    const place = `${line} ${path}`;
    if (this.#places.has(place)) return;
    this.#count++;
    if (this.issues.length >= MAX_ISSUES) return;
    this.#places.add(place);
    this.issues.push({ path, line, message: typeof message === "string" ? message : message() });
  }
}
