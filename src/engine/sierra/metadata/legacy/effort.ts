import { CompileError } from "../../compile-error.ts";

/** Maximum terms of compared paths; programs on networks have a few thousand. */
export const PATH_TERMS = 10_000_000;

/** Maximum terms of equations; programs on networks have a few thousand. */
export const EQUATION_TERMS = 300_000;

/** Maximum terms that a search visits; programs on networks need up to a few million. */
export const SEARCHED_TERMS = 20_000_000;

/** Maximum terms that a search holds at the same time; programs on networks need some ten thousand. */
export const KEPT_TERMS = 2 ** 20;

/** Work limit for a part of a compilation: a malicious program could require hours. */
export class Effort {
  #left: number;

  /** @param limit - maximum number of terms */
  constructor(limit: number) {
    this.#left = limit;
  }

  /** @throws {CompileError} SIERRA_INVALID when the limit is exceeded */
  spend(terms: number): void {
    this.#left -= terms;
    if (this.#left >= 0) return;
    throw new CompileError("SIERRA_INVALID", "equations of gas or of ap take too long to solve");
  }
}
