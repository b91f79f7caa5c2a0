import { CompileError } from "../../compile-error.ts";

/** Bound to the terms of paths that are compared; programs of the network's size have some thousand. */
export const PATH_TERMS = 10_000_000;

/** Bound to the terms of equations; programs of the network's size have some thousand. */
export const EQUATION_TERMS = 300_000;

/** Bound to the terms that a search goes through; such programs take up to some millions. */
export const SEARCHED_TERMS = 20_000_000;

/** Bound to the terms that a search keeps at once; such programs have some ten thousand. */
export const KEPT_TERMS = 2 ** 20;

/** A bound to the work of a part of a compilation: a hostile program could ask for hours. */
export class Effort {
  #left: number;

  /** @param limit - terms */
  constructor(limit: number) {
    this.#left = limit;
  }

  /** @throws {CompileError} SIERRA_INVALID when the bound is passed */
  spend(terms: number): void {
    this.#left -= terms;
    if (this.#left >= 0) return;
    throw new CompileError("SIERRA_INVALID", "equations of gas or of ap take too long to solve");
  }
}
