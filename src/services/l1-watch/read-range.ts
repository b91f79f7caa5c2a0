import { L1Error } from "#base/errors/index.ts";
import type {
  CoreContractLog,
  CoreState,
  L1BlockId,
  L1View,
  MessageLog,
  StateUpdateLog,
} from "#io/l1/index.ts";

/** Read position in L1's logs: the next block to read, and the last one that was read. */
export interface L1Position {
  /** First block whose logs have not been read. */
  readonly next: number;
  /** Last block whose logs have been read; `undefined` before the first. */
  readonly last: L1BlockId | undefined;
}

/** Result of reading one view of L1. */
export type RangeRead =
  | {
      readonly kind: "read";
      readonly view: L1View;
      /** First block of the range; above the view's block when nothing was left to read. */
      readonly from: number;
      readonly updates: readonly StateUpdateLog[];
      readonly messages: readonly MessageLog[];
      readonly position: L1Position;
      /** State of the core contract, if the range ends with the newest final block. */
      readonly core: CoreState | undefined;
    }
  /** The newest final block is below the ones already read; they may reappear later. */
  | { readonly kind: "behind"; readonly view: L1View }
  /** A block that was read is no longer on L1's chain. */
  | { readonly kind: "reorganized"; readonly gone: L1BlockId };

/**
 * Reads the next range of logs at a view of L1, without side effects: it may be abandoned at any point.
 *
 * @param rangeBlocks - maximum blocks of a range, at least 1
 * @throws {L1Error} when L1 does not answer, or returns inconsistent data
 */
export async function readRange(
  view: L1View,
  position: L1Position,
  rangeBlocks: number,
): Promise<RangeRead> {
  const { last } = position;
  const newest = view.block.number;
  if (last !== undefined) {
    if (newest < last.number) return { kind: "behind", view };
    const hash = newest === last.number ? view.block.hash : await view.hashOf(last.number);
    if (hash !== last.hash) return { kind: "reorganized", gone: last };
  }
  const from = last === undefined ? Math.min(position.next, newest) : position.next;
  if (from > newest) return { ...NOTHING, view, from, position, core: undefined };
  const to = Math.min(from + rangeBlocks - 1, newest);
  const logs = await view.logs(from, to);
  checkOrder(logs, from, to);
  const hash = to === newest ? view.block.hash : await view.hashOf(to);
  if (hash === undefined) throw contradiction(`it has no block ${to} below block ${newest}`);
  const read = { next: to + 1, last: { number: to, hash } };
  return {
    kind: "read",
    view,
    from,
    updates: logs.filter((log) => log.kind === "state_update"),
    messages: logs.filter((log) => log.kind === "message_to_l2"),
    position: read,
    core: to === newest ? await view.coreState() : undefined,
  };
}

const NOTHING = { kind: "read", updates: [], messages: [] } as const;

function checkOrder(logs: readonly CoreContractLog[], from: number, to: number): void {
  let before = { number: from, index: -1 };
  for (const { l1Block, logIndex } of logs) {
    const isLater =
      l1Block.number > before.number ||
      (l1Block.number === before.number && logIndex > before.index);
    if (!isLater || l1Block.number > to) {
      throw contradiction(`a log of block ${l1Block.number} is out of order in ${from} to ${to}`);
    }
    before = { number: l1Block.number, index: logIndex };
  }
}

function contradiction(what: string): L1Error {
  return new L1Error("L1_CONTRADICTORY", `L1 contradicts itself: ${what}`, true);
}
