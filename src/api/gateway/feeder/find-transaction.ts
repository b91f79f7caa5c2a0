import type { MainContext, RemoteTransaction, WaitingTransaction } from "#api/rpc/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { GatewayBlockStatus } from "#io/feeder/index.ts";
import type { HashedTransaction, Receipt } from "#protocol/chain/index.ts";

/** Transaction that is included in a block. */
export interface IncludedTransaction {
  readonly kind: "included";
  readonly transaction: HashedTransaction;
  readonly receipt: Receipt;
  readonly index: number;
  readonly blockNumber: number;
  readonly protocolVersion: string;
  /** `undefined` while the block is not accepted. */
  readonly accepted: { readonly hash: Felt; readonly status: GatewayBlockStatus } | undefined;
}

/** Result of a transaction lookup. */
export type FoundTransaction =
  | IncludedTransaction
  /** Not included in a block yet. */
  | { readonly kind: "waiting"; readonly transaction: WaitingTransaction | RemoteTransaction }
  | { readonly kind: "rejected"; readonly reason: string }
  | { readonly kind: "unknown" };

/** Searches accepted blocks, unaccepted blocks, the mempool and recent rejections, in this order. */
export async function findTransaction(context: MainContext, hash: Felt): Promise<FoundTransaction> {
  const included = findIncluded(context, hash);
  if (included !== undefined) return included;
  const transaction = await context.mempool.find(hash);
  if (transaction !== undefined) return { kind: "waiting", transaction };
  // It may have moved from the mempool to a block during the mempool lookup.
  const late = findIncluded(context, hash);
  if (late !== undefined) return late;
  const reason = await context.mempool.rejectionOf(hash);
  return reason === undefined ? { kind: "unknown" } : { kind: "rejected", reason };
}

/** Searches accepted blocks, then unaccepted ones. */
export function findIncluded(context: MainContext, hash: Felt): IncludedTransaction | undefined {
  return findAccepted(context, hash) ?? findUnaccepted(context, hash);
}

function findAccepted({ chain }: MainContext, hash: Felt): IncludedTransaction | undefined {
  const location = chain.locate(hash);
  if (location === undefined) return undefined;
  const { blockNumber, index } = location;
  const header = chain.header(blockNumber);
  const transaction = chain.transactionAt(location);
  const receipt = chain.receiptAt(location);
  if (header === undefined || transaction === undefined || receipt === undefined) return undefined;
  const status =
    blockNumber <= (chain.l1AcceptedNumber() ?? -1) ? "ACCEPTED_ON_L1" : "ACCEPTED_ON_L2";
  const { protocolVersion } = header;
  const accepted = { hash: header.hash, status } as const;
  return { kind: "included", transaction, receipt, index, blockNumber, protocolVersion, accepted };
}

function findUnaccepted(context: MainContext, hash: Felt): IncludedTransaction | undefined {
  for (const view of context.unaccepted()) {
    const index = view.find(hash)?.index;
    if (index === undefined) continue;
    const transaction = view.transactions[index];
    const receipt = view.receipts[index];
    if (transaction === undefined || receipt === undefined) continue;
    const { number: blockNumber, protocolVersion } = view.info;
    return {
      kind: "included",
      transaction,
      receipt,
      index,
      blockNumber,
      protocolVersion,
      accepted: undefined,
    };
  }
  return undefined;
}
