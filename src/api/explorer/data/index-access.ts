import type { QueryContext } from "#api/rpc/index.ts";
import type { JsonObject } from "#base/codec/index.ts";
import type { ExplorerReader } from "#io/storage/index.ts";

/** The explorer's index on a query thread. */
export interface ExplorerIndex {
  /**
   * Returns the reader; `undefined` while there is no index.
   *
   * @throws {StorageError} STORAGE_DAMAGED when the file cannot be used
   */
  reader(): Promise<ExplorerReader | undefined>;
}

/** Part of the chain that the index covers, as this thread sees the chain. */
export interface Covered {
  readonly reader: ExplorerReader;
  /** Oldest and newest block; the newest is on the chain. */
  readonly from: number;
  readonly to: number;
}

/** One page of a list. */
export interface Page {
  readonly items: readonly JsonObject[];
  /** Cursor of the next page; `null` on the last one. */
  readonly next: string | null;
}

/**
 * Returns what the index covers: at most the visible chain. `undefined` while the index has a block that is
 * not on the chain, as just after a revert.
 */
function coveredBy(reader: ExplorerReader, { chain }: QueryContext): Covered | undefined {
  const oldest = reader.oldest();
  const newest = reader.newest();
  const latest = chain.latestNumber();
  if (oldest === undefined || newest === undefined || latest === undefined) return undefined;
  const to = Math.min(newest.number, latest);
  if (to < oldest.number) return undefined;
  const isOnChain = reader.block(to)?.hash === chain.header(to)?.hash;
  return isOnChain ? { reader, from: oldest.number, to } : undefined;
}

/** Computes an answer on one snapshot of index and chain. `covered` is `undefined` while nothing is indexed. */
export async function withIndex<T>(
  context: QueryContext,
  index: ExplorerIndex,
  answer: (covered: Covered | undefined) => T,
): Promise<T> {
  const reader = await index.reader();
  if (reader === undefined) return answer(undefined);
  return reader.snapshot(() => context.chain.snapshot(() => answer(coveredBy(reader, context))));
}

/** Answers with a page of a list. */
export function pageAnswer(
  context: QueryContext,
  index: ExplorerIndex,
  read: (covered: Covered) => Page,
): Promise<JsonObject> {
  return withIndex(context, index, (covered) => {
    const { items, next } = covered === undefined ? NO_PAGE : read(covered);
    return { items: [...items], next, indexed: rangeOf(covered) };
  });
}

/** The page of an empty list. */
export const NO_PAGE: Page = { items: [], next: null };

/** Describes what is indexed; `to` is `null` while nothing is. */
export function rangeOf(covered: Pick<Covered, "from" | "to"> | undefined): JsonObject {
  return covered === undefined ? { from: 0, to: null } : { from: covered.from, to: covered.to };
}
