import type { BlockInfo, StateDiff } from "#protocol/chain/index.ts";
import { EMPTY_STATE_DIFF } from "#protocol/chain/index.ts";
import type { StoredChainReader } from "#io/storage/index.ts";
import type { SyncSettings } from "../settings.ts";

/**
 * Returns the state change that a block makes before its first transaction: it stores the hash of the block
 * ten before it, for `get_block_hash`. Gateways report only the changes of transactions, so responses about
 * pre-confirmed blocks do not contain it.
 *
 * Source: Starknet docs, "get_block_hash".
 */
export function blockHashesChange(
  chain: Pick<StoredChainReader, "ancestorHeader">,
  { number, protocolVersion }: Pick<BlockInfo, "number" | "protocolVersion">,
  blockHashes: SyncSettings["blockHashes"],
): StateDiff {
  const { distance, contractAddress } = blockHashes(protocolVersion);
  const old = number < distance ? undefined : chain.ancestorHeader(number - distance);
  if (old === undefined) return EMPTY_STATE_DIFF;
  const entry = new Map([[BigInt(old.number), old.hash]]);
  return { ...EMPTY_STATE_DIFF, storageDiffs: new Map([[contractAddress, entry]]) };
}
