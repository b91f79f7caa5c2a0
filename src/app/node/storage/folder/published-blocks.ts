import { isJsonObject, parseJson, stringifyJson } from "#base/codec/index.ts";
import { createChainWriter, type StoredChainReader } from "#io/storage/index.ts";
import type { NodeSetup } from "../../setup/setup.ts";
import { writeChain } from "./write-chain.ts";

/** Where a chain's database says what of it was published, and where. */
const KEY = "published-blocks";

/** What of a chain that was made here was published. */
export interface PublishedBlocks {
  /** Name of the store, without keys. */
  readonly store: string;
  /** The store had every block up to this one when the sequencer began to lead last; -1: none is known. */
  readonly through: number;
}

/** @returns `undefined`: the chain's sequencer stood alone when it was started last */
export function publishedBlocks(
  chain: Pick<StoredChainReader, "value">,
): PublishedBlocks | undefined {
  const bytes = chain.value(KEY);
  if (bytes === undefined) return undefined;
  const value = parseJson(new TextDecoder().decode(bytes), { maxDepth: 2 });
  if (!isJsonObject(value)) return undefined;
  const { store, through } = value;
  return typeof store === "string" && typeof through === "number" ? { store, through } : undefined;
}

/**
 * Notes what of a chain is published, in a data directory that this process has locked and nobody writes to.
 *
 * @param published - `undefined`: the sequencer stands alone, and its blocks are nobody else's
 * @throws {StorageError} when it cannot be written
 */
export function notePublished(
  setup: Pick<NodeSetup, "config" | "files">,
  published: PublishedBlocks | undefined,
): Promise<void> {
  return writeChain(setup, "full", (database) => {
    const bytes = published && new TextEncoder().encode(stringifyJson({ ...published }));
    createChainWriter(database).putValue(KEY, bytes);
  });
}
