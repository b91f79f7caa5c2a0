import type { MaybeRelocatable, Relocatable, VmMemory } from "#engine/cairo/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/** Exclusive bound of storage keys and addresses. */
const KEY_BOUND = 1n << 251n;
const KEY_RANGE = `[0x0, 0x${KEY_BOUND.toString(16)})`;

/** Cells read in one step: more than most requests have. */
const READ_AHEAD = 8;

/**
 * Reads a syscall's request cell by cell. The first invalid cell sets {@link error}, and all later reads
 * return 0. Callers check it once, after reading everything.
 */
export class Cursor {
  readonly memory: VmMemory;
  readonly segment: number;
  offset: number;
  /** Text of the first error. */
  error: string | undefined;
  readonly #start: number;
  /**
   * First cells of the request. They can be read ahead: nothing writes to a request while it is read, and a
   * request never starts close to the last address.
   */
  readonly #cells: readonly (MaybeRelocatable | undefined)[];

  constructor(memory: VmMemory, start: Relocatable) {
    this.memory = memory;
    this.segment = start.segment;
    this.offset = start.offset;
    this.#start = start.offset;
    this.#cells = memory.readMany(start, READ_AHEAD);
  }

  position(): Relocatable {
    return { segment: this.segment, offset: this.offset };
  }

  /** Value of a cell, by its distance from the next one. */
  protected peek(distance = 0): MaybeRelocatable | undefined {
    const offset = this.offset + distance;
    const at = offset - this.#start;
    return at < READ_AHEAD ? this.#cells[at] : this.memory.read({ segment: this.segment, offset });
  }

  felt(): Felt {
    const value = this.peek();
    if (typeof value === "bigint") {
      this.offset++;
      return value;
    }
    this.reject(noIntegerText(value, this.position()));
    this.offset++;
    return 0n;
  }

  /** Reads a felt below 2^251: a contract address or a storage key. */
  key(): Felt {
    const value = this.felt();
    if (value < KEY_BOUND) return value;
    this.reject(`Out of range ${KEY_RANGE}.`);
    return 0n;
  }

  /** Reads an address in the machine's memory. */
  pointer(): Relocatable {
    const value = this.peek();
    if (typeof value === "object") {
      this.offset++;
      return value;
    }
    const address = this.position();
    this.reject(
      value === undefined
        ? unknownCellText(address)
        : `Expected relocatable at address ${addressText(address)}`,
    );
    this.offset++;
    return address;
  }

  /** Records an error; the first one is kept. */
  reject(message: string): void {
    this.error ??= message;
  }
}

/** Formats an address for error texts. */
export function addressText(address: Relocatable): string {
  return `${address.segment}:${address.offset}`;
}

/** Error text for a cell that should be an integer and has this value. */
export function noIntegerText(value: MaybeRelocatable | undefined, address: Relocatable): string {
  return value === undefined
    ? unknownCellText(address)
    : `Expected integer at address ${addressText(address)}`;
}

/** Cells checked in one step. */
const PART_CELLS = 4096;

/**
 * Error text for the first non-integer cell of a range that has one; a range ends at the first unwritten
 * cell.
 */
export function firstProblemText(memory: VmMemory, { segment, offset }: Relocatable): string {
  let at = offset;
  for (;;) {
    const part = memory.readBlock({ segment, offset: at }, PART_CELLS);
    if (part === undefined) break;
    part.release();
    memory.pause();
    at += PART_CELLS;
  }
  for (; ; at++) {
    const value = memory.read({ segment, offset: at });
    if (typeof value !== "bigint") return noIntegerText(value, { segment, offset: at });
  }
}

function unknownCellText(address: Relocatable): string {
  return `Unknown memory cell at address ${addressText(address)}`;
}
