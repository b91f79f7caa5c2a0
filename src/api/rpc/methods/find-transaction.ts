import type { HashedTransaction } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { ChainContext } from "../context.ts";
import { locateFirst } from "../fork/locate.ts";

/** Finds a transaction in accepted blocks, or in blocks above them, without reading its receipt. */
export function findTransaction(context: ChainContext, hash: Felt): HashedTransaction | undefined {
  const { chain } = context;
  const location = locateFirst(context, hash);
  const accepted = location && chain.transactionAt(location);
  if (accepted !== undefined) return accepted;
  for (const view of context.unaccepted()) {
    const found = view.find(hash);
    if (found !== undefined) return view.transactions[found.index];
  }
  return undefined;
}
