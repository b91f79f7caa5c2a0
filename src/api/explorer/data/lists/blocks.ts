import { checkStopped, finalityOf, type QueryContext } from "#api/rpc/index.ts";
import type { JsonObject } from "#base/codec/index.ts";
import { type Felt, hexFromFelt, RecentMap } from "#base/primitives/index.ts";
import { OriginMissing } from "#io/origin/index.ts";
import type { BlockHeader, ResourcePrice } from "#protocol/chain/index.ts";
import type { Page } from "../index-access.ts";
import { cursorOf } from "../parameters.ts";
import { transactionItem } from "./transactions.ts";

/** Blocks whose gas is kept; an entry has some 100 bytes. */
const KEPT_BLOCKS = 10_000;

/**
 * List of blocks, newest first, with the newest of their transactions: what a page that follows the chain shows, without
 * the megabytes of whole blocks.
 */
export class BlockList {
  /** L2 gas of blocks by their hash: to sum it takes all receipts of a block. */
  readonly #gas = new RecentMap<Felt, number>(KEPT_BLOCKS);

  /**
   * Reads a page on one snapshot of the chain.
   *
   * @param after - number of the last block of the page before; `null` for the first page
   * @param limit - maximum number of blocks
   * @param transactions - maximum number of transactions of all these blocks together
   * @throws {OriginError} when the origin of a fork does not return a block
   */
  page(context: QueryContext, after: number | null, limit: number, transactions: number): Page {
    return context.chain.snapshot(() => this.#page(context, after, limit, transactions));
  }

  #page(context: QueryContext, after: number | null, limit: number, transactions: number): Page {
    const { chain } = context;
    const latest = chain.latestNumber() ?? -1;
    const first = after === null ? latest : Math.min(after - 1, latest);
    const headers = headersOf(context, first, Math.max(first - limit + 1, chain.oldestBlock()));
    const items: JsonObject[] = [];
    let left = transactions;
    for (const header of headers) {
      checkStopped(context);
      const { number, transactionCount } = header;
      const shown = Math.min(left, transactionCount);
      left -= shown;
      items.push({
        ...blockItem(context, header),
        l2_gas: this.#gasOf(context, header),
        transactions: Array.from({ length: shown }, (_, i) =>
          transactionItem(context, { block: number, index: transactionCount - 1 - i }),
        ),
      });
    }
    const last = headers.at(-1)?.number ?? 0;
    return { items, next: last > chain.oldestBlock() ? cursorOf(last) : null };
  }

  #gasOf({ chain }: QueryContext, { number, hash }: BlockHeader): number {
    const kept = this.#gas.touch(hash);
    if (kept !== undefined) return kept;
    const sum = chain.receipts(number).reduce((all, { gas }) => all + gas.l2Gas, 0n);
    this.#gas.set(hash, Number(sum));
    return Number(sum);
  }
}

/**
 * Returns the headers of a range, from `first` down to `last`.
 *
 * @throws {OriginMissing} with all blocks of a fork's origin that are not fetched yet
 */
function headersOf({ chain }: QueryContext, first: number, last: number): BlockHeader[] {
  const headers: BlockHeader[] = [];
  const missing: OriginMissing[] = [];
  for (let number = first; number >= last; number--) {
    try {
      const header = chain.header(number);
      if (header === undefined) break;
      headers.push(header);
    } catch (error) {
      if (!(error instanceof OriginMissing)) throw error;
      missing.push(error);
    }
  }
  if (missing.length > 0) throw new OriginMissing(missing.flatMap(({ queries }) => queries));
  return headers;
}

function blockItem(context: QueryContext, header: BlockHeader): JsonObject {
  const { number, hash, parentHash, timestamp, protocolVersion, gasPrices } = header;
  return {
    block_number: number,
    block_hash: hexFromFelt(hash),
    parent_hash: hexFromFelt(parentHash),
    unix_ms: timestamp * 1000,
    status: finalityOf(context, number),
    starknet_version: protocolVersion,
    l2_gas_price: priceItem(gasPrices.l2Gas),
    l1_data_gas_price: priceItem(gasPrices.l1DataGas),
    transaction_count: header.transactionCount,
  };
}

function priceItem({ fri, wei }: ResourcePrice): JsonObject {
  return { fri: String(fri), wei: String(wei) };
}
