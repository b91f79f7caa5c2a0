import type { StoredChainReader } from "#io/storage/index.ts";
import type { OtherBranchDeps } from "./other-branch.ts";
import type { BlockReference, CheckedBlock } from "./ports.ts";
import { refuse } from "./refusal.ts";

/** Dependencies of {@link commonEpoch}. */
export interface OtherEpochsDeps extends Pick<OtherBranchDeps, "blocks" | "publicKey"> {
  readonly chain: Pick<StoredChainReader, "epoch" | "header" | "l1AcceptedNumber" | "oldestBlock">;
}

/**
 * Resolves a conflict of epochs when a block has a lower one than the newest stored block. No hash covers
 * epochs: the source may have reported one that was too high, and the chain would be stuck forever. The
 * stored blocks are requested again, from the newest down to the first whose reported epoch equals the stored
 * one.
 *
 * @param block - block with the lower epoch, next after the newest stored one
 * @returns the newest stored block whose epoch is confirmed; the blocks above it must be fetched again
 * @throws {BlockRefused} `epoch` when the source confirms all epochs, or blocks that cannot be reverted are
 * affected
 */
export async function commonEpoch(
  { blocks, chain, publicKey }: OtherEpochsDeps,
  { number: refused, epoch }: CheckedBlock,
): Promise<BlockReference> {
  const newest = refused - 1;
  const floor = Math.max(chain.l1AcceptedNumber() ?? -1, chain.oldestBlock());
  for (let number = newest; number >= floor; number--) {
    const hash = chain.header(number)?.hash;
    const reported = await blocks.get(number, publicKey, () => undefined);
    if (hash === undefined || reported?.hash !== hash) break;
    if (reported.epoch !== chain.epoch(number)) continue;
    if (number === newest) break;
    return { number, hash };
  }
  const before = chain.epoch(newest) ?? 0;
  return refuse("epoch", refused, `epoch: ${epoch}, after ${before} of the block before`);
}
