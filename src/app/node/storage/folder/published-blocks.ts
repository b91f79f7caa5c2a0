import { isJsonObject, parseJson, stringifyJson } from "#base/codec/index.ts";
import { createChainWriter, type StoredChainReader } from "#io/storage/index.ts";
import type { NodeSetup } from "../../setup/setup.ts";
import { writeChain } from "./write-chain.ts";

/** Key of {@link PublishedBlocks} in a chain's database. */
const KEY = "published-blocks";

/** Publication state of a chain that this node produces. */
export interface PublishedBlocks {
  /** Name of the store, without keys. */
  readonly store: string;
  /** Block up to which the store was complete when this sequencer last became leader; -1 if unknown. */
  readonly through: number;
}

/**
 * Returns the publication state that the last start recorded in the chain's database.
 *
 * @returns `undefined` if the chain's sequencer did not share its chain at its last start
 */
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
 * Records the publication state in a data directory that this process has locked and nobody writes to.
 *
 * @param published - `undefined` if the sequencer does not share its chain
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
