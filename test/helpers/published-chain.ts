import { join } from "node:path";
import { loadChainConfig } from "#protocol/config/index.ts";
import { type BlockBundle, decodeBundle } from "#protocol/chain/index.ts";
import { createChainReader, openDatabase, type StoredChainReader } from "#io/storage/index.ts";
import { blockKey, type ChainRecord, encodeChain } from "#services/replication/index.ts";
import { encodeBundle } from "./bundle.ts";
import type { Bucket } from "./store-server/objects.ts";

/** A chain in a data directory whose bundles can be published to a store, as by its sequencer. */
export interface PublishedChain extends Disposable {
  readonly chain: StoredChainReader;
  /** The store's `chain` record. */
  readonly record: ChainRecord;
  /** Bundle of a block. */
  bytesOf(blockNumber: number): Uint8Array<ArrayBuffer>;
  /** Bundle of a block with a change. */
  changed(
    blockNumber: number,
    change: (bundle: BlockBundle) => BlockBundle,
  ): Uint8Array<ArrayBuffer>;
  /** Publishes `chain` and the missing blocks up to a number in a bucket. */
  publish(bucket: Bucket, upTo: number): void;
  /** Key of a block's object in the bucket. */
  keyOf(blockNumber: number): string;
}

/** Prefix of the tests' objects: that of `storeUrl`. */
const PREFIX = "test/";

/**
 * Opens the chain of a folder in parallel with its writer.
 *
 * @param publicKey - public block-signing key
 */
export async function openPublishedChain(
  folder: string,
  publicKey: bigint,
): Promise<PublishedChain> {
  const { config } = await loadChainConfig({ preset: "devnet", role: "sequencer" });
  const database = await openDatabase({
    path: join(folder, "chain.db"),
    chainId: config.chainId,
    mode: "reader",
    durability: "normal",
  });
  const chain = createChainReader(database);
  const record: ChainRecord = {
    chainId: config.chainId,
    publicKey,
    nativeFeeToken: config.nativeFeeTokenAddress,
    parentFeeToken: config.parentFeeTokenAddress,
  };
  const bytesOf = (blockNumber: number): Uint8Array<ArrayBuffer> => {
    const bytes = chain.bundleBytes(blockNumber);
    if (bytes === undefined) throw new TypeError(`there is no block ${blockNumber}`);
    return new Uint8Array(bytes);
  };
  const keyOf = (blockNumber: number): string => PREFIX + blockKey(blockNumber);
  return {
    chain,
    record,
    bytesOf,
    keyOf,
    changed: (blockNumber, change) => encodeBundle(change(decodeBundle(bytesOf(blockNumber)))),
    publish(bucket, upTo) {
      bucket.put(`${PREFIX}chain`, encodeChain(record));
      for (let number = 0; number <= upTo; number++) {
        if (bucket.get(keyOf(number)) === undefined) bucket.put(keyOf(number), bytesOf(number));
      }
    },
    [Symbol.dispose]: () => database.close(),
  };
}
