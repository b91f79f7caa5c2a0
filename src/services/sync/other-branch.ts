import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { StoredChainReader } from "#io/storage/index.ts";
import type { CheckedBlocks } from "./checked-blocks.ts";
import type { BlockReference, CheckedBlock } from "./ports.ts";
import { refuse } from "./refusal.ts";

/** Blocks of the other branch that are fetched at a time. */
export const MAX_BRANCH_BLOCKS = 8;

/** What another branch is followed down with. */
export interface OtherBranchDeps {
  readonly blocks: Pick<CheckedBlocks, "get">;
  readonly chain: Pick<StoredChainReader, "header" | "l1AcceptedNumber" | "oldestBlock">;
  /** Of the key that signs blocks. */
  readonly publicKey: Felt;
  /** What messages call the source. */
  readonly sourceName: string;
}

/**
 * Follows another branch from a block of it down to the newest block that the stored chain has too. Each
 * block is checked, and has the hash that the one above it names: what nobody signed takes back nothing.
 * Of the blocks only the hash of the next one is kept.
 *
 * @param top - a block that the stored chain does not have, by a number that it has
 * @returns the common block
 * @throws {BlockRefused} when the branch is not one chain of right blocks, leaves the stored one below
 *   its newest block that is ACCEPTED_ON_L1, or begins with another first block
 */
export async function commonBlock(
  deps: OtherBranchDeps,
  top: BlockReference,
): Promise<BlockReference> {
  const { blocks, chain, publicKey, sourceName } = deps;
  const settled = chain.l1AcceptedNumber() ?? -1;
  const oldest = chain.oldestBlock();
  const ahead = new Map<number, Promise<CheckedBlock | undefined>>();
  let { number, hash } = top;
  for (; chain.header(number)?.hash !== hash; number--) {
    requireBelow(number, hash, settled, sourceName);
    if (number <= oldest) {
      const floor = `this chain was made from a snapshot and begins with block ${oldest}`;
      refuse(
        "parent_hash",
        number,
        `${floor}: ${sourceName} has ${hexFromFelt(hash)} in its place`,
      );
    }
    for (let next = number; next > number - MAX_BRANCH_BLOCKS && next > settled; next--) {
      if (next < 0 || ahead.has(next)) continue;
      const block = blocks.get(next, publicKey, () => undefined);
      // Of those that are not come to nobody wants the error.
      block.catch(() => undefined);
      ahead.set(next, block);
    }
    const block = await ahead.get(number);
    ahead.delete(number);
    if (block === undefined) {
      refuse("parent_hash", number, `${sourceName} names block ${hexFromFelt(hash)} and has none`);
    }
    if (block.hash !== hash) {
      const found = `${hexFromFelt(hash)} is named, and block ${number} is ${hexFromFelt(block.hash)}`;
      refuse("parent_hash", number, `another branch is not one chain: ${found}`);
    }
    hash = block.parentHash;
  }
  return { number, hash };
}

function requireBelow(number: number, hash: Felt, settled: number, sourceName: string): void {
  if (number === 0) {
    refuse("genesis", 0, `genesis: block 0 of ${sourceName} is ${hexFromFelt(hash)}, not ours`);
  }
  if (number > settled) return;
  const floor = `block ${number} is ACCEPTED_ON_L1 and is never taken back`;
  refuse("parent_hash", number, `${floor}: ${sourceName} has ${hexFromFelt(hash)} in its place`);
}
