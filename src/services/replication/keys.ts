import { invariant } from "#base/errors/index.ts";

/** Digits of a block's key: keys in the order of their text are blocks in their order. */
const DIGITS = 12;

/** Below it, a bundle for each block. */
export const BLOCKS = "blocks/";

/** Who makes the chain's blocks: a {@link LeaderRecord}. */
export const LEADER = "leader";

/** Which chain the store is of: a {@link ChainRecord}. */
export const CHAIN = "chain";

/** Largest number that a key has room for. */
const MAX_NUMBER = 10 ** DIGITS - 1;

/** The key of a block's bundle: `blocks/000000000042`. */
export function blockKey(blockNumber: number): string {
  invariant(blockNumber >= 0 && blockNumber <= MAX_NUMBER, "a block's number has a key");
  return BLOCKS + String(blockNumber).padStart(DIGITS, "0");
}

/** The block whose bundle a key is of; `undefined`: of none. */
export function blockOfKey(key: string): number | undefined {
  const text = key.startsWith(BLOCKS) ? key.slice(BLOCKS.length) : "";
  return /^\d{12}$/.test(text) ? Number(text) : undefined;
}
