import { join } from "node:path";
import { loadChainConfig } from "#protocol/config/index.ts";
import { type BlockBundle, decodeBundle } from "#protocol/chain/index.ts";
import { createChainReader, openDatabase, type StoredChainReader } from "#io/storage/index.ts";
import { blockKey, type ChainRecord, encodeChain } from "#services/replication/index.ts";
import { encodeBundle } from "./bundle.ts";
import type { Bucket } from "./store-server/objects.ts";

/** A chain in a data directory, from which bundles are put into a store as its sequencer would. */
export interface PublishedChain extends Disposable {
  readonly chain: StoredChainReader;
  /** The store's `chain`. */
  readonly record: ChainRecord;
  /** The bundle of a block. */
  bytesOf(blockNumber: number): Uint8Array<ArrayBuffer>;
  /** A bundle that says something else. */
  changed(
    blockNumber: number,
    change: (bundle: BlockBundle) => BlockBundle,
  ): Uint8Array<ArrayBuffer>;
  /** Puts `chain` and the blocks up to one, those that are not there, into a bucket. */
  publish(bucket: Bucket, upTo: number): void;
  /** The key of a block's object in the bucket. */
  keyOf(blockNumber: number): string;
}

/** Below which the objects of tests are: that of `storeUrl`. */
const PREFIX = "test/";

/**
 * Opens the chain of a folder beside whoever writes it.
 *
 * @param publicKey - of the key that signs its blocks
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
