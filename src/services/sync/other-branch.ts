import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { StoredChainReader } from "#io/storage/index.ts";
import type { CheckedBlocks } from "./checked-blocks.ts";
import type { BlockReference, CheckedBlock } from "./ports.ts";
import { refuse } from "./refusal.ts";

/** Maximum number of blocks of the other branch fetched concurrently. */
export const MAX_BRANCH_BLOCKS = 8;

/** Dependencies of {@link commonBlock}. */
export interface OtherBranchDeps {
  readonly blocks: Pick<CheckedBlocks, "get">;
  readonly chain: Pick<StoredChainReader, "header" | "l1AcceptedNumber" | "oldestBlock">;
  /** Public key of the block signer. */
  readonly publicKey: Felt;
  /** Name of the source in messages. */
  readonly sourceName: string;
}

/**
 * Follows another branch down to its common ancestor with the stored chain. Each block is verified, and must
 * have the hash that the block above names as parent: unsigned data cannot cause a revert. Only the hash of
 * the next block is kept.
 *
 * @param top - block that the stored chain does not have, although it has one of that number
 * @returns the common ancestor
 * @throws {BlockRefused} when the branch is not one chain of valid blocks, leaves the stored chain below its
 * newest ACCEPTED_ON_L1 block, or starts with another first block
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
      // A block that is needed throws its error where it is awaited below; errors of the others have no effect.
      block.catch(() => undefined);
      ahead.set(next, block);
    }
    const block = await ahead.get(number);
    ahead.delete(number);
    if (block === undefined) {
      refuse(
        "parent_hash",
        number,
        `${sourceName} names block ${hexFromFelt(hash)}, but does not have it`,
      );
    }
    if (block.hash !== hash) {
      const found = `${hexFromFelt(hash)} is named as parent, but block ${number} is ${hexFromFelt(block.hash)}`;
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
  const floor = `block ${number} is ACCEPTED_ON_L1 and is never reverted`;
  refuse("parent_hash", number, `${floor}: ${sourceName} has ${hexFromFelt(hash)} in its place`);
}
