import { invariant } from "#base/errors/index.ts";

/** Digits in a block's key. Zero padding makes the text order of keys the block order. */
const DIGITS = 12;

/** Prefix of the object-store keys of block bundles. */
export const BLOCKS = "blocks/";

/** Object-store key of the {@link LeaderRecord}: which sequencer makes the chain's blocks. */
export const LEADER = "leader";

/** Object-store key of the {@link ChainRecord}: which chain the store belongs to. */
export const CHAIN = "chain";

/** Largest block number that fits in a key. */
const MAX_NUMBER = 10 ** DIGITS - 1;

/** Returns the key of a block's bundle, such as `blocks/000000000042`. */
export function blockKey(blockNumber: number): string {
  invariant(blockNumber >= 0 && blockNumber <= MAX_NUMBER, "a block's number has a key");
  return BLOCKS + String(blockNumber).padStart(DIGITS, "0");
}

/** Returns the number of the block whose bundle has this key; `undefined` for any other key. */
export function blockOfKey(key: string): number | undefined {
  const text = key.startsWith(BLOCKS) ? key.slice(BLOCKS.length) : "";
  return /^\d{12}$/.test(text) ? Number(text) : undefined;
}
