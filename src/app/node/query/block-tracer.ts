import type { CairoVm } from "#engine/cairo/index.ts";
import type { BlockInfo } from "#protocol/chain/index.ts";
import {
  type BlockContext,
  BlockReplay,
  traceSizeBytes,
  type TransactionTrace,
} from "#engine/execution/index.ts";
import type { TraceAccess, TracedBlock, TraceFailure } from "#api/rpc/index.ts";
import type { Cancellation } from "./cancellation.ts";

/** How much memory traces may take. */
export interface TraceLimits {
  /** Most bytes of the traces of one answer, about. */
  readonly maxAnswerBytes: number;
  /** Most bytes of traces that are kept for later requests, about. */
  readonly maxKeptBytes: number;
  /** Most contracts and cells of a state that is kept. */
  readonly maxKeptState: number;
}

/** As JSON text, of which an answer has 64 MiB at most, traces take about as much or more. */
export const DEFAULT_TRACE_LIMITS: TraceLimits = {
  maxAnswerBytes: 64 << 20,
  maxKeptBytes: 32 << 20,
  maxKeptState: 2 ** 17,
};

/** What a tracer works with. */
export interface BlockTracerParts {
  readonly vm: CairoVm;
  readonly contextOf: (info: BlockInfo) => BlockContext;
  readonly cancellation: Pick<Cancellation, "isStopped" | "noted">;
  readonly limits?: TraceLimits;
}

/** A block as far as it was executed again. */
interface Replayed {
  readonly id: string;
  readonly replay: BlockReplay;
  /** Of the transactions that were executed; `undefined` where it was given up for lack of room. */
  readonly traces: (TransactionTrace | undefined)[];
  sizeBytes: number;
}

/**
 * Traces of blocks. The last block is kept where it stands: a client that asks for one transaction
 * after the other has none executed twice, and a request that was stopped at its deadline goes on
 * from there when it comes again.
 */
export class BlockTracer implements Pick<TraceAccess, "traceBlock" | "traceOne"> {
  readonly #parts: BlockTracerParts;
  readonly #limits: TraceLimits;
  #last: Replayed | undefined;

  constructor(parts: BlockTracerParts) {
    this.#parts = parts;
    this.#limits = parts.limits ?? DEFAULT_TRACE_LIMITS;
  }

  traceBlock(block: TracedBlock): ReturnType<TraceAccess["traceBlock"]> {
    const { length } = block.contents().transactions;
    return this.#trimmed(() => {
      const last = this.#take(block, 0, length);
      const failure = this.#advance(last, block, length, true);
      if (failure !== undefined) return failure;
      const traces = last.traces.slice(0, length).filter((trace) => trace !== undefined);
      return { kind: "ok", traces, initialReads: last.replay.reads };
    });
  }

  traceOne(block: TracedBlock, index: number): ReturnType<TraceAccess["traceOne"]> {
    return this.#trimmed(() => {
      const last = this.#take(block, index, index + 1);
      const failure = this.#advance(last, block, index + 1, false);
      if (failure !== undefined) return failure;
      const trace = last.traces[index];
      return trace === undefined
        ? { kind: "differs", index, reason: "the block has no such transaction" }
        : { kind: "ok", trace };
    });
  }

  /** The block as it was left, where the traces from index `from` to `to` are there or to come. */
  #take(block: TracedBlock, from: number, to: number): Replayed {
    const known = this.#last;
    if (known?.id === block.id && !known.traces.slice(from, to).includes(undefined)) return known;
    const { vm, contextOf } = this.#parts;
    const { before, after } = block;
    const replay = new BlockReplay(vm, { block: contextOf(block.info), before, after });
    return (this.#last = { id: block.id, replay, traces: [], sizeBytes: 0 });
  }

  /** Executes what is lacking of the first `count` transactions. */
  #advance(
    last: Replayed,
    block: TracedBlock,
    count: number,
    keepsAll: boolean,
  ): TraceFailure | undefined {
    const { cancellation } = this.#parts;
    const { maxAnswerBytes, maxKeptBytes } = this.#limits;
    if (last.traces.length >= count) return undefined;
    const { transactions, receipts } = block.contents();
    for (let index = last.traces.length; index < count; index++) {
      if (cancellation.isStopped()) return { kind: "cancelled", done: index };
      const transaction = transactions[index];
      const receipt = receipts[index];
      if (transaction === undefined || receipt === undefined) return undefined;
      const step = last.replay.next(transaction, receipt);
      if (step.kind === "cancelled") {
        cancellation.noted(step);
        return { kind: "cancelled", done: index };
      }
      if (step.kind === "differs") {
        this.#last = undefined;
        return { kind: "differs", index, reason: step.reason };
      }
      const sizeBytes = traceSizeBytes(step.trace);
      if (!keepsAll && last.sizeBytes + sizeBytes > maxKeptBytes) giveUp(last);
      last.traces.push(step.trace);
      last.sizeBytes += sizeBytes;
      const answerBytes = keepsAll ? last.sizeBytes : sizeBytes;
      if ((keepsAll || index === count - 1) && answerBytes > maxAnswerBytes) {
        return { kind: "too_large" };
      }
    }
    return undefined;
  }

  /** Answers, and keeps nothing that is too large. */
  #trimmed<T>(answer: () => T): T {
    const answered = answer();
    const { maxKeptBytes, maxKeptState } = this.#limits;
    const last = this.#last;
    if (last !== undefined && last.sizeBytes > maxKeptBytes) giveUp(last);
    if (last !== undefined && last.replay.stateSize > maxKeptState) this.#last = undefined;
    return answered;
  }
}

/** Frees the traces, but not what goes on from there. */
function giveUp(replayed: Replayed): void {
  replayed.traces.fill(undefined);
  replayed.sizeBytes = 0;
}
