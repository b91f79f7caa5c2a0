import { FeltBlock } from "#kernels/vm/index.ts";
import { Cursor, firstProblemText } from "../syscall-base/cursor.ts";

/** Reads the request of a Cairo 0 syscall; arrays are a length and a pointer. */
export class DeprecatedCursor extends Cursor {
  /** Reads an array; the pointer of an empty one is not validated. */
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
    this.reject(firstProblemText(this.memory, start));
    return FeltBlock.EMPTY;
  }
}
