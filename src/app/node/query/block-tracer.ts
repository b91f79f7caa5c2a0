import type { CairoVm } from "#engine/cairo/index.ts";
import type { BlockInfo } from "#protocol/chain/index.ts";
import { type BlockContext, BlockReplay, traceSizeBytes } from "#engine/execution/index.ts";
import type { TraceAccess, TracedBlock, TraceFailure } from "#api/rpc/index.ts";
import type { Cancellation } from "./cancellation.ts";
import { giveUp, type KeptLimits, KeptReplays, type Replayed } from "./kept-replays.ts";

/** How much memory traces may take. */
export interface TraceLimits extends KeptLimits {
  /** Most bytes of the traces of one answer, about. */
  readonly maxAnswerBytes: number;
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

/**
 * Traces of blocks. The last blocks are kept where they stand: a client that asks for one transaction
 * after the other has none executed twice, a request that was stopped at its deadline goes on from
 * there when it comes again, and what was traced while its block was being built is there when the
 * block is accepted.
 */
export class BlockTracer implements Pick<TraceAccess, "traceBlock" | "traceOne"> {
  readonly #parts: BlockTracerParts;
  readonly #limits: TraceLimits;
  readonly #kept: KeptReplays;

  constructor(parts: BlockTracerParts) {
    this.#parts = parts;
    this.#limits = parts.limits ?? DEFAULT_TRACE_LIMITS;
    this.#kept = new KeptReplays(this.#limits);
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
    const known = this.#kept.find(block);
    if (known !== undefined && !known.traces.slice(from, to).includes(undefined)) return known;
    const { vm, contextOf } = this.#parts;
    const { id, info, before, after } = block;
    const replay = new BlockReplay(vm, { block: contextOf(info), before, after });
    const begun = { id, info, replay, transactions: [], receipts: [], traces: [], sizeBytes: 0 };
    this.#kept.put(begun);
    return begun;
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
        this.#kept.drop(last);
        return { kind: "differs", index, reason: step.reason };
      }
      const sizeBytes = traceSizeBytes(step.trace);
      if (!keepsAll && last.sizeBytes + sizeBytes > maxKeptBytes) giveUp(last);
      last.transactions.push(transaction);
      last.receipts.push(receipt);
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
    this.#kept.trim();
    return answered;
  }
}
