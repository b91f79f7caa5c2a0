import type { Felt } from "#base/primitives/index.ts";

const LIMBS_PER_FELT = 4;

/**
 * Felts in a kernel's memory, accessed from the host: four little-endian 64-bit limbs each, indexed from the
 * start of the view.
 */
export class FeltWindow {
  /** Raw view, for data of other shapes. */
  readonly limbs: BigUint64Array;
  /** A `DataView` takes a fraction of the typed array's time in this engine. */
  readonly #view: DataView;

  constructor(limbs: BigUint64Array) {
    this.limbs = limbs;
    this.#view = new DataView(limbs.buffer, limbs.byteOffset, limbs.byteLength);
  }

  get capacity(): number {
    return this.limbs.length / LIMBS_PER_FELT;
  }

  /** Writes an integer of at most 256 bits. */
  write(index: number, value: bigint): void {
    const view = this.#view;
    const at = index * 32;
    // A DataView stores only the low 64 bits of a bigint.
    view.setBigUint64(at, value, true);
    view.setBigUint64(at + 8, value >> 64n, true);
    view.setBigUint64(at + 16, value >> 128n, true);
    view.setBigUint64(at + 24, value >> 192n, true);
  }

  /** Writes `values[from] .. values[from + count - 1]` to `index` and following. */
  writeMany(index: number, values: readonly bigint[], from: number, count: number): void {
    for (let i = 0; i < count; i++) this.write(index + i, values[from + i] ?? 0n);
  }

  read(index: number): Felt {
    const view = this.#view;
    const at = index * 32;
    const low = (view.getBigUint64(at + 8, true) << 64n) | view.getBigUint64(at, true);
    const high = (view.getBigUint64(at + 24, true) << 64n) | view.getBigUint64(at + 16, true);
    return (high << 128n) | low;
  }
}
