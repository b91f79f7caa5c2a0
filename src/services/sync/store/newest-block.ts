import type { ObjectStore } from "#io/objects/index.ts";
import { blockKey, BLOCKS, blockOfKey } from "#services/replication/index.ts";

/** Maximum number of keys per listing. Source: Amazon S3 API Reference, "ListObjectsV2", `MaxKeys`. */
const PAGE = 1_000;

const MAX_NUMBER = 10 ** 12 - 1;

/**
 * Finds the highest block number greater than `after` for which a store lists a bundle. The search uses
 * doubling and halving steps, so it takes at most some dozens of listings, whatever the store answers.
 *
 * @param after - `-1` to start at block 0
 * @returns `undefined` if none
 * @throws {ObjectStoreError} as {@link ObjectStore.list}
 */
export async function newestBlockAfter(
  store: Pick<ObjectStore, "list">,
  after: number,
): Promise<number | undefined> {
  const first = await lastOfPage(store, after);
  if (first.last === undefined || !first.isFull) return first.last;
  let low = first.last;
  let high = MAX_NUMBER;
  for (let step = PAGE; low + step < high; step *= 2) {
    const { last, isFull } = await lastOfPage(store, low + step);
    if (last === undefined) {
      high = low + step;
      break;
    }
    low = last;
    if (!isFull) return low;
  }
  while (high - low > PAGE) {
    const middle = low + Math.floor((high - low) / 2);
    const { last, isFull } = await lastOfPage(store, middle);
    if (last === undefined) high = middle;
    else if (isFull) low = last;
    else return last;
  }
  return (await lastOfPage(store, low)).last ?? low;
}

/** Returns the highest number of one listing. Ignores numbers up to `after`: the store is not trusted. */
async function lastOfPage(
  store: Pick<ObjectStore, "list">,
  after: number,
): Promise<{ readonly last: number | undefined; readonly isFull: boolean }> {
  const listed = await store.list(BLOCKS, after < 0 ? undefined : blockKey(after), PAGE);
  let last: number | undefined;
  for (const { key } of listed) {
    const number = blockOfKey(key);
    if (number !== undefined && number > Math.max(after, last ?? -1)) last = number;
  }
  return { last, isFull: listed.length >= PAGE };
}
