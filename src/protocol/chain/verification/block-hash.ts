import type { Felt } from "#base/primitives/index.ts";
import { blockHash, firstEraBlockHash, type UnhashedHeader } from "../block-hash.ts";
import type { BlockHeader } from "../block.ts";
import { isFirstEra, isUnversioned, UNNAMED_SEQUENCER } from "./early-blocks.ts";
import { type Mismatch, mismatchOf } from "./mismatch.ts";

/**
 * Verifies a block's hash by the rule of its era. Mainnet blocks below 833 use the rule of the first era.
 * Mainnet blocks that do not name their sequencer (address 0) have it in their hash.
 *
 * @param header - with commitments computed from the block's contents, or reported by a trusted source
 */
export function blockHashMismatch(header: BlockHeader, chainId: Felt): Mismatch | undefined {
  const expected = blockHash(header);
  if (expected === header.hash || hashesOfEra(header, chainId).includes(header.hash)) {
    return undefined;
  }
  return mismatchOf("block_hash", "hash", expected, header.hash);
}

/** Alternatives to `blockHash` that the block may have. */
function hashesOfEra(header: UnhashedHeader, chainId: Felt): readonly Felt[] {
  const { number, protocolVersion, sequencerAddress } = header;
  if (isFirstEra(chainId, number)) return [firstEraBlockHash(header, chainId)];
  if (sequencerAddress !== 0n || !isUnversioned(chainId, protocolVersion)) return [];
  return [blockHash({ ...header, sequencerAddress: UNNAMED_SEQUENCER })];
}
