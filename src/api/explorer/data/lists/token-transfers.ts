import { checkStopped, type QueryContext } from "#api/rpc/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { EventPlace, ExplorerReader, TransactionPlace } from "#io/storage/index.ts";
import { tokenTransferOf } from "#services/explorer-index/index.ts";
import type { Covered, Page } from "../index-access.ts";
import { missingRow } from "./missing-row.ts";
import { byNewest } from "./transactions.ts";
import { pageOf } from "./transfers.ts";

/** Transactions that are read together. */
const STEP = 128;

/** Most receipts that one request reads; the page after continues there. */
const MAX_RECEIPTS = 4_096;

/**
 * Lists all transfers of a token, newest first. The index has no list of them: a contract that emits an event is touched by the
 * transaction, so the receipts of the transactions that touch the token have them. A page may have fewer items than
 * `limit`, even none, and still a next one: a token may be touched without transfers.
 */
export function tokenTransferPage(
  context: QueryContext,
  { reader, to }: Covered,
  token: Felt,
  after: EventPlace | null,
  limit: number,
): Page {
  const cursor = after === null || after.block > to ? null : after;
  const found: EventPlace[] = [];
  // The transaction of the cursor has more transfers, before that of the cursor.
  let before: TransactionPlace =
    cursor === null
      ? { block: to + 1, index: 0 }
      : { block: cursor.block, index: cursor.index + 1 };
  let isLast = false;
  for (let read = 0; read < MAX_RECEIPTS && !isLast && found.length <= limit; read += STEP) {
    const places = touching(reader, token, before, STEP);
    isLast = places.length < STEP;
    for (const place of places) {
      checkStopped(context);
      before = place;
      found.push(...transfersAt(context, place, token, cursor));
      if (found.length > limit) break;
    }
  }
  return pageOf(context, found, limit, isLast ? undefined : { ...before, event: 0 });
}

/** Transactions that a contract sent or that touch it, newest first. */
function touching(
  reader: ExplorerReader,
  contract: Felt,
  before: TransactionPlace,
  limit: number,
): readonly TransactionPlace[] {
  const sent = reader.sent(contract, before, limit);
  return [...sent, ...reader.touched(contract, before, limit)].sort(byNewest).slice(0, limit);
}

/** Transfers of a transaction before the cursor, the last one first. */
function transfersAt(
  { chain }: QueryContext,
  { block, index }: TransactionPlace,
  token: Felt,
  cursor: EventPlace | null,
): readonly EventPlace[] {
  const receipt = chain.receiptAt({ blockNumber: block, index });
  if (receipt === undefined) return missingRow(block);
  const isCursors = cursor?.block === block && cursor.index === index;
  return receipt.events
    .flatMap((emitted, event) => {
      const isBefore = !isCursors || event < cursor.event;
      return isBefore && emitted.fromAddress === token && tokenTransferOf(emitted) !== undefined
        ? [{ block, index, event }]
        : [];
    })
    .toReversed();
}
