import { type BlockId, notBefore } from "../block-id.ts";
import type { ChainContext } from "../context.ts";
import type { Fail } from "../errors.ts";
import { blockOrFail } from "../methods/shared.ts";
import type { EventFilter } from "../spec/version.ts";
import type { EventBlocks } from "./blocks.ts";

/** Numbers of the first and the last block of a filter; without blocks where `first > last`. */
export interface BlockRange {
  readonly first: number;
  readonly last: number;
}

/**
 * The blocks that a filter means now: from block 0 to the newest accepted one where it says nothing.
 * Numbers are bounds, and need no block; `pre_confirmed` stands for every block that is not accepted.
 *
 * Before the first block of a chain from a snapshot there may be events that are not known: a filter that
 * begins there is refused.
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
    const given = fromBlock === undefined ? "begins with block 0 without a from_block" : `${first}`;
    fail("BLOCK_NOT_FOUND", `from_block ${given}, and ${notBefore(oldest)}`);
  }
  return {
    first,
    last: toBlock?.kind === "number" ? Math.min(last, latest) : last,
  };
}
