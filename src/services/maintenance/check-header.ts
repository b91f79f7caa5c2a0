import type { Felt } from "#base/primitives/index.ts";
import { blockHashMismatch, signatureMismatch } from "#protocol/chain/index.ts";
import type { IntegrityReader } from "#io/storage/index.ts";
import type { BlockContents, PreviousBlock } from "./block-contents.ts";
import { differ, requireNone, requireSame } from "./difference.ts";

/** Values that a header is checked against. */
export interface HeaderCheck {
  readonly previous: PreviousBlock;
  readonly chainId: Felt;
  /** Public key of the block signer; `null` skips the check of the signature. */
  readonly publicKey: Felt | null;
}

/**
 * Checks a block's header: its hash, its parent, its signature, and the index by hash.
 *
 * @throws {StorageError} STORAGE_DIFFERENCE
 */
export function checkHeader(
  reader: IntegrityReader,
  { number, row, header, diff }: BlockContents,
  { previous, chainId, publicKey }: HeaderCheck,
): void {
  requireSame("block", "number of the header", number, header.number);
  requireNone("block", "hash of the header", blockHashMismatch(header, chainId));
  requireSame("block", "hash", header.hash, row.hash);
  requireSame("block", "parent hash of the header", previous.hash, header.parentHash);
  requireSame("block", "hash in its index", number, reader.blocks.numberByHash(row.hash));
  if (publicKey === null) return;
  if (signatureMismatch(publicKey, header, row.signature, diff) !== undefined) {
    differ("block", "signature", "it is not the chain key's signature of the block hash");
  }
}
