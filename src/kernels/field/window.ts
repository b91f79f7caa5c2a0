import type { Felt } from "#primitives/index.ts";

const LIMBS_PER_FELT = 4;
const LIMB_BITS = 64n;

/**
 * Felts in a kernel's memory, seen from the host: four little-endian 64-bit limbs each, counted
 * from the start of the view.
 */
export class FeltWindow {
  /** The view itself, for data of other shapes. */
  readonly limbs: BigUint64Array;

  constructor(limbs: BigUint64Array) {
    this.limbs = limbs;
  }

  /** How many felts fit. */
  get capacity(): number {
    return this.limbs.length / LIMBS_PER_FELT;
  }

  /** Writes an integer of at most 256 bits. */
  write(index: number, value: bigint): void {
    const { limbs } = this;
    const at = index * LIMBS_PER_FELT;
    // The array keeps the low 64 bits of what it is given.
    limbs[at] = value;
    const rest = value >> LIMB_BITS;
    limbs[at + 1] = rest;
    if (rest === 0n) {
      limbs[at + 2] = 0n;
      limbs[at + 3] = 0n;
      return;
    }
    const upper = rest >> LIMB_BITS;
    limbs[at + 2] = upper;
    limbs[at + 3] = upper >> LIMB_BITS;
  }

  /** Writes `values[from] .. values[from + count - 1]` from `index` on. */
  writeMany(index: number, values: readonly bigint[], from: number, count: number): void {
    for (let i = 0; i < count; i++) this.write(index + i, values[from + i] ?? 0n);
  }

  /** The felt at `index`. */
  read(index: number): Felt {
    const { limbs } = this;
    const at = index * LIMBS_PER_FELT;
    const low = ((limbs[at + 1] ?? 0n) << LIMB_BITS) | (limbs[at] ?? 0n);
    const high = ((limbs[at + 3] ?? 0n) << LIMB_BITS) | (limbs[at + 2] ?? 0n);
    return (high << 128n) | low;
  }
}
