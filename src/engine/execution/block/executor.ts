import { type CairoVm, isOutOfMemory } from "#engine/cairo/index.ts";
import type { ExecutableClass, HashedTransaction, StateDiff } from "#protocol/chain/index.ts";
import { compareFelts, type Felt } from "#base/primitives/index.ts";
import { CachedState, type Checkpoint, type StateReader } from "#engine/state/index.ts";
import { invariant } from "#base/errors/index.ts";
import { runAccountTransaction } from "../transaction/account.ts";
import type { ExecutionFlags } from "../transaction/flags.ts";
import { runL1Handler } from "../transaction/l1-handler.ts";
import type { RunResult } from "../transaction/run.ts";
import type { PrevalidatedCall } from "../validation/prevalidated.ts";
import { allocateAliases, readAliases } from "./aliases.ts";
import { Bouncer } from "./bouncer.ts";
import type { BlockContext } from "./context.ts";
import {
  executionInfo,
  receiptOf,
  rejectedAsTooLarge,
  type TransactionOutcome,
} from "./outcome.ts";
import { footprintOf } from "./touched.ts";
import type { BouncerWeights } from "./weights.ts";

/** Results of closing a block, in addition to its transactions' changes. */
export interface FinishedBlock {
  /** Includes aliases (contract 0x2) and migrated compiled class hashes. */
  readonly stateDiff: StateDiff;
  readonly weights: BouncerWeights;
  /** Sierra gas for hashing each executed class, by class hash. */
  readonly casmHashSierraGas: ReadonlyMap<Felt, bigint>;
  readonly casmHashProvingGas: ReadonlyMap<Felt, bigint>;
  readonly sierraGasWithoutCasmHash: bigint;
  readonly provingGasWithoutCasmHash: bigint;
  /** Pairs (new, old) of migrated compiled class hashes, ascending. */
  readonly migratedCompiledClassHashes: readonly (readonly [Felt, Felt])[];
}

/**
 * Executes the transactions of one block sequentially. It reads through `reader`, writes nowhere and uses no
 * clock: the same input produces the same block on every node.
 */
export class BlockExecutor {
  readonly #vm: CairoVm;
  readonly #block: BlockContext;
  readonly #state: CachedState;
  readonly #bouncer: Bouncer;
  #deltaStart: Checkpoint = 0;
  #isFinished = false;
  #readsAhead = false;

  constructor(vm: CairoVm, reader: StateReader, context: BlockContext) {
    this.#vm = vm;
    this.#block = context;
    this.#state = new CachedState(reader);
    this.#bouncer = new Bouncer(context);
  }

  /**
   * Lets each change of the block also read what {@link finish} will read for it, which then needs nothing from
   * the reader. For readers that may fail: only the change at fault is then lost.
   */
  readAhead(): void {
    this.#readsAhead = true;
    this.#state.pin(this.#block.constants.os.contractAddresses.alias);
  }

  /**
   * Opens the block: stores the hash of the block ten before it in contract 0x1, where `get_block_hash` reads
   * it.
   *
   * @param oldBlock - required from block 10 on
   * @throws {InvariantError} when it is missing
   */
  begin(oldBlock: { readonly number: number; readonly hash: Felt } | undefined): void {
    const { os } = this.#block.constants;
    if (oldBlock === undefined) {
      invariant(
        this.#block.info.number < os.storedBlockHashBuffer,
        "The hash of an old block must be given from block 10 on.",
      );
      return;
    }
    this.#state.setStorage(os.contractAddresses.blockHash, BigInt(oldBlock.number), oldBlock.hash);
  }

  /**
   * Executes a transaction on the block's current state.
   *
   * @param declared - class that a declare transaction contains
   * @param prevalidated - earlier validation of this transaction, reused if its result would be the same
   * @throws whatever the state's reader throws; the block is then unchanged
   */
  execute(
    transaction: HashedTransaction,
    flags: ExecutionFlags = {},
    declared?: ExecutableClass,
    prevalidated?: PrevalidatedCall,
  ): TransactionOutcome {
    this.#state.trim();
    return this.#atomically(() => this.#include(transaction, flags, declared, prevalidated));
  }

  /**
   * Changes the state without a transaction.
   *
   * @param work - writes to the state
   * @throws errors of `work`, and whatever the state's reader throws; nothing is then changed
   */
  change<T>(work: (state: CachedState) => T): T {
    const state = this.#state;
    return this.#atomically(() => {
      const start = state.checkpoint();
      const result = work(state);
      this.#readAliases(state.diffSince(start));
      return result;
    });
  }

  /** Undoes the writes of `work` if it throws. */
  #atomically<T>(work: () => T): T {
    const start = this.#state.checkpoint();
    try {
      return work();
    } catch (error) {
      this.#state.revertTo(start);
      throw error;
    }
  }

  #include(...input: Parameters<BlockExecutor["execute"]>): TransactionOutcome {
    const [transaction] = input;
    const state = this.#state;
    const start = state.checkpoint();
    const result = this.#tryRun(...input);
    if (result.kind !== "done") {
      state.revertTo(start);
      return result;
    }
    const stateDiff = state.diffSince(start);
    const calls = [result.validate, result.execute].filter((call) => call !== null);
    const weighed = this.#bouncer.measure({
      footprint: footprintOf(calls, result.feeTransfer, stateDiff),
      resources: result.cost.resources,
      receiptL2Gas: result.cost.gas.l2Gas,
    });
    const tooLarge = this.#bouncer.exceededAlone(state, weighed);
    if (tooLarge !== null) {
      state.revertTo(start);
      return rejectedAsTooLarge(this.#block, tooLarge);
    }
    const weighing = this.#bouncer.weigh(state, weighed);
    if (!this.#bouncer.hasRoom(weighing)) {
      state.revertTo(start);
      return { kind: "block_full" };
    }
    this.#readAliases(stateDiff);
    this.#bouncer.add(weighing, weighed);
    const info = executionInfo(result, weighing.weights, stateDiff);
    return { kind: "included", receipt: receiptOf(transaction, result), info };
  }

  #readAliases(changes: StateDiff): void {
    const { flags, os } = this.#block.constants;
    if (!this.#readsAhead || !flags.enableStatefulCompression) return;
    readAliases(this.#state, os.contractAddresses.alias, changes);
  }

  #tryRun(...input: Parameters<BlockExecutor["execute"]>): RunResult {
    const [transaction, flags = {}, declared, prevalidated] = input;
    try {
      return this.#run(transaction, flags, declared, prevalidated);
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
      const message = "The transaction needs more memory than this node has.";
      return { kind: "rejected", error: { code: "OUT_OF_MEMORY", kind: "OutOfMemory", message } };
    }
  }

  #run(
    { hash, transaction }: HashedTransaction,
    flags: ExecutionFlags,
    declared: ExecutableClass | undefined,
    prevalidated: PrevalidatedCall | undefined,
  ): RunResult {
    const input = { vm: this.#vm, state: this.#state, block: this.#block, flags, prevalidated };
    switch (transaction.type) {
      case "DEPLOY":
        return {
          kind: "rejected",
          error: {
            code: "UNSUPPORTED",
            kind: "InvalidVersion",
            message: "Deploy transactions are no longer executed.",
          },
        };
      case "L1_HANDLER":
        return runL1Handler(input, { hash, transaction });
      default:
        return runAccountTransaction(input, { hash, transaction }, declared);
    }
  }

  stateDiff(): StateDiff {
    return this.#state.diffSince(0);
  }

  /** State changes since the previous call, or since the start of the block. */
  takeDelta(): StateDiff {
    const delta = this.#state.diffSince(this.#deltaStart);
    this.#deltaStart = this.#state.checkpoint();
    return delta;
  }

  weights(): BouncerWeights {
    return this.#bouncer.weights();
  }

  /** Current state of the block; changes with every further transaction. */
  reader(): StateReader {
    return this.#state;
  }

  /** Writable state, for calls that change it without a transaction. */
  state(): CachedState {
    return this.#state;
  }

  /**
   * Closes the block: allocates aliases and migrates compiled class hashes.
   *
   * @throws whatever the state's reader throws; the block is then still open
   */
  finish(): FinishedBlock {
    invariant(!this.#isFinished, "A block can be finished only once.");
    const finished = this.#atomically(() => this.#close());
    this.#isFinished = true;
    return finished;
  }

  #close(): FinishedBlock {
    const { flags, os } = this.#block.constants;
    if (flags.enableStatefulCompression) {
      allocateAliases(this.#state, os.contractAddresses.alias, 0);
    }
    const { migrations, ...total } = this.#bouncer.total();
    for (const [classHash, [blake]] of migrations) {
      this.#state.setCompiledClassHash(classHash, blake);
    }
    return {
      ...total,
      stateDiff: this.#state.diffSince(0),
      migratedCompiledClassHashes: [...migrations.values()].sort(([a], [b]) => compareFelts(a, b)),
    };
  }
}
