import type { MaybeRelocatable, Relocatable, VmMemory } from "#engine/cairo/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/** Storage keys and addresses are below 2^251. */
const KEY_BOUND = 1n << 251n;
const KEY_RANGE = `[0x0, 0x${KEY_BOUND.toString(16)})`;

/**
 * Reads a syscall's request cell by cell. The first wrong cell sets {@link error} and makes all later
 * reads return 0: the caller looks at it once, after reading everything.
 */
export class Cursor {
  readonly memory: VmMemory;
  readonly segment: number;
  offset: number;
  /** Text of the first error. */
  error: string | undefined;

  constructor(memory: VmMemory, start: Relocatable) {
    this.memory = memory;
    this.segment = start.segment;
    this.offset = start.offset;
  }

  /** The address of the next cell. */
  position(): Relocatable {
    return { segment: this.segment, offset: this.offset };
  }

  /** An integer. */
  felt(): Felt {
    const address = this.position();
    this.offset++;
    const value = this.memory.readFelt(address);
    if (value !== undefined) return value;
    this.reject(noIntegerText(this.memory.read(address), address));
    return 0n;
  }

  /** A felt below 2^251: a contract address or a storage key. */
  key(): Felt {
    const value = this.felt();
    if (value < KEY_BOUND) return value;
    this.reject(`Out of range ${KEY_RANGE}.`);
    return 0n;
  }

  /** An address in the machine's memory. */
  pointer(): Relocatable {
    const address = this.position();
    this.offset++;
    const value = this.memory.read(address);
    if (typeof value === "object") return value;
    this.reject(
      value === undefined
        ? unknownCellText(address)
        : `Expected relocatable at address ${addressText(address)}`,
    );
    return address;
  }

  /** Makes reading fail; the first reason stays. */
  reject(message: string): void {
    this.error ??= message;
  }
}

/** An address as error texts show it. */
export function addressText(address: Relocatable): string {
  return `${address.segment}:${address.offset}`;
}

/** What is wrong with a cell that should be an integer and has this value. */
export function noIntegerText(value: MaybeRelocatable | undefined, address: Relocatable): string {
  return value === undefined
    ? unknownCellText(address)
    : `Expected integer at address ${addressText(address)}`;
}

/** Cells that are looked at together. */
const PART_CELLS = 4096;

/**
 * Text of the first cell that is no integer, of a range that has one; ranges end where nothing is
 * written.
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
