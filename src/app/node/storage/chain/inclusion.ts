import type { Felt } from "#base/primitives/index.ts";
import type { Inclusion } from "#services/sync/index.ts";
import type { ChainView } from "./chain-view.ts";

/** Which kind of block that this node has seen has a transaction; `undefined` when none has. */
export function inclusionOf(
  { chain, feed }: Pick<ChainView, "chain" | "feed">,
  hash: Felt,
): Inclusion | undefined {
  if (chain.locate(hash) !== undefined) return "accepted";
  const isBuilding = feed
    .current()
    .blocks()
    .some((block) => block.find(hash) !== undefined);
  return isBuilding ? "building" : undefined;
}
