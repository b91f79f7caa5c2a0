import { type BlockId, notBefore } from "../block-id.ts";
import type { ChainContext } from "../context.ts";
import type { Fail } from "../errors.ts";
import { blockOrFail } from "../methods/shared.ts";
import type { EventFilter } from "../spec/version.ts";
import type { EventBlocks } from "./blocks.ts";

/** Numbers of the first and the last block of a filter; empty if `first > last`. */
export interface BlockRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Resolves the block range of a filter; by default from block 0 to the newest accepted one. Numbers are
 * bounds and need not exist; `pre_confirmed` means all unaccepted blocks.
 *
 * Events before the first block of a chain from a snapshot are unknown: a filter that starts there is
 * rejected.
 */
export function rangeOf(
  context: ChainContext,
  blocks: EventBlocks,
  { fromBlock, toBlock }: Pick<EventFilter, "fromBlock" | "toBlock">,
  fail: Fail<"BLOCK_NOT_FOUND">,
): BlockRange {
  const bound = (id: BlockId | undefined, whenAbsent: number, preConfirmed: number): number => {
    if (id === undefined) return whenAbsent;
    if (id.kind === "number") return id.number;
    const block = blockOrFail(context, id, fail);
    return block.kind === "accepted" ? block.number : preConfirmed;
  };
  const { latest, top } = blocks;
  const oldest = context.chain.oldestBlock();
  const last = bound(toBlock, latest, top);
  const first = bound(fromBlock, 0, latest + 1);
  if (first < oldest) {
    const start =
      fromBlock === undefined
        ? "without a from_block the filter starts at block 0"
        : `from_block ${first}`;
    fail("BLOCK_NOT_FOUND", `${start}, but ${notBefore(oldest)}`);
  }
  return {
    first,
    last: toBlock?.kind === "number" ? Math.min(last, latest) : last,
  };
}
