import { fail, type QueryContext } from "#api/rpc/index.ts";
import type { JsonObject } from "#base/codec/index.ts";
import { mergeStateDiffs, type PendingBlock } from "#engine/state/index.ts";
import { writePreConfirmedBlock, writePreConfirmedMore } from "#io/feeder/index.ts";
import {
  decodeTransaction,
  EMPTY_STATE_DIFF,
  type HashedTransaction,
  type StateDiff,
} from "#protocol/chain/index.ts";

/** A block that is not accepted, and what of it is asked for. */
export interface PreConfirmedQuestion {
  readonly number: number;
  /** Names the making of the block that the main thread has seen; `undefined`: it is not told. */
  readonly identifier: string | undefined;
  /** Whoever asks does not know which block this is. */
  readonly withNumber: boolean;
  /** Transactions that whoever asks knows; `undefined`: the whole block is asked for. */
  readonly known: number | undefined;
  /** Transactions that stand behind those that are executed, of `encodeTransaction`. */
  readonly candidates: readonly Uint8Array[];
}

/**
 * The answer to get_preconfirmed_block, where there is something to tell.
 *
 * @throws {RpcFault} BLOCK_NOT_FOUND when the block is accepted by now, or gone
 */
export function preConfirmed(context: QueryContext, question: PreConfirmedQuestion): JsonObject {
  const { number, identifier, known } = question;
  const view = viewOf(context, number) ?? fail("BLOCK_NOT_FOUND");
  const { info, transactions, receipts } = view;
  const stateDiffs = stateDiffsFrom(view, known ?? 0);
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
    .filter(({ hash }) => view.find(hash) === undefined);
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

/** The block of a number above the accepted ones: the one that would be opened now among them. */
function viewOf(context: QueryContext, number: number): PendingBlock | undefined {
  const view = context.unaccepted().find(({ info }) => info.number === number);
  if (view !== undefined) return view;
  const open = context.pending();
  return open?.info.number === number ? open : undefined;
}

/**
 * A state diff for each transaction from `first` on. Blocks are executed in batches, and it is known what
 * a batch changed: that stands at its last transaction, and nothing at the others. Whoever adds them up
 * in order has what the transactions changed; what was changed before the first of a block, or behind
 * its last, is in the nearest one.
 */
export function stateDiffsFrom(view: PendingBlock, first: number): readonly StateDiff[] {
  const { transactions, stateDiff } = view;
  const count = transactions.length;
  const told = Array.from({ length: Math.max(0, count - first) }, (): StateDiff[] => []);
  let before = 0;
  let carried: StateDiff[] = [];
  for (const { end, diff } of view.changes ?? [{ end: count, diff: stateDiff }]) {
    carried.push(diff);
    // Of a batch without transactions the next one tells; of one behind all of them the last one.
    if (end === before && end < count) continue;
    if (end > first) told[end - 1 - first]?.push(...carried);
    carried = [];
    before = end;
  }
  return told.map((parts) => {
    const [only = EMPTY_STATE_DIFF] = parts;
    return parts.length <= 1 ? only : mergeStateDiffs(parts);
  });
}
