import type { MaybeRelocatable, Relocatable } from "#engine/cairo/index.ts";
import { FeltBlock, type Felts } from "#kernels/vm/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { addressText, Cursor, firstProblemText } from "../syscall-base/cursor.ts";

const NO_FELTS: readonly Felt[] = [];

/** Longer lists are read in compact form, because they still have to be checked against a limit. */
const MAX_LIST_LENGTH = 64;

/** Reads the request of a Cairo 1 syscall; arrays are a start and an end. */
export class SyscallCursor extends Cursor {
  /** Reads an array; start and end that are equal, of any kind, denote an empty one. */
  array(): FeltBlock {
    const range = this.#range();
    if (range === undefined) return FeltBlock.EMPTY;
    const values = this.memory.readBlock(...range);
    return values ?? this.#noIntegers(range[0]);
  }

  /** Like {@link array}, but returns short arrays as plain lists. */
  list(): Felts {
    const range = this.#range();
    if (range === undefined) return NO_FELTS;
    const values =
      range[1] <= MAX_LIST_LENGTH
        ? this.memory.readFelts(...range)
        : this.memory.readBlock(...range);
    return values ?? this.#noIntegers(range[0]);
  }

  #noIntegers(start: Relocatable): FeltBlock {
    this.reject(firstProblemText(this.memory, start));
    return FeltBlock.EMPTY;
  }

  /** Start and length of an array; `undefined` if it is empty or invalid. */
  #range(): readonly [Relocatable, number] | undefined {
    const first = this.peek();
    if (first !== undefined && isSame(first, this.peek(1))) {
      this.offset += 2;
      return undefined;
    }
    const start = this.pointer();
    const end = this.pointer();
    if (this.error !== undefined) return undefined;
    const problem = differenceProblem(end, start);
    if (problem !== undefined) {
      this.reject(`Operation failed: ${addressText(end)} - ${problem}`);
      return undefined;
    }
    return [start, end.offset - start.offset];
  }
}

/** Error text for an invalid subtraction of addresses, after the minuend (cairo-vm, MathError). */
function differenceProblem(from: Relocatable, subtrahend: Relocatable): string | undefined {
  if (from.segment !== subtrahend.segment) {
    return `${addressText(subtrahend)}, can't subtract two relocatable values with different segment indexes`;
  }
  return from.offset < subtrahend.offset
    ? `${subtrahend.offset}, offsets cant be negative`
    : undefined;
}

function isSame(a: MaybeRelocatable, b: MaybeRelocatable | undefined): boolean {
  if (typeof a === "bigint" || typeof b === "bigint" || b === undefined) return a === b;
  return a.segment === b.segment && a.offset === b.offset;
}
