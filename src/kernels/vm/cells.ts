import { type Felt } from "#primitives/index.ts";

/** An address in a frame of the machine: segments count from 0 in each frame. */
export interface Address {
  readonly segment: number;
  readonly offset: number;
}

/** The content of a cell; `undefined` when unwritten. */
export type CellValue = Felt | Address | undefined;

const KNOWN = 1n << 63n;
const ADDRESS = 1n << 62n;
const VALUE = (1n << 60n) - 1n;
const LIMB = (1n << 64n) - 1n;

/**
 * Reads a cell (layout: assembly/layout.ts).
 *
 * @param limbs - view of the memory as 64-bit limbs
 * @param index - index of the cell's first limb
 */
export function readCell(limbs: BigUint64Array, index: number): CellValue {
  const top = limbs[index + 3] as bigint;
  if (top < KNOWN) return undefined;
  const low = limbs[index] as bigint;
  if ((top & ADDRESS) !== 0n) {
    return { segment: Number(limbs[index + 1] as bigint), offset: Number(low) };
  }
  const high = top & VALUE;
  const middle = limbs[index + 2] as bigint;
  if (high === 0n && middle === 0n) {
    const second = limbs[index + 1] as bigint;
    return second === 0n ? low : (second << 64n) | low;
  }
  return (((((high << 64n) | middle) << 64n) | (limbs[index + 1] as bigint)) << 64n) | low;
}

/** Writes an integer cell; `value` must be canonical. */
export function writeFeltCell(limbs: BigUint64Array, index: number, value: Felt): void {
  limbs[index] = value & LIMB;
  if (value <= LIMB) {
    limbs[index + 1] = 0n;
    limbs[index + 2] = 0n;
    limbs[index + 3] = KNOWN;
    return;
  }
  limbs[index + 1] = (value >> 64n) & LIMB;
  limbs[index + 2] = (value >> 128n) & LIMB;
  limbs[index + 3] = (value >> 192n) | KNOWN;
}

/** Writes an address cell. */
export function writeAddressCell(limbs: BigUint64Array, index: number, address: Address): void {
  limbs[index] = BigInt(address.offset);
  limbs[index + 1] = BigInt(address.segment);
  limbs[index + 2] = 0n;
  limbs[index + 3] = KNOWN | ADDRESS;
}
