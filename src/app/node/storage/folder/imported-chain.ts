import type { Felt } from "#base/primitives/index.ts";
import type { ChainConfig } from "#protocol/config/index.ts";
import type { ChainWriter, StoredChainReader } from "#io/storage/index.ts";
import { keepPublicKey } from "#services/sync/index.ts";
import {
  encodeMetadata,
  metadataOfFollowed,
  METADATA_KEY,
  metadataOfImported,
} from "./chain-metadata.ts";

/** What is known of a chain beside its blocks when it was imported. */
export interface ImportedChain {
  /** `null`: none was given; the first that a node is started with is taken. */
  readonly config: ChainConfig | null;
  /** Of the key that signed the block of the snapshot; `null`: a block hash was believed. */
  readonly publicKey: Felt | null;
}

/** Makes an imported chain one that a node follows, with the key that its blocks are signed with. */
export function keepImported(
  chain: Pick<StoredChainReader, "value">,
  writer: Pick<ChainWriter, "putValue">,
  { config, publicKey }: ImportedChain,
): void {
  const metadata = config === null ? metadataOfImported() : metadataOfFollowed(config);
  writer.putValue(METADATA_KEY, encodeMetadata(metadata));
  if (publicKey === null) return;
  keepPublicKey({ chain, writer, settings: NOT_CONFIGURED, onPinned: () => undefined }, publicKey);
}

/** The key is kept for a node without one in its configuration. */
const NOT_CONFIGURED = { publicKey: null };
