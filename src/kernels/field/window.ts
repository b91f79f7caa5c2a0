import type { Felt } from "#base/primitives/index.ts";

const LIMBS_PER_FELT = 4;

/**
 * Felts in a kernel's memory, seen from the host: four little-endian 64-bit limbs each, counted
 * from the start of the view.
 */
export class FeltWindow {
  /** The view itself, for data of other shapes. */
  readonly limbs: BigUint64Array;
  /** Felts go through a `DataView`: it takes a fraction of the array's time in this engine. */
  readonly #view: DataView;

  constructor(limbs: BigUint64Array) {
    this.limbs = limbs;
    this.#view = new DataView(limbs.buffer, limbs.byteOffset, limbs.byteLength);
  }

  /** How many felts fit. */
  get capacity(): number {
    return this.limbs.length / LIMBS_PER_FELT;
  }

  /** Writes an integer of at most 256 bits. */
  write(index: number, value: bigint): void {
    const view = this.#view;
    const at = index * 32;
    // The view keeps the low 64 bits of what it is given.
    view.setBigUint64(at, value, true);
    view.setBigUint64(at + 8, value >> 64n, true);
    view.setBigUint64(at + 16, value >> 128n, true);
    view.setBigUint64(at + 24, value >> 192n, true);
  }

  /** Writes `values[from] .. values[from + count - 1]` from `index` on. */
  writeMany(index: number, values: readonly bigint[], from: number, count: number): void {
    for (let i = 0; i < count; i++) this.write(index + i, values[from + i] ?? 0n);
  }

  /** The felt at `index`. */
  read(index: number): Felt {
    const view = this.#view;
    const at = index * 32;
    const low = (view.getBigUint64(at + 8, true) << 64n) | view.getBigUint64(at, true);
    const high = (view.getBigUint64(at + 24, true) << 64n) | view.getBigUint64(at + 16, true);
    return (high << 128n) | low;
  }
}
