import type { CairoVm } from "#engine/cairo/index.ts";
import type { HashedTransaction, Receipt } from "#protocol/chain/index.ts";
import {
  type ReadSet,
  readSetMatches,
  RecordingReader,
  type StateReader,
} from "#engine/state/index.ts";
import type { BlockContext } from "../block/context.ts";
import { BlockExecutor } from "../block/executor.ts";
import type { BouncerWeights } from "../block/weights.ts";
import { TraceMemory } from "../call/trace-memory.ts";
import type { ExecutionFlags } from "../transaction/flags.ts";
import { type TransactionTrace, transactionTrace } from "./trace.ts";

/** Environment for re-executing the transactions of a block. */
export interface ReplaySource {
  readonly block: BlockContext;
  /** State before the block. */
  readonly before: StateReader;
  /**
   * State after the block, or after more transactions than are replayed if the block is pending; contains
   * the classes that they declare.
   */
  readonly after: StateReader;
}

/** Result of re-executing one transaction. */
export type ReplayStep =
  | {
      readonly kind: "executed";
      /** `undefined` when it exceeds its limit, or was not requested. */
      readonly trace: TransactionTrace | undefined;
    }
  /** The transaction's result differs from the original block. */
  | { readonly kind: "differs"; readonly reason: string }
  | { readonly kind: "cancelled" };

/** Re-executes the transactions of a block in order. Requesting traces does not change their results. */
export class BlockReplay {
  readonly #source: ReplaySource;
  readonly #reads: RecordingReader;
  readonly #executor: BlockExecutor;
  readonly #oldBlock: OldBlock;

  constructor(vm: CairoVm, source: ReplaySource) {
    // Capacity is not enforced for an existing block; weights depend only on the costs.
    const bouncer = { ...source.block.bouncer, limits: {} };
    const block: BlockContext = { ...source.block, bouncer };
    this.#source = { ...source, block };
    this.#reads = new RecordingReader(source.before);
    this.#executor = new BlockExecutor(vm, this.#reads, block);
    this.#oldBlock = oldBlockOf(this.#source);
    this.#executor.begin(this.#oldBlock);
  }

  /** All reads from the state before the block so far. */
  get reads(): ReadSet {
    return this.#reads.readSet();
  }

  get weights(): BouncerWeights {
    return this.#executor.weights();
  }

  /** Number of cached contracts and cells. */
  get stateSize(): number {
    return this.#executor.state().size();
  }

  /**
   * Whether the same transactions in a block with the same environment would have the same results on other
   * states.
   */
  isValidOn({ before, after }: Pick<ReplaySource, "before" | "after">): boolean {
    const oldBlock = oldBlockOf({ ...this.#source, after });
    return oldBlock?.hash === this.#oldBlock?.hash && readSetMatches(this.reads, before);
  }

  /**
   * Executes the next transaction.
   *
   * @param receipt - expected receipt
   * @param maxTraceBytes - approximate size limit of the trace; 0 for no trace
   */
  next(hashed: HashedTransaction, receipt: Receipt, maxTraceBytes: number): ReplayStep {
    const { block, after } = this.#source;
    const { transaction } = hashed;
    const declared =
      transaction.type === "DECLARE" ? after.executableClass(transaction.classHash) : undefined;
    const memory = maxTraceBytes > 0 ? new TraceMemory(maxTraceBytes) : undefined;
    const outcome = this.#executor.execute(hashed, flagsFor(receipt, memory), declared);
    switch (outcome.kind) {
      case "cancelled":
        return outcome;
      case "block_full":
        return { kind: "differs", reason: "the block has no room for it" };
      case "rejected":
        return { kind: "differs", reason: outcome.error.message };
      case "included": {
        const reason = differenceOf(outcome.receipt, receipt);
        if (reason !== undefined) return { kind: "differs", reason };
        if (memory === undefined || memory.isExceeded)
          return { kind: "executed", trace: undefined };
        const reader = this.#executor.reader();
        const trace = transactionTrace(block, hashed, outcome.info, reader, memory);
        const isTooLarge = trace.sizeBytes > maxTraceBytes;
        return { kind: "executed", trace: isTooLarge ? undefined : trace };
      }
    }
  }
}

/** A chain without fees writes a fee of 0 to its receipts; no other transaction has a fee of 0. */
function flagsFor(
  { actualFee, isImpersonated }: Receipt,
  trace: TraceMemory | undefined,
): ExecutionFlags {
  return {
    ...(trace === undefined ? {} : { trace }),
    ...(actualFee === 0n ? { chargeFee: false, freeGas: true } : {}),
    ...(isImpersonated === true ? { validate: false } : {}),
  };
}

/** Block whose hash becomes readable. */
type OldBlock = Parameters<BlockExecutor["begin"]>[0];

function oldBlockOf({ block, after }: ReplaySource): OldBlock {
  const { storedBlockHashBuffer, contractAddresses } = block.constants.os;
  const number = block.info.number - storedBlockHashBuffer;
  if (number < 0) return undefined;
  return { number, hash: after.storageAt(contractAddresses.blockHash, BigInt(number)) };
}

function differenceOf(replayed: Receipt, stored: Receipt): string | undefined {
  if (replayed.status.kind !== stored.status.kind) {
    const reason = replayed.status.kind === "reverted" ? `: ${replayed.status.reason}` : "";
    return `it ${replayed.status.kind} now${reason}`;
  }
  if (replayed.actualFee !== stored.actualFee) {
    return `its fee is ${replayed.actualFee} now, and was ${stored.actualFee}`;
  }
  return replayed.events.length === stored.events.length &&
    replayed.messages.length === stored.messages.length
    ? undefined
    : "it emits something else now";
}
