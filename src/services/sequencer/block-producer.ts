import type { CairoVm } from "#engine/cairo/index.ts";
import {
  type BlockInfo,
  type EncodedTransaction,
  executableClassOf,
  type L1Handler,
} from "#protocol/chain/index.ts";
import { invariant } from "#base/errors/index.ts";
import {
  type BlockContext,
  BlockExecutor,
  callContract,
  type ExecutionFlags,
  type Rejection,
  type TransactionOutcome,
} from "#engine/execution/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { PendingDelta, StateReader } from "#engine/state/index.ts";
import type { Candidate, PostponedTransaction } from "#services/admission/index.ts";
import { attempt, type BatchResult, ifReachable } from "./batch-result.ts";
import { blockInfoAt, type ParentInfo } from "./block-info.ts";
import { flagsOf, isAhead, unpaidRejection } from "./candidate-flags.ts";
import { blockTimestamp } from "./clock.ts";
import {
  addChange,
  addIncluded,
  type BlockPlace,
  changedValues,
  emptyBlock,
  executeAgain,
  OF_MESSAGE,
  type OpenBlock,
  takeDelta,
} from "./open-block.ts";
import type { ProducerSettings, ProducerSource } from "./producer-settings.ts";
import type { SealedDraft } from "./sealed-draft.ts";
import { changeSize, type StateChange } from "./state-change.ts";
import type { RefusedChange } from "./state-decision.ts";
import { BALANCE_CALL_GAS, type CallOn } from "./token-balance.ts";

/**
 * Maximum number of values per block that no transaction set; further changes go into the next block. A
 * single change may have more.
 */
export const MAX_WRITES = 1_000;

/**
 * Builds one block after the other on a given state. It does no disk I/O: results leave as
 * {@link PendingDelta} values and, when sealed, as a {@link SealedDraft}.
 */
export class BlockProducer {
  readonly #vm: CairoVm;
  readonly #settings: ProducerSettings;
  readonly #source: ProducerSource;
  #open: OpenBlock | undefined;
  #prepared: BlockPlace | undefined;

  constructor(vm: CairoVm, settings: ProducerSettings, source: ProducerSource) {
    this.#vm = vm;
    this.#settings = settings;
    this.#source = source;
  }

  /** Number of transactions in the open block; 0 if no block is open. */
  get transactionCount(): number {
    return this.#open?.transactions.length ?? 0;
  }

  /** Number of transactions plus other changes in the open block; 0 if no block is open. */
  get contentCount(): number {
    return this.transactionCount + (this.#open?.changes.length ?? 0);
  }

  /** Hashes of the transactions in the open block, in order. */
  transactionHashes(): readonly Felt[] {
    return this.#open?.transactions.map(({ hash }) => hash) ?? [];
  }

  /** Whether a block is open: announced, or with a transaction. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /**
   * Opens block `number` on `state`, the state after its parent. Its timestamp and prices are decided now.
   *
   * @returns the block's first delta, which writes the hash of an old block into contract 0x1
   */
  open(number: number, parent: ParentInfo | undefined, state: StateReader): PendingDelta {
    invariant(this.#open === undefined, "a block is open already");
    const open = this.#begin({ number, parent, state });
    this.#prepared = undefined;
    this.#open = open;
    return takeDelta(open, false);
  }

  /**
   * Sets the position of the next block without opening it. {@link execute} opens the block with the first
   * included transaction, and decides timestamp and prices then. A batch without an included transaction
   * leaves no block.
   */
  prepare(number: number, parent: ParentInfo | undefined, state: StateReader): void {
    invariant(this.#open === undefined, "a block is open already");
    this.#prepared = { number, parent, state };
  }

  /**
   * Executes transactions in order until the block is full or the pace ends the batch. Reuses results of
   * admission that still hold.
   */
  execute(batch: readonly Candidate[]): BatchResult {
    const rejected: { hash: Felt; error: Rejection }[] = [];
    const requeued: Felt[] = [];
    const postponed: PostponedTransaction[] = [];
    // Re-execution of a block sees only its transactions: none may follow a write.
    let full = this.#hasWrites();
    let stopped = false;
    const { pace } = this.#source;
    for (const candidate of batch) {
      const { transaction, declared } = candidate;
      if (full || stopped || pace?.mayExecute(candidate) === false) {
        requeued.push(transaction.hash);
        continue;
      }
      const open = this.#openOrNew();
      this.#source.beforeTransaction(transaction.hash);
      const flags = flagsOf(this.#settings, candidate);
      const startMs = this.#source.processorMs();
      const outcome = attempt(() => this.#executeCandidate(open, candidate, flags));
      const tookMs = this.#source.processorMs() - startMs;
      if (pace?.executed(candidate, tookMs) === false) stopped = true;
      const { hash } = transaction;
      switch (outcome.kind) {
        case "included":
          addIncluded(open, transaction, { flags, declared }, outcome.receipt);
          this.#open = open;
          break;
        case "rejected":
          // A nonce that is too high only has to wait for the transaction before it.
          if (
            outcome.error.code === "INVALID_NONCE" &&
            isAhead(transaction, open.executor.reader())
          ) {
            requeued.push(hash);
          } else rejected.push({ hash, error: outcome.error });
          break;
        case "postponed":
          stopped = true;
          requeued.push(hash);
          postponed.push({ hash, reason: outcome.reason });
          break;
        case "block_full":
          full = true;
          requeued.push(hash);
          break;
        case "cancelled":
          stopped = true;
          requeued.push(hash);
          break;
      }
    }
    return { delta: this.takeDelta(), rejected, requeued, postponed, full };
  }

  /** @throws {OriginError} when a value of the fork's origin is missing; the block is then unchanged */
  #executeCandidate(
    open: OpenBlock,
    candidate: Candidate,
    flags: ExecutionFlags,
  ): TransactionOutcome {
    const { transaction, prevalidated, declared } = candidate;
    const executable = declared === undefined ? undefined : executableClassOf(declared);
    const unpaid = unpaidRejection(this.#settings, candidate, open.executor.reader());
    if (unpaid !== undefined) return { kind: "rejected", error: unpaid };
    return open.executor.execute(transaction, flags, executable, prevalidated);
  }

  /**
   * Executes a message from L1; opens a block like a transaction. {@link takeDelta} returns its changes.
   *
   * @throws {OriginError} when a value of the fork's origin is missing; nothing is then changed
   */
  executeMessage(message: EncodedTransaction<L1Handler>): TransactionOutcome {
    if (this.#hasWrites()) return { kind: "block_full" };
    const open = this.#openOrNew();
    this.#source.beforeTransaction(message.hash);
    const outcome = open.executor.execute(message);
    if (outcome.kind !== "included") return outcome;
    addIncluded(open, message, OF_MESSAGE, outcome.receipt);
    this.#open = open;
    return outcome;
  }

  /** Returns the changes included since the last delta; `undefined` if none. */
  takeDelta(): PendingDelta | undefined {
    const open = this.#open;
    if (open === undefined || open.transactions.length === open.sentTransactions) return undefined;
    return takeDelta(open, false);
  }

  /**
   * Changes the state after the block's transactions. Opens a block like a transaction.
   *
   * @param decide - returns the change for the block's current state, or the reason to refuse it
   * @returns `null` if the open block has no room for it
   * @throws {OriginError} when a value of the fork's origin is missing; nothing is then changed
   */
  changeState(
    decide: (state: StateReader, call: CallOn) => StateChange | RefusedChange,
  ): PendingDelta | RefusedChange | null {
    const open = this.#openOrNew();
    const block = this.#contextOf(open.info);
    const change = decide(open.executor.reader(), (state, call) =>
      callContract(this.#vm, state, block, call, BALANCE_CALL_GAS),
    );
    if ("reason" in change) return change;
    const values = changedValues(open);
    if (values > 0 && values + changeSize(change) > MAX_WRITES) return null;
    addChange(open, change);
    this.#open = open;
    return takeDelta(open, false);
  }

  /**
   * Re-executes the open block with the time that a block opened now would have.
   *
   * @returns a delta that replaces all earlier ones of the block; `none` if no block is open, `kept` if the
   * block already has that time, `impossible` if not everything would be included, or the fork's origin does
   * not return a value: the block is then unchanged
   */
  retime(): PendingDelta | "none" | "kept" | "impossible" {
    const old = this.#open;
    if (old === undefined) return "none";
    const timestamp = blockTimestamp(this.#source.clock, old.place.parent?.timestamp);
    if (timestamp === old.info.timestamp) return "kept";
    const open = this.#blockOf(old.place, { ...old.info, timestamp });
    const note = (hash: Felt): void => this.#source.beforeTransaction(hash);
    if (!ifReachable(() => executeAgain(old, open, note))) return "impossible";
    open.nextSequence = old.nextSequence;
    this.#open = open;
    return { ...takeDelta(open, false), info: open.info };
  }

  /** Seals the open block. The delta holds the changes made by sealing: aliases in contract 0x2. */
  seal(): { readonly draft: SealedDraft; readonly delta: PendingDelta } {
    const open = this.#open;
    invariant(open !== undefined, "no block is open");
    this.#open = undefined;
    this.#prepared = undefined;
    const { stateDiff } = open.executor.finish();
    const { info, transactions, receipts, classes } = open;
    const delta = takeDelta(open, true);
    return { draft: { info, transactions, receipts, stateDiff, classes }, delta };
  }

  #hasWrites(): boolean {
    return this.#open !== undefined && this.#open.changes.length > 0;
  }

  /** Returns the open block, or a new one that becomes open with its first transaction. */
  #openOrNew(): OpenBlock {
    if (this.#open !== undefined) return this.#open;
    const place = this.#prepared;
    invariant(place !== undefined, "no block is open or prepared");
    return this.#begin(place);
  }

  #begin(place: BlockPlace): OpenBlock {
    const { number, parent } = place;
    const settings = this.#settings;
    const source = this.#source;
    const decided = blockInfoAt(number, parent, settings, source.l1Prices(), source.clock);
    const info = { ...decided, gasPrices: source.priced(decided.gasPrices) ?? decided.gasPrices };
    return this.#blockOf(place, info);
  }

  #blockOf(place: BlockPlace, info: BlockInfo): OpenBlock {
    const executor = new BlockExecutor(this.#vm, place.state, this.#contextOf(info));
    executor.readAhead();
    executor.begin(this.#oldBlock(place.number));
    return emptyBlock(place, info, executor);
  }

  #contextOf(info: BlockInfo): BlockContext {
    const { chainId, feeTokens, constants, bouncer } = this.#settings;
    return { info, chainId, feeTokens, constants, bouncer };
  }

  #oldBlock(number: number): { number: number; hash: Felt } | undefined {
    const old = number - this.#settings.constants.os.storedBlockHashBuffer;
    if (old < 0) return undefined;
    const hash = this.#source.blockHash(old);
    invariant(hash !== undefined, `block ${number} needs the hash of block ${old}`);
    return { number: old, hash };
  }
}
