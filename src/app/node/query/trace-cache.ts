import type { TracedBlock } from "#api/rpc/index.ts";
import type { BlockReplay, TransactionTrace } from "#engine/execution/index.ts";
import type { BlockInfo, HashedTransaction, Receipt } from "#protocol/chain/index.ts";

/**
 * What is kept of a transaction: its trace, that the trace is larger than any may be, or `undefined`
 * where it was given up for lack of room.
 */
export type CachedTrace = TransactionTrace | "too_large" | undefined;

/** A block as far as it was executed again. */
export interface Replayed {
  /** As {@link TracedBlock.id}; another one once the block is accepted. */
  id: string;
  readonly info: BlockInfo;
  readonly replay: BlockReplay;
  /** What was executed. */
  readonly transactions: HashedTransaction[];
  readonly receipts: Receipt[];
  /** Of the transactions that were executed. */
  readonly traces: CachedTrace[];
  /** Of the traces, about. */
  sizeBytes: number;
}

/** How much is kept. */
export interface TraceCacheLimits {
  /** Most bytes of all traces together, about. */
  readonly maxCachedBytes: number;
  /** Most contracts and cells of all states together. */
  readonly maxCachedState: number;
}

/** Most blocks: one without transactions has no traces that would count. */
const MAX_BLOCKS = 64;

/**
 * Traces of the blocks that were executed again last. Those that were used longest ago go first.
 */
export class TraceCache {
  readonly #limits: TraceCacheLimits;
  readonly #kept = new Map<string, Replayed>();

  constructor(limits: TraceCacheLimits) {
    this.#limits = limits;
  }

  /**
   * What is kept of a block. One that was executed while it was being built is found again once it
   * is accepted, if it has become what it was then.
   */
  find(block: TracedBlock): Replayed | undefined {
    const known = this.#kept.get(block.id) ?? this.#underOtherId(block);
    if (known !== undefined) {
      this.drop(known);
      known.id = block.id;
      this.#kept.set(known.id, known);
    }
    return known;
  }

  /** Keeps a block, instead of what there was of it. */
  put(replayed: Replayed): void {
    this.#kept.delete(replayed.id);
    this.#kept.set(replayed.id, replayed);
  }

  /** Forgets a block. */
  drop({ id }: Replayed): void {
    this.#kept.delete(id);
  }

  /** Forgets what there is no room for; of the block that was used last at least its traces. */
  trim(): void {
    const { maxCachedBytes, maxCachedState } = this.#limits;
    const newestFirst = [...this.#kept.values()].reverse();
    let blocks = 0;
    let bytes = 0;
    let state = 0;
    for (const replayed of newestFirst) {
      if (blocks === 0 && replayed.sizeBytes > maxCachedBytes) giveUp(replayed);
      blocks++;
      bytes += replayed.sizeBytes;
      state += replayed.replay.stateSize;
      const isHollow = blocks > 1 && hasGivenUp(replayed);
      if (isHollow || blocks > MAX_BLOCKS || bytes > maxCachedBytes || state > maxCachedState)
        this.drop(replayed);
    }
  }

  #underOtherId(block: TracedBlock): Replayed | undefined {
    for (const kept of this.#kept.values()) {
      if (kept.info.number === block.info.number && isOf(kept, block)) return kept;
    }
    return undefined;
  }
}

/** Frees the traces, but not what goes on from there. */
export function giveUp(replayed: Replayed): void {
  for (const [index, trace] of replayed.traces.entries()) {
    if (trace !== "too_large") replayed.traces[index] = undefined;
  }
  replayed.sizeBytes = 0;
}

function hasGivenUp({ traces }: Replayed): boolean {
  return traces.includes(undefined);
}

/** Whether all that was executed is what a block begins with, on the state before it. */
function isOf({ info, transactions, receipts, replay }: Replayed, block: TracedBlock): boolean {
  if (!Bun.deepEquals(environmentOf(info), environmentOf(block.info))) return false;
  const contents = block.contents();
  const { length } = transactions;
  return (
    transactions.every(({ hash }, i) => contents.transactions[i]?.hash === hash) &&
    Bun.deepEquals(transactions.map(bare), contents.transactions.slice(0, length).map(bare)) &&
    Bun.deepEquals(receipts, contents.receipts.slice(0, length)) &&
    replay.holdsOn(block)
  );
}

/** A header has more than what a block is executed with. */
function environmentOf(info: BlockInfo): BlockInfo {
  const { number, timestamp, sequencerAddress, gasPrices, l1DaMode, protocolVersion } = info;
  return { number, timestamp, sequencerAddress, gasPrices, l1DaMode, protocolVersion };
}

/** Without the bytes that some readers keep beside it. */
function bare({ hash, transaction }: HashedTransaction): HashedTransaction {
  return { hash, transaction };
}
