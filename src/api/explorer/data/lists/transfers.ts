import { checkStopped, type QueryContext } from "#api/rpc/index.ts";
import type { JsonObject } from "#base/codec/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { EventPlace, FoundTransfer } from "#io/storage/index.ts";
import { tokenTransferOf } from "#services/explorer-index/index.ts";
import type { Covered, Page } from "../index-access.ts";
import { cursorOf } from "../parameters.ts";
import { missingRow } from "./missing-row.ts";

/** Rows that are read together when most of them are of other tokens. */
const STEP_ROWS = 1_000;

/** Most rows that one request reads; the page after continues there. */
const MAX_ROWS = 100_000;

/**
 * Lists transfers of a holder, newest first. A page may have fewer items than `limit`, even none, and still a
 * next page: a holder may have many transfers of other tokens.
 *
 * @param token - only transfers of this token; `null` for all
 */
export function transferPage(
  context: QueryContext,
  { reader, to }: Covered,
  holder: Felt,
  token: Felt | null,
  after: EventPlace | null,
  limit: number,
): Page {
  const found: FoundTransfer[] = [];
  let place = after === null || after.block > to ? { block: to + 1, index: 0, event: 0 } : after;
  const stepRows = token === null ? limit + 1 : STEP_ROWS;
  let isLast = false;
  for (let rows = 0; rows < MAX_ROWS && !isLast && found.length <= limit; rows += stepRows) {
    checkStopped(context);
    const step = reader.transfers(holder, place, stepRows);
    isLast = step.length < stepRows;
    place = step.at(-1) ?? place;
    for (const each of step) if (token === null || each.token === token) found.push(each);
  }
  return pageOf(context, found, limit, isLast ? undefined : place);
}

/**
 * Returns a page of transfers that were found.
 *
 * @param found - transfers, newest first, more than `limit` if the page is full
 * @param rest - place from which the next page continues if this one is not full; `undefined` at the end of the list
 * @throws {StorageError} STORAGE_DAMAGED when the chain lacks one of them
 */
export function pageOf(
  context: QueryContext,
  found: readonly EventPlace[],
  limit: number,
  rest: EventPlace | undefined,
): Page {
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : rest;
  return {
    items: page.map((each) => transferItem(context, each)),
    next: last === undefined ? null : cursorOf(last.block, last.index, last.event),
  };
}

function transferItem({ chain }: QueryContext, { block, index, event }: EventPlace): JsonObject {
  const receipt = chain.receiptAt({ blockNumber: block, index });
  const header = chain.header(block);
  const emitted = receipt?.events[event];
  const transfer = emitted === undefined ? undefined : tokenTransferOf(emitted);
  if (receipt === undefined || header === undefined || transfer === undefined) {
    return missingRow(block);
  }
  const { token, from, to } = transfer;
  return {
    hash: hexFromFelt(receipt.transactionHash),
    block_number: block,
    event_index: event,
    token: hexFromFelt(token),
    from: hexFromFelt(from),
    to: hexFromFelt(to),
    ...(transfer.kind === "nft"
      ? { kind: "nft", token_id: String(transfer.tokenId) }
      : { kind: "fungible", amount: String(transfer.amount) }),
    unix_ms: header.timestamp * 1000,
  };
}
