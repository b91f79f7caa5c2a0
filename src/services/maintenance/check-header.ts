import type { Felt } from "#base/primitives/index.ts";
import { blockHash, firstEraBlockHash, verifyBlockSignature } from "#protocol/chain/index.ts";
import type { IntegrityReader } from "#io/storage/index.ts";
import type { BlockContents, PreviousBlock } from "./block-contents.ts";
import { differ, requireSame } from "./difference.ts";

/** Blocks of mainnet below it have a hash by an older rule. Source: Starknet docs, "Block hash". */
const FIRST_ERA_END = 833;

/** What a header is compared with. */
export interface HeaderCheck {
  readonly previous: PreviousBlock;
  readonly chainId: Felt;
  /** Of the key that signs blocks; `null`: signatures are not looked at. */
  readonly publicKey: Felt | null;
}

/**
 * Checks a block's header: its hash, its parent, its signature, and the index by hash.
 *
 * @throws {StorageError} STORAGE_DIFFERENCE
 */
export function checkHeader(
  reader: IntegrityReader,
  { number, row, header }: BlockContents,
  { previous, chainId, publicKey }: HeaderCheck,
): void {
  requireSame("block", "number of the header", number, header.number);
  const computed = blockHash(header);
  const isOlderRule = number < FIRST_ERA_END && firstEraBlockHash(header, chainId) === header.hash;
  if (!isOlderRule) requireSame("block", "hash of the header", computed, header.hash);
  requireSame("block", "hash", header.hash, row.hash);
  requireSame("block", "parent hash of the header", previous.hash, header.parentHash);
  requireSame("block", "hash in its index", number, reader.blocks.numberByHash(row.hash));
  if (publicKey === null) return;
  if (!verifyBlockSignature(publicKey, header, row.signature)) {
    differ("block", "signature", "it is not that of the chain's key over the block's hash");
  }
}
