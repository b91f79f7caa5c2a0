import { checkStopped, type QueryContext } from "#api/rpc/index.ts";
import type { JsonObject } from "#base/codec/index.ts";
import type { ExplorerReader } from "#io/storage/index.ts";
import type { Covered } from "../index-access.ts";

const MINUTE_S = 60;
const MINUTES = 60;

/** Blocks whose summaries are read together. */
const STEP_BLOCKS = 5_000;

/** Totals of one minute. */
interface Minute {
  blocks: number;
  transactions: number;
  l2Gas: bigint;
}

/**
 * Adds up the blocks of the last hour by minute, oldest first. A chain whose time is ahead of the clock, as a
 * development chain may be, has its own last hour.
 *
 * @param nowS - Unix seconds
 */
export function activityOf(
  context: Pick<QueryContext, "isStopped">,
  covered: Covered | undefined,
  nowS: number,
): JsonObject[] {
  const newestS = covered?.reader.block(covered.to)?.timestamp ?? 0;
  const endMinute = Math.floor(Math.max(nowS, newestS) / MINUTE_S);
  const firstMinute = endMinute - MINUTES + 1;
  const minutes = Array.from({ length: MINUTES }, (): Minute => ({
    blocks: 0,
    transactions: 0,
    l2Gas: 0n,
  }));
  if (covered !== undefined) {
    const { reader, from, to } = covered;
    let first = firstSince(reader, from, to, firstMinute * MINUTE_S);
    for (; first <= to; first += STEP_BLOCKS) {
      checkStopped(context);
      const last = Math.min(to, first + STEP_BLOCKS - 1);
      for (const { timestamp, transactionCount, l2Gas } of reader.summaries(first, last)) {
        const minute = minutes[Math.floor(timestamp / MINUTE_S) - firstMinute];
        if (minute === undefined) continue;
        minute.blocks++;
        minute.transactions += transactionCount;
        minute.l2Gas += l2Gas;
      }
    }
  }
  return minutes.map(({ blocks, transactions, l2Gas }, i) => ({
    unix_ms: (firstMinute + i) * MINUTE_S * 1000,
    blocks,
    transactions,
    l2_gas: Number(l2Gas),
  }));
}

/** Finds the first block of a time or later; block times never decrease. */
function firstSince(reader: ExplorerReader, from: number, to: number, sinceS: number): number {
  let low = from;
  let high = to + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const { timestamp } = reader.block(middle) ?? { timestamp: 0 };
    if (timestamp < sinceS) low = middle + 1;
    else high = middle;
  }
  return low;
}
