import type { Felt } from "#base/primitives/index.ts";
import type { PendingBlock } from "#engine/state/index.ts";
import { type ResolvedBlock, stateAfter } from "../block-id.ts";
import type { ChainContext } from "../context.ts";
import { locateFirst } from "../fork/locate.ts";
import type { TracedBlock } from "./access.ts";

/** Transaction in a block, together with that block. */
export interface TracedTransaction {
  readonly block: TracedBlock;
  readonly index: number;
}

/**
 * Returns a block with everything that its execution depends on; `undefined` if it was reverted.
 *
 * @throws {RpcFault} BLOCK_NOT_FOUND when the state before the block is no longer kept
 */
export function tracedBlock(context: ChainContext, block: ResolvedBlock): TracedBlock | undefined {
  if (block.kind === "accepted") return acceptedBlock(context, block.number);
  // `view` is the lowest block above the accepted chain: its parent is accepted.
  return unacceptedBlock(context, block.view, undefined);
}

/**
 * Searches accepted blocks, then the blocks above them.
 *
 * @throws {RpcFault} BLOCK_NOT_FOUND when the state before the block is no longer kept
 */
export function findTraced(context: ChainContext, hash: Felt): TracedTransaction | undefined {
  const location = locateFirst(context, hash);
  if (location !== undefined) {
    const block = acceptedBlock(context, location.blockNumber);
    return block && { block, index: location.index };
  }
  let below: PendingBlock | undefined;
  for (const view of context.unaccepted()) {
    const found = view.find(hash);
    if (found !== undefined) {
      return { block: unacceptedBlock(context, view, below), index: found.index };
    }
    below = view;
  }
  return undefined;
}

function acceptedBlock(context: ChainContext, number: number): TracedBlock | undefined {
  const { chain } = context;
  const header = chain.header(number);
  if (header === undefined) return undefined;
  return {
    id: `accepted ${header.hash}`,
    info: header,
    contents: () => ({
      transactions: chain.transactions(number),
      receipts: chain.receipts(number),
    }),
    before: stateAfter(context, number - 1),
    after: stateAfter(context, number),
  };
}

function unacceptedBlock(
  { chain }: ChainContext,
  view: PendingBlock,
  below: PendingBlock | undefined,
): TracedBlock {
  const { info } = view;
  return {
    id: `unaccepted ${info.number} ${info.timestamp}`,
    info,
    contents: () => view,
    before: below?.state ?? chain.stateAt(info.number - 1),
    after: view.state,
  };
}
