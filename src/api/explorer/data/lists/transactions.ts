import type { QueryContext } from "#api/rpc/index.ts";
import type { JsonObject } from "#base/codec/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { TransactionPlace } from "#io/storage/index.ts";
import { senderOf } from "#services/explorer-index/index.ts";
import type { Covered, Page } from "../index-access.ts";
import { cursorOf } from "../parameters.ts";
import { missingRow } from "./missing-row.ts";

/** Which transactions to list: those that an account sent, or all that touch a contract. */
export type TransactionFilter = "sender" | "contract";

/**
 * Lists transactions, newest first.
 *
 * @param after - place of the last transaction of the page before; `null` for the first page
 */
export function transactionPage(
  context: QueryContext,
  { reader, to }: Covered,
  filter: TransactionFilter,
  address: Felt,
  after: TransactionPlace | null,
  limit: number,
): Page {
  const before = startOf(after, to);
  // One more shows whether there is another page.
  const sent = reader.sent(address, before, limit + 1);
  const touched = filter === "contract" ? reader.touched(address, before, limit + 1) : [];
  const places = [...sent, ...touched].sort(byNewest).slice(0, limit + 1);
  const page = places.slice(0, limit);
  const last = page.at(-1);
  const isMore = places.length > limit && last !== undefined;
  return {
    items: page.map((place) => transactionItem(context, place)),
    next: isMore ? cursorOf(last.block, last.index) : null,
  };
}

/** Place before which a page starts: that of the cursor, but nothing above the covered blocks. */
function startOf(after: TransactionPlace | null, to: number): TransactionPlace {
  return after === null || after.block > to ? { block: to + 1, index: 0 } : after;
}

/** Sorts places with the newest first. */
export function byNewest(left: TransactionPlace, right: TransactionPlace): number {
  return right.block - left.block || right.index - left.index;
}

/** Describes a transaction of the chain. @throws {StorageError} STORAGE_DAMAGED when the chain has no such one */
export function transactionItem(
  { chain }: QueryContext,
  { block, index }: TransactionPlace,
): JsonObject {
  const location = { blockNumber: block, index };
  const found = chain.transactionAt(location);
  const receipt = chain.receiptAt(location);
  const header = chain.header(block);
  if (found === undefined || receipt === undefined || header === undefined) {
    return missingRow(block);
  }
  const { hash, transaction } = found;
  const sender = senderOf(transaction);
  return {
    hash: hexFromFelt(hash),
    block_number: block,
    index,
    type: transaction.type,
    sender: sender === null ? null : hexFromFelt(sender),
    contract: transaction.type === "L1_HANDLER" ? hexFromFelt(transaction.contractAddress) : null,
    status: receipt.status.kind === "succeeded" ? "SUCCEEDED" : "REVERTED",
    unix_ms: header.timestamp * 1000,
    fee: { amount: String(receipt.actualFee), unit: receipt.feeUnit },
  };
}
