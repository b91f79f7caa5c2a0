import type { MaybeRelocatable, Relocatable, VmMemory } from "#engine/cairo/index.ts";
import { FeltBlock, type Felts } from "#kernels/vm/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/** Storage keys and addresses are below 2^251. */
const KEY_BOUND = 1n << 251n;
const KEY_RANGE = `[0x0, 0x${KEY_BOUND.toString(16)})`;

const NO_FELTS: readonly Felt[] = [];

/** Longer lists have a limit to pass first. */
const MAX_LIST_LENGTH = 64;

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

  felt(): Felt {
    const address = this.position();
    this.offset++;
    const value = this.memory.readFelt(address);
    if (value !== undefined) return value;
    return this.#fail(
      this.memory.read(address) === undefined
        ? `Unknown memory cell at address ${text(address)}`
        : `Expected integer at address ${text(address)}`,
    );
  }

  /** A felt below 2^251: a contract address or a storage key. */
  key(): Felt {
    const value = this.felt();
    return value < KEY_BOUND ? value : this.#fail(`Out of range ${KEY_RANGE}.`);
  }

  pointer(): Relocatable {
    const address = this.position();
    this.offset++;
    const value = this.memory.read(address);
    if (typeof value === "object") return value;
    this.#fail(
      value === undefined
        ? `Unknown memory cell at address ${text(address)}`
        : `Expected relocatable at address ${text(address)}`,
    );
    return address;
  }

  /** An array given by its start and end; equal values of any kind mean that it is empty. */
  array(): FeltBlock {
    const range = this.#range();
    if (range === undefined) return FeltBlock.EMPTY;
    const values = this.memory.readBlock(...range);
    return values ?? this.#noIntegers(range[0]);
  }

  /** As {@link array}, for what stays as a list where it is not too long. */
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
    this.#fail(`Expected integers at address ${text(start)}`);
    return FeltBlock.EMPTY;
  }

  /** Start and length of an array that is not empty. */
  #range(): readonly [Relocatable, number] | undefined {
    const first = this.memory.read(this.position());
    const second = this.memory.read({ segment: this.segment, offset: this.offset + 1 });
    if (first !== undefined && isSame(first, second)) {
      this.offset += 2;
      return undefined;
    }
    const start = this.pointer();
    const end = this.pointer();
    if (this.error !== undefined) return undefined;
    if (start.segment !== end.segment || end.offset < start.offset) {
      this.#fail(`Cannot subtract ${text(start)} from ${text(end)}`);
      return undefined;
    }
    return [start, end.offset - start.offset];
  }

  /** Makes reading fail for another reason. */
  reject(message: string): void {
    this.#fail(message);
  }

  #fail(message: string): Felt {
    this.error ??= message;
    return 0n;
  }
}

function text(address: Relocatable): string {
  return `${address.segment}:${address.offset}`;
}

function isSame(a: MaybeRelocatable, b: MaybeRelocatable | undefined): boolean {
  if (typeof a === "bigint" || typeof b === "bigint" || b === undefined) return a === b;
  return a.segment === b.segment && a.offset === b.offset;
}
