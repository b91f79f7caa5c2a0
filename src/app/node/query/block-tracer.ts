import type { CairoVm } from "#engine/cairo/index.ts";
import type { BlockInfo } from "#protocol/chain/index.ts";
import { type BlockContext, BlockReplay, type TransactionTrace } from "#engine/execution/index.ts";
import type {
  LongTracedTransactions,
  TraceAccess,
  TracedBlock,
  TraceFailure,
} from "#api/rpc/index.ts";
import type { Cancellation } from "./cancellation.ts";
import { giveUp, TraceCache, type CachedTrace, type Replayed } from "./trace-cache.ts";
import type { TraceLimits } from "./trace-limits.ts";

/** Dependencies of {@link BlockTracer}. */
export interface BlockTracerDeps {
  readonly vm: CairoVm;
  readonly contextOf: (info: BlockInfo) => BlockContext;
  readonly cancellation: Pick<Cancellation, "isStopped" | "noted">;
  readonly limits: TraceLimits;
}

/**
 * Traces blocks, and caches the state of recent ones. A client that requests one transaction after another
 * causes no repeated execution. A request that hit its deadline continues where it stopped when it is
 * repeated. Traces of a pending block remain available after its acceptance. If the traces of a block do not
 * fit into memory together, they are made one by one as the caller consumes them.
 */
export class BlockTracer implements Pick<TraceAccess, "traceBlock" | "traceOne"> {
  readonly #deps: BlockTracerDeps;
  readonly #limits: TraceLimits;
  readonly #cache: TraceCache;

  constructor(deps: BlockTracerDeps) {
    this.#deps = deps;
    this.#limits = deps.limits;
    this.#cache = new TraceCache(this.#limits);
  }

  traceBlock(block: TracedBlock): ReturnType<TraceAccess["traceBlock"]> {
    const { length } = block.contents().transactions;
    return this.#trimmed(() => {
      const last = this.#take(block, 0, length);
      const initialReads = () => last.replay.reads;
      const failure = this.#advance(last, block, 0, length);
      if (failure === "long") return this.#rest(last, block);
      if (failure !== undefined) return failure;
      const traces = last.traces.slice(0, length).filter(isTrace);
      return { kind: "ok", traces, initialReads };
    });
  }

  traceOne(block: TracedBlock, index: number): ReturnType<TraceAccess["traceOne"]> {
    return this.#trimmed(() => {
      const last = this.#take(block, index, index + 1);
      const failure = this.#next(last, block, index);
      if (failure !== undefined) return failure;
      const trace = last.traces[index];
      return isTrace(trace)
        ? { kind: "ok", trace }
        : { kind: "differs", index, reason: "the block has no such transaction" };
    });
  }

  /**
   * Returns the block's cached replay if its traces in `from..to` are available or still to come; otherwise
   * starts a new replay.
   */
  #take(block: TracedBlock, from: number, to: number): Replayed {
    const known = this.#cache.find(block);
    if (known !== undefined && !known.traces.slice(from, to).includes(undefined)) return known;
    const { vm, contextOf } = this.#deps;
    const { id, info, before, after } = block;
    const replay = new BlockReplay(vm, { block: contextOf(info), before, after });
    const started = { id, info, replay, transactions: [], receipts: [], traces: [], sizeBytes: 0 };
    this.#cache.put(started);
    return started;
  }

  /** Executes the missing ones of the first `index + 1` transactions, so that the last trace is available. */
  #next(last: Replayed, block: TracedBlock, index: number): TraceFailure | undefined {
    const failure = this.#advance(last, block, index, index + 1);
    return failure === "long" ? undefined : failure;
  }

  /**
   * Executes the missing ones of the first `to` transactions, so that the traces from index `from` on are
   * available. Earlier ones are executed whatever their trace is; it is kept if there is room.
   *
   * @returns `long` if it stopped because the traces exceed the memory limit together
   */
  #advance(
    last: Replayed,
    block: TracedBlock,
    from: number,
    to: number,
  ): TraceFailure | "long" | undefined {
    const { cancellation } = this.#deps;
    const { maxTraceBytes, maxHeldBytes, maxCachedBytes } = this.#limits;
    const known = last.traces.slice(from, to).indexOf("too_large");
    if (known !== -1) return { kind: "too_large", index: from + known };
    if (last.traces.length >= to) return undefined;
    const { transactions, receipts } = block.contents();
    let heldBytes = last.traces.slice(from).reduce(addSize, 0);
    for (let index = last.traces.length; index < to; index++) {
      if (cancellation.isStopped()) return { kind: "cancelled", done: index };
      const transaction = transactions[index];
      const receipt = receipts[index];
      if (transaction === undefined || receipt === undefined) return undefined;
      const isWanted = index >= from;
      const maxBytes = isWanted ? maxTraceBytes : Math.min(maxCachedBytes, maxTraceBytes);
      const step = last.replay.next(transaction, receipt, maxBytes);
      if (step.kind === "cancelled") {
        cancellation.noted(step);
        return { kind: "cancelled", done: index };
      }
      if (step.kind === "differs") {
        this.#cache.drop(last);
        return { kind: "differs", index, reason: step.reason };
      }
      const { trace = maxBytes === maxTraceBytes ? "too_large" : undefined } = step;
      const sizeBytes = sizeOf(trace);
      // Evicted only for a single-trace request: a block's request needs all its traces until the
      // response is written.
      if (to - from === 1 && last.sizeBytes + sizeBytes > maxCachedBytes) giveUp(last);
      last.transactions.push(transaction);
      last.receipts.push(receipt);
      last.traces.push(trace);
      last.sizeBytes += sizeBytes;
      if (!isWanted) continue;
      if (trace === "too_large") return { kind: "too_large", index };
      heldBytes += sizeBytes;
      if (heldBytes > maxHeldBytes) return "long";
    }
    return undefined;
  }

  /** Yields the traces one by one; releases each before the next. */
  #rest(last: Replayed, block: TracedBlock): LongTracedTransactions {
    // Dropped, because the traces are not kept: another request executes the block again.
    this.#cache.drop(last);
    const { length } = block.contents().transactions;
    const next = (index: number): TransactionTrace | TraceFailure | undefined => {
      const failure = this.#next(last, block, index);
      if (failure !== undefined) return failure;
      const trace = last.traces[index];
      last.traces[index] = undefined;
      return isTrace(trace) ? trace : undefined;
    };
    function* steps(): Generator<TransactionTrace | TraceFailure> {
      for (let index = 0; index < length; index++) {
        const step = next(index);
        if (step === undefined) return;
        yield step;
        if ("kind" in step) return;
      }
    }
    return { kind: "long", steps: steps(), initialReads: () => last.replay.reads };
  }

  /** Computes a response, then trims the cache. */
  #trimmed<T>(answer: () => T): T {
    const answered = answer();
    this.#cache.trim();
    return answered;
  }
}

function isTrace(trace: CachedTrace): trace is TransactionTrace {
  return trace !== undefined && trace !== "too_large";
}

function sizeOf(trace: CachedTrace): number {
  return isTrace(trace) ? trace.sizeBytes : 0;
}

function addSize(sizeBytes: number, trace: CachedTrace): number {
  return sizeBytes + sizeOf(trace);
}
