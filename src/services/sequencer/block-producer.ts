import type { CairoVm } from "#engine/cairo/index.ts";
import {
  type AccountTransaction,
  type BlockInfo,
  type EncodedClass,
  type EncodedTransaction,
  executableClassOf,
  type HashedTransaction,
  type L1Handler,
} from "#protocol/chain/index.ts";
import { invariant } from "#base/errors/index.ts";
import {
  type BlockContext,
  BlockExecutor,
  type Rejection,
  type TransactionOutcome,
} from "#engine/execution/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { PendingDelta, StateReader } from "#engine/state/index.ts";
import type { Candidate } from "#services/admission/index.ts";
import { blockInfoAt, type ParentInfo } from "./block-info.ts";
import { flagsOf, unpaidRejection } from "./candidate-flags.ts";
import { blockTimestamp } from "./clock.ts";
import type { StorageWrite } from "./control-messages.ts";
import {
  addIncluded,
  addWrite,
  type BlockPlace,
  emptyBlock,
  executeAgain,
  OF_MESSAGE,
  type OpenBlock,
} from "./open-block.ts";
import type { ProducerSettings, ProducerSource } from "./producer-settings.ts";
import type { SealedDraft } from "./sealed-draft.ts";

/** Most writes of one block that no transaction made; those beyond go into the next block. */
export const MAX_WRITES = 1_000;

const NO_CLASSES: readonly EncodedClass[] = [];

/** What became of a batch. */
export interface BatchResult {
  /** The included transactions and their changes; `undefined` when none was included. */
  readonly delta: PendingDelta | undefined;
  readonly rejected: readonly { readonly hash: Felt; readonly error: Rejection }[];
  /** To be executed later: they did not fit, are not let go yet, an earlier nonce was rejected, or the node stops. */
  readonly givenBack: readonly Felt[];
  /** A transaction did not fit: the block is to be closed. */
  readonly full: boolean;
}

/**
 * Builds one block after the other on a state that it is given. Touches no disk: what it made goes
 * out as {@link PendingDelta} values and, when sealed, as a {@link SealedDraft}.
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

  /** Number of transactions in the open block; 0 when none is open. */
  get transactionCount(): number {
    return this.#open?.transactions.length ?? 0;
  }

  /** Number of transactions and of writes in the open block; 0 when none is open. */
  get contentCount(): number {
    return this.transactionCount + (this.#open?.writes.length ?? 0);
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
   * Opens block `number` on `state`, the state after its parent: its info is of this moment.
   *
   * @returns the block's first delta, with the write of an old block's hash into contract 0x1
   */
  open(number: number, parent: ParentInfo | undefined, state: StateReader): PendingDelta {
    invariant(this.#open === undefined, "a block is open already");
    const open = this.#begin({ number, parent, state });
    this.#prepared = undefined;
    this.#open = open;
    return this.#takeDelta(open, false);
  }

  /**
   * Says where the next block stands without opening it. {@link execute} opens it with the first
   * transaction that is included, and decides timestamp and prices then: a batch in which nothing
   * is included leaves no block behind.
   */
  prepare(number: number, parent: ParentInfo | undefined, state: StateReader): void {
    invariant(this.#open === undefined, "a block is open already");
    this.#prepared = { number, parent, state };
  }

  /**
   * Executes transactions in order until the block is full or the pace says that it is enough. What
   * admission has found out is not computed again where it still holds.
   */
  execute(batch: readonly Candidate[]): BatchResult {
    const rejected: { hash: Felt; error: Rejection }[] = [];
    const givenBack: Felt[] = [];
    // Whoever executes the block again knows its transactions alone: none may stand behind a write.
    let full = this.#hasWrites();
    let stopped = false;
    const { pace } = this.#source;
    for (const candidate of batch) {
      const { transaction, prevalidated, declared } = candidate;
      if (full || stopped || pace?.mayGo(candidate) === false) {
        givenBack.push(transaction.hash);
        continue;
      }
      const open = this.#openOrNew();
      this.#source.beforeTransaction(transaction.hash);
      const executable = declared === undefined ? undefined : executableClassOf(declared);
      const flags = flagsOf(this.#settings, candidate);
      const startMs = this.#source.processorMs();
      const unpaid = unpaidRejection(this.#settings, candidate, open.executor.reader());
      const outcome: TransactionOutcome =
        unpaid === undefined
          ? open.executor.execute(transaction, flags, executable, prevalidated)
          : { kind: "rejected", error: unpaid };
      const tookMs = this.#source.processorMs() - startMs;
      if (pace?.executed(candidate, tookMs) === false) stopped = true;
      switch (outcome.kind) {
        case "included":
          addIncluded(open, transaction, { flags, declared }, outcome.receipt);
          this.#open = open;
          break;
        case "rejected":
          // A nonce that is ahead only waits for the transaction before it.
          if (outcome.error.code === "INVALID_NONCE" && this.#isAhead(open, transaction)) {
            givenBack.push(transaction.hash);
          } else rejected.push({ hash: transaction.hash, error: outcome.error });
          break;
        case "block_full":
          full = true;
          givenBack.push(transaction.hash);
          break;
        case "cancelled":
          stopped = true;
          givenBack.push(transaction.hash);
          break;
      }
    }
    return { delta: this.takeDelta(), rejected, givenBack, full };
  }

  /** Executes a message from L1, which opens a block as a transaction does; {@link takeDelta} tells of it. */
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

  /** What was included since the last delta; `undefined` when nothing was. */
  takeDelta(): PendingDelta | undefined {
    const open = this.#open;
    if (open === undefined || open.transactions.length === open.sentTransactions) return undefined;
    return this.#takeDelta(open, false);
  }

  /**
   * Writes a storage variable behind the block's transactions; it opens a block as a transaction does.
   *
   * @returns `null` when the open block has no room for it
   */
  writeStorage(write: StorageWrite): PendingDelta | null {
    const open = this.#openOrNew();
    if (open.writes.length >= MAX_WRITES) return null;
    addWrite(open, write);
    this.#open = open;
    return this.#takeDelta(open, false);
  }

  /**
   * Gives the open block the time that it would have now: everything in it is executed again.
   *
   * @returns a delta that stands for the whole block, in place of those before; `none` where no block is
   *   open, `kept` where it has the time, `impossible` where not all of it would be included: it stays
   *   as it is
   */
  retime(): PendingDelta | "none" | "kept" | "impossible" {
    const old = this.#open;
    if (old === undefined) return "none";
    const timestamp = blockTimestamp(this.#source.clock, old.place.parent?.timestamp);
    if (timestamp === old.info.timestamp) return "kept";
    const open = this.#blockOf(old.place, { ...old.info, timestamp });
    const note = (hash: Felt): void => this.#source.beforeTransaction(hash);
    if (!executeAgain(old, open, note)) return "impossible";
    open.nextSequence = old.nextSequence;
    this.#open = open;
    return { ...this.#takeDelta(open, false), info: open.info };
  }

  /** Closes the open block. The delta carries what closing adds: aliases in contract 0x2. */
  seal(): { readonly draft: SealedDraft; readonly delta: PendingDelta } {
    const open = this.#open;
    invariant(open !== undefined, "no block is open");
    this.#open = undefined;
    this.#prepared = undefined;
    const { stateDiff } = open.executor.finish();
    const { info, transactions, receipts, classes } = open;
    const delta = this.#takeDelta(open, true);
    return { draft: { info, transactions, receipts, stateDiff, classes }, delta };
  }

  #hasWrites(): boolean {
    return this.#open !== undefined && this.#open.writes.length > 0;
  }

  /** The open block, else one of this moment that is open once it has a transaction. */
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
    const { chainId, feeTokens, constants, bouncer } = this.#settings;
    const context: BlockContext = { info, chainId, feeTokens, constants, bouncer };
    const executor = new BlockExecutor(this.#vm, place.state, context);
    executor.begin(this.#oldBlock(place.number));
    return emptyBlock(place, info, executor);
  }

  /** What was done since the last delta. */
  #takeDelta(open: OpenBlock, sealed: boolean): PendingDelta {
    const sequence = open.nextSequence++;
    const { sentTransactions: from, sentClasses } = open;
    open.sentTransactions = open.transactions.length;
    open.sentClasses = open.classes.length;
    return {
      blockNumber: open.info.number,
      sequence,
      info: sequence === 0 ? open.info : null,
      transactions: open.transactions.slice(from),
      receipts: open.receipts.slice(from),
      diff: open.executor.takeDelta(),
      classes: sentClasses === open.sentClasses ? NO_CLASSES : open.classes.slice(sentClasses),
      sealed,
    };
  }

  #oldBlock(number: number): { number: number; hash: Felt } | undefined {
    const old = number - this.#settings.constants.os.storedBlockHashBuffer;
    if (old < 0) return undefined;
    const hash = this.#source.blockHash(old);
    invariant(hash !== undefined, `block ${number} needs the hash of block ${old}`);
    return { number: old, hash };
  }

  #isAhead(open: OpenBlock, { transaction }: HashedTransaction<AccountTransaction>): boolean {
    if (transaction.version === 0) return false;
    const sender =
      transaction.type === "DEPLOY_ACCOUNT"
        ? transaction.contractAddress
        : transaction.senderAddress;
    return transaction.nonce > open.executor.reader().nonceAt(sender);
  }
}
