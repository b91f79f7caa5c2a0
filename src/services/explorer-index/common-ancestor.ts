import type { ChainReader } from "#engine/state/index.ts";
import type { ExplorerStore } from "#io/storage/index.ts";

/**
 * Finds the newest indexed block that is on the chain: of a chain's blocks, all below it are, too.
 *
 * @returns `undefined` when no indexed block is
 */
export function commonAncestor(
  store: Pick<ExplorerStore, "oldest" | "newest" | "hashOf">,
  chain: Pick<ChainReader, "header" | "latestNumber">,
): number | undefined {
  const isCommon = (number: number): boolean => {
    const hash = store.hashOf(number);
    return hash !== undefined && chain.header(number)?.hash === hash;
  };
  let low = store.oldest()?.number ?? 0;
  let high = Math.min(store.newest()?.number ?? -1, chain.latestNumber() ?? -1);
  if (high < low || !isCommon(low)) return undefined;
  if (isCommon(high)) return high;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isCommon(middle)) low = middle;
    else high = middle;
  }
  return low;
}
