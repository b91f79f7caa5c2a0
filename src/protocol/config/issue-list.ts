import type { ConfigIssue } from "#base/errors/index.ts";

/**
 * Maximum number of stored findings; more are only counted. Bounds the message that a hostile file can cause.
 */
const MAX_ISSUES = 100;

/** Collects all problems of a configuration. */
export class IssueList {
  readonly issues: ConfigIssue[] = [];
  readonly #places = new Set<string>();
  #count = 0;

  /** Number of findings, including those not stored. */
  get count(): number {
    return this.#count;
  }

  /**
   * Adds a finding; only the first one per place counts.
   *
   * @param message - text or a function that builds it, called only if the finding is stored
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
