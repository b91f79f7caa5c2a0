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

/** Properties of an imported chain besides its blocks. */
export interface ImportedChain {
  /**
   * Chain configuration; `null` if the import had none: the first configuration of a node is then adopted.
   */
  readonly config: ChainConfig | null;
  /** Public key that signed the block of the snapshot; `null` if the import trusted a block hash. */
  readonly publicKey: Felt | null;
}

/** Stores the metadata that lets a node follow an imported chain, and the key that signs its blocks. */
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

/** Stored for a node whose configuration has no key. */
const NOT_CONFIGURED = { publicKey: null };
