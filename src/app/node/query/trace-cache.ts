import type { TracedBlock } from "#api/rpc/index.ts";
import type { BlockReplay, TransactionTrace } from "#engine/execution/index.ts";
import type { BlockInfo, HashedTransaction, Receipt } from "#protocol/chain/index.ts";

/** Cached trace; `too_large` if it exceeds the limit, `undefined` if it was evicted. */
export type CachedTrace = TransactionTrace | "too_large" | undefined;

/** Block that is partially or fully re-executed. */
export interface Replayed {
  /** As {@link TracedBlock.id}; changes when the block is accepted. */
  id: string;
  readonly info: BlockInfo;
  readonly replay: BlockReplay;
  /** Executed transactions. */
  readonly transactions: HashedTransaction[];
  readonly receipts: Receipt[];
  /** Results of the executed transactions. */
  readonly traces: CachedTrace[];
  /** Approximate size of the traces. */
  sizeBytes: number;
}

/** Capacity of a {@link TraceCache}. */
export interface TraceCacheLimits {
  /** Maximum size of all traces together, approximate. */
  readonly maxCachedBytes: number;
  /** Maximum contracts and cells of all states together. */
  readonly maxCachedState: number;
}

/** Maximum blocks: one without transactions has no traces to count. */
const MAX_BLOCKS = 64;

/** Least-recently-used cache of re-executed blocks. */
export class TraceCache {
  readonly #limits: TraceCacheLimits;
  readonly #kept = new Map<string, Replayed>();

  constructor(limits: TraceCacheLimits) {
    this.#limits = limits;
  }

  /**
   * Returns the cached entry of a block. An entry from a pending block is found under the accepted block's id
   * if its content is unchanged.
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

  /** Adds a block, replacing an existing entry. */
  put(replayed: Replayed): void {
    this.#kept.delete(replayed.id);
    this.#kept.set(replayed.id, replayed);
  }

  drop({ id }: Replayed): void {
    this.#kept.delete(id);
  }

  /** Evicts entries beyond the limits. The most recently used block only loses its traces. */
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

/** Drops the traces, but keeps the state to continue from. */
export function giveUp(replayed: Replayed): void {
  for (const [index, trace] of replayed.traces.entries()) {
    if (trace !== "too_large") replayed.traces[index] = undefined;
  }
  replayed.sizeBytes = 0;
}

function hasGivenUp({ traces }: Replayed): boolean {
  return traces.includes(undefined);
}

/** Whether everything executed matches the start of a block, on the same state before it. */
function isOf({ info, transactions, receipts, replay }: Replayed, block: TracedBlock): boolean {
  if (!Bun.deepEquals(environmentOf(info), environmentOf(block.info))) return false;
  const contents = block.contents();
  const { length } = transactions;
  return (
    transactions.every(({ hash }, i) => contents.transactions[i]?.hash === hash) &&
    Bun.deepEquals(transactions.map(bare), contents.transactions.slice(0, length).map(bare)) &&
    Bun.deepEquals(receipts, contents.receipts.slice(0, length)) &&
    replay.isValidOn(block)
  );
}

/** Removes the header's fields that do not affect execution. */
function environmentOf(info: BlockInfo): BlockInfo {
  const { number, timestamp, sequencerAddress, gasPrices, l1DaMode, protocolVersion } = info;
  return { number, timestamp, sequencerAddress, gasPrices, l1DaMode, protocolVersion };
}

/** Removes the encoded bytes that some readers attach. */
function bare({ hash, transaction }: HashedTransaction): HashedTransaction {
  return { hash, transaction };
}
