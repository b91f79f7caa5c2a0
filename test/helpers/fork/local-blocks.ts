import { resultOf, type RunningChain } from "../binary.ts";

/** Contract in whose storage the protocol keeps the hashes of older blocks. */
const BLOCK_HASHES = "0x1";

interface BlockWithReceipts {
  readonly timestamp: number;
  readonly starknet_version: string;
  readonly transactions: readonly { readonly receipt: object }[];
}

interface Update {
  readonly state_diff: {
    readonly storage_diffs: readonly StorageDiff[];
  };
}

interface StorageDiff {
  readonly address: string;
  readonly storage_entries: readonly { readonly key: string }[];
}

/**
 * Blocks with transactions, receipts and state diffs, but without block hashes and roots: the parts
 * that are equal on two chains of different history that executed the same transactions.
 */
export async function localBlocks(
  chain: Pick<RunningChain, "url">,
  numbers: readonly number[],
): Promise<unknown[]> {
  const blocks: unknown[] = [];
  for (const block_number of numbers) {
    const id = [{ block_number }];
    const block = await resultOf<BlockWithReceipts>(chain, "starknet_getBlockWithReceipts", id);
    const update = await resultOf<Update>(chain, "starknet_getStateUpdate", id);
    const { timestamp, starknet_version, transactions } = block;
    const diff = { ...update.state_diff, storage_diffs: sorted(update.state_diff.storage_diffs) };
    blocks.push({ block_number, timestamp, starknet_version, transactions, diff });
  }
  return blocks;
}

function sorted(diffs: readonly StorageDiff[]): StorageDiff[] {
  return diffs
    .filter(({ address }) => address !== BLOCK_HASHES)
    .map(({ address, storage_entries }) => ({
      address,
      storage_entries: storage_entries.toSorted((a, b) => (a.key < b.key ? -1 : 1)),
    }))
    .toSorted((a, b) => (a.address < b.address ? -1 : 1));
}
