import { ownLocation } from "./own-location.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { Inclusion } from "#services/sync/index.ts";
import type { ChainView } from "./chain-view.ts";

/** Returns the kind of block that includes a transaction; `undefined` if no block of this node does. */
export function inclusionOf(
  { chain, feed }: Pick<ChainView, "chain" | "feed">,
  hash: Felt,
): Inclusion | undefined {
  if (ownLocation(chain, hash) !== undefined) return "accepted";
  const isBuilding = feed
    .current()
    .blocks()
    .some((block) => block.find(hash) !== undefined);
  return isBuilding ? "building" : undefined;
}
