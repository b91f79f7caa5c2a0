import type { HashedTransaction } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { ChainContext } from "../context.ts";

/** A transaction of an accepted block, or of one above them; its receipt is not looked at. */
export function findTransaction(context: ChainContext, hash: Felt): HashedTransaction | undefined {
  const { chain } = context;
  const location = chain.locate(hash);
  const accepted = location && chain.transactionAt(location);
  if (accepted !== undefined) return accepted;
  for (const view of context.unaccepted()) {
    const found = view.find(hash);
    if (found !== undefined) return view.transactions[found.index];
  }
  return undefined;
}
