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

/** A block that is not accepted, as the main thread has seen it. */
export interface SeenBlock {
  readonly number: number;
  /** How many of its transactions are told. */
  readonly count: number;
  /** Hash of the last of them; `null`: there is none. */
  readonly last: Felt | null;
}

/** What of a block that is not accepted is asked for. */
export interface PreConfirmedQuestion {
  readonly block: SeenBlock;
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

/** A block above the accepted ones as it was seen, and maybe more of it; one that was empty may be open by now. */
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
