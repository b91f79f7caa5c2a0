import { fail, type QueryContext } from "#api/rpc/index.ts";
import type { JsonObject } from "#base/codec/index.ts";
import { mergeStateDiffs, type PendingBlock } from "#engine/state/index.ts";
import { writePreConfirmedBlock, writePreConfirmedMore } from "#io/feeder/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import {
  decodeTransaction,
  EMPTY_STATE_DIFF,
  type HashedTransaction,
  type StateDiff,
} from "#protocol/chain/index.ts";

/** Unaccepted block as seen by the main thread. */
export interface SeenBlock {
  readonly number: number;
  /** Number of its transactions to include in the response. */
  readonly count: number;
  /** Hash of the last of them; `null` if none. */
  readonly last: Felt | null;
}

/**
 * Part of an unaccepted block that a query thread computes for get_preconfirmed_block, and what the
 * client has already.
 */
export interface PreConfirmedQuestion {
  readonly block: SeenBlock;
  /** Identifier of the block's build seen by the main thread; `undefined` to omit it. */
  readonly identifier: string | undefined;
  /** Whether the response includes the block number, because the client does not know it. */
  readonly withNumber: boolean;
  /** Number of transactions the client already has; `undefined` to return the whole block. */
  readonly known: number | undefined;
  /** Transactions to append to the executed ones, in the form of `encodeTransaction`. */
  readonly candidates: readonly Uint8Array[];
}

/**
 * Computes the response of get_preconfirmed_block, unless nothing changed.
 *
 * @throws {RpcFault} BLOCK_NOT_FOUND when the block is accepted by now, gone, or not the one that was seen
 */
export function preConfirmed(context: QueryContext, question: PreConfirmedQuestion): JsonObject {
  const { block: seen, identifier, known } = question;
  const { number, count } = seen;
  const view = viewOf(context, seen) ?? fail("BLOCK_NOT_FOUND");
  const { info } = view;
  const transactions = view.transactions.slice(0, count);
  const receipts = view.receipts.slice(0, count);
  const stateDiffs = stateDiffsFrom(view, known ?? 0).slice(0, count - (known ?? 0));
  if (known !== undefined && identifier !== undefined) {
    const more = {
      identifier,
      number,
      transactions: transactions.slice(known),
      receipts: receipts.slice(known),
      stateDiffs,
    };
    return writePreConfirmedMore(more, known, info.protocolVersion);
  }
  const candidates = question.candidates
    .map(decodeTransaction)
    .filter(({ hash }) => (view.find(hash)?.index ?? count) >= count);
  const nothing = candidates.map(() => null);
  const block = writePreConfirmedBlock({
    info,
    identifier,
    transactions: [...transactions, ...candidates] satisfies readonly HashedTransaction[],
    receipts: [...receipts, ...nothing],
    stateDiffs: [...stateDiffs, ...nothing],
  });
  return question.withNumber ? { ...block, block_number: number } : block;
}

/**
 * Finds the unaccepted block that was seen; it may have grown. A block seen as empty may have opened since.
 */
function viewOf(
  context: QueryContext,
  { number, count, last }: SeenBlock,
): PendingBlock | undefined {
  const view = context.unaccepted().find(({ info }) => info.number === number);
  if (view !== undefined) {
    return (view.transactions[count - 1]?.hash ?? null) === last ? view : undefined;
  }
  const open = context.pending();
  return count === 0 && open?.info.number === number ? open : undefined;
}

/**
 * Returns one state diff per transaction from `first` on. Blocks execute in batches, and only the changes of
 * a whole batch are known: the batch's last transaction carries them, the others are empty. Adding the diffs
 * up in order yields the changes of the transactions. Changes before a block's first transaction or after its
 * last one are part of the nearest diff.
 */
export function stateDiffsFrom(view: PendingBlock, first: number): readonly StateDiff[] {
  const { transactions, stateDiff } = view;
  const count = transactions.length;
  const diffParts = Array.from({ length: Math.max(0, count - first) }, (): StateDiff[] => []);
  let before = 0;
  let carried: StateDiff[] = [];
  for (const { end, diff } of view.changes ?? [{ end: count, diff: stateDiff }]) {
    carried.push(diff);
    // A batch without transactions joins the next one; after all transactions it joins the last one.
    if (end === before && end < count) continue;
    if (end > first) diffParts[end - 1 - first]?.push(...carried);
    carried = [];
    before = end;
  }
  return diffParts.map((parts) => {
    const [only = EMPTY_STATE_DIFF] = parts;
    return parts.length <= 1 ? only : mergeStateDiffs(parts);
  });
}
