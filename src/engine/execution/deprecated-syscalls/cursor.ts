import { FeltBlock } from "#kernels/vm/index.ts";
import { Cursor, noIntegerText } from "../syscall-base/cursor.ts";

/** Reads the request of a syscall of Cairo 0: arrays are a length and a pointer. */
export class DeprecatedCursor extends Cursor {
  /** An array; the pointer of an empty one may be anything. */
  sizedArray(): FeltBlock {
    const size = this.felt();
    if (this.error !== undefined) return FeltBlock.EMPTY;
    if (size === 0n) {
      this.offset++;
      return FeltBlock.EMPTY;
    }
    const start = this.pointer();
    if (this.error !== undefined) return FeltBlock.EMPTY;
    if (size >= 1n << 64n) {
      this.reject("out of range conversion regarding big integer attempted");
      return FeltBlock.EMPTY;
    }
    const values = size < 1n << 32n ? this.memory.readBlock(start, Number(size)) : undefined;
    if (values !== undefined) return values;
    this.reject(this.#firstProblem(start.segment, start.offset));
    return FeltBlock.EMPTY;
  }

  /** Text of the first cell of a range that is no integer; ranges end where nothing is written. */
  #firstProblem(segment: number, start: number): string {
    for (let offset = start; ; offset++) {
      const address = { segment, offset };
      const value = this.memory.read(address);
      if (typeof value !== "bigint") return noIntegerText(value, address);
    }
  }
}
