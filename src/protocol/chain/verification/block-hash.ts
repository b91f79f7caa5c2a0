import type { Felt } from "#base/primitives/index.ts";
import { blockHash, firstEraBlockHash, type UnhashedHeader } from "../block-hash.ts";
import type { BlockHeader } from "../block.ts";
import { isFirstEra, isUnversioned, UNNAMED_SEQUENCER } from "./early-blocks.ts";
import { type Mismatch, mismatchOf } from "./mismatch.ts";

/**
 * Verifies a block's hash by the rule of its era. Mainnet's blocks below 833 have one of the first era,
 * and those of its blocks that do not name their sequencer (address 0) have it in their hash.
 *
 * @param header - with the commitments that were computed from the block's contents, or those told by
 *   whoever is trusted with them
 */
export function blockHashMismatch(header: BlockHeader, chainId: Felt): Mismatch | undefined {
  const expected = blockHash(header);
  if (expected === header.hash || hashesOfEra(header, chainId).includes(header.hash)) {
    return undefined;
  }
  return mismatchOf("block_hash", "hash", expected, header.hash);
}

/** Hashes that the block may have beside that of `blockHash`. */
function hashesOfEra(header: UnhashedHeader, chainId: Felt): readonly Felt[] {
  const { number, protocolVersion, sequencerAddress } = header;
  if (isFirstEra(chainId, number)) return [firstEraBlockHash(header, chainId)];
  if (sequencerAddress !== 0n || !isUnversioned(chainId, protocolVersion)) return [];
  return [blockHash({ ...header, sequencerAddress: UNNAMED_SEQUENCER })];
}
