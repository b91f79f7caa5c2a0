import type { StoredChainReader } from "#io/storage/index.ts";
import type { OtherBranchDeps } from "./other-branch.ts";
import type { BlockReference, CheckedBlock } from "./ports.ts";
import { refuse } from "./refusal.ts";

/** What epochs are compared with. */
export interface OtherEpochsDeps extends Pick<OtherBranchDeps, "blocks" | "publicKey"> {
  readonly chain: Pick<StoredChainReader, "epoch" | "header" | "l1AcceptedNumber" | "oldestBlock">;
}

/**
 * Finds out whose epoch is wrong when a block has a lower one than the newest stored block. No hash covers
 * it: a source may have told too high a one before, and the chain would stand still for ever. The source is
 * asked again for the stored blocks, from the newest one down to the first whose epoch it still tells.
 *
 * @param block - the one with the lower epoch, behind the newest stored one
 * @returns the newest stored block whose epoch is told as it is stored: those above it are to be taken anew
 * @throws {BlockRefused} `epoch` when the source tells all as it did, or blocks that cannot be taken back
 */
export async function commonEpoch(
  { blocks, chain, publicKey }: OtherEpochsDeps,
  { number: refused, epoch }: CheckedBlock,
): Promise<BlockReference> {
  const newest = refused - 1;
  const floor = Math.max(chain.l1AcceptedNumber() ?? -1, chain.oldestBlock());
  for (let number = newest; number >= floor; number--) {
    const hash = chain.header(number)?.hash;
    const told = await blocks.get(number, publicKey, () => undefined);
    if (hash === undefined || told?.hash !== hash) break;
    if (told.epoch !== chain.epoch(number)) continue;
    if (number === newest) break;
    return { number, hash };
  }
  const before = chain.epoch(newest) ?? 0;
  return refuse("epoch", refused, `epoch: ${epoch}, after ${before} of the block before`);
}
