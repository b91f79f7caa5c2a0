import { createCairoVm } from "#engine/cairo/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import {
  type AcceptedMessage,
  BlockProducer,
  isByClock,
  MAX_UNCOMMITTED_BLOCKS,
  type ParentFacts,
  parentFactsOf,
  QUIET_MS,
  type SealedMessage,
  shouldClose,
  SYSTEM_CLOCK,
} from "#services/sequencer/index.ts";
import { encodePendingDelta, type PendingDelta, PendingOverlay } from "#engine/state/index.ts";
import { ExecutionJournal, readExecutionRecord } from "#io/storage/index.ts";
import { nextBlockInfo } from "../environment.ts";
import {
  type AdmissionToExecutor,
  decodeBatch,
  type DeltaMessage,
  ExecutionGuard,
  type ExecutorToAdmission,
} from "#services/admission/index.ts";
import { type OpenChain, openChain } from "../open-chain.ts";
import { blockSchedule, producerSettings } from "../setup.ts";
import { warmUp } from "../warm-up.ts";
import type { PortBetween } from "./protocol.ts";
import { PullPace } from "./pull-pace.ts";
import { encodeSealed, rejectedOf } from "./sealed-block.ts";
import { runWorker, type WorkerContext, type WorkerService } from "./runtime.ts";

/** Transactions asked for at once; small enough for a pending block that is always fresh. */
const MIN_BATCH = 64;

/** Longest pause between two looks at the clock: how late a block may close. */
const MAX_TICK_MS = 20;

/** Shortest pause between two looks at the clock. */
const TICK_MS = 5;

type Settlement = Pick<Extract<ExecutorToAdmission, { kind: "settled" }>, "rejected" | "givenBack">;

/** Builds blocks: pulls transactions from admission, hands sealed blocks to the committer. */
class ExecutorService implements WorkerService {
  readonly #context: WorkerContext<"executor">;
  readonly #admission: PortBetween<"executor", "admission">;
  readonly #committer: PortBetween<"executor", "committer">;
  readonly #queries: readonly PortBetween<"executor", "query">[];
  readonly #producer: BlockProducer;
  readonly #overlay: PendingOverlay;
  readonly #guard: ExecutionGuard;
  readonly #journal: ExecutionJournal;
  readonly #schedule;
  readonly #batchSize: number;
  readonly #pace: PullPace;
  readonly #close: () => void;
  readonly #timer: ReturnType<typeof setInterval>;
  /** Hashes of accepted blocks that a coming block needs. */
  readonly #recentHashes = new Map<number, Felt>();
  #parent: ParentFacts | undefined;
  #nextNumber: number;
  /** Of the open block: above 1 for one that is made of a transaction that may end the process. */
  #attempt = 1;
  #taking = false;
  #stopped = false;
  #openedAtMs = 0;
  #executedAtMs = 0;
  #closedAtMs = Number.NEGATIVE_INFINITY;
  #lastCommitMs = 0;
  #pauseTimer: ReturnType<typeof setTimeout> | undefined;
  /** Set while a block on demand waits for more transactions. */
  #quietTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(context: WorkerContext<"executor">, { chain, close }: OpenChain) {
    const { setup } = context;
    this.#context = context;
    this.#close = close;
    this.#overlay = new PendingOverlay(chain);
    this.#schedule = blockSchedule(setup.config);
    this.#batchSize = Math.max(MIN_BATCH, setup.config.executionBatchSize);
    this.#pace = new PullPace(this.#batchSize);
    const latest = chain.latestNumber();
    this.#nextNumber = (latest ?? -1) + 1;
    const header = latest === undefined ? undefined : chain.header(latest);
    this.#parent = header && parentFactsOf(header, chain.receipts(header.number));
    const vm = createCairoVm({
      cancelFlag: new Int32Array(context.cancelFlag),
      maxMemoryBytes: setup.executionMemoryBytes,
    });
    warmUp(setup, vm, this.#overlay.state(), nextBlockInfo(setup, chain, Date.now()));
    const { executionJournal } = setup.files;
    this.#journal = new ExecutionJournal(executionJournal);
    this.#guard = new ExecutionGuard(this.#journal, readExecutionRecord(executionJournal));
    this.#producer = new BlockProducer(vm, producerSettings(setup), {
      clock: SYSTEM_CLOCK,
      blockHash: (number) => this.#recentHashes.get(number) ?? chain.header(number)?.hash,
      l1Prices: () => setup.l1Prices,
      beforeTransaction: (hash) => this.#guard.beforeTransaction(hash),
    });
    this.#admission = context.connect("admission");
    this.#admission.listen((message) => this.#fromAdmission(message));
    this.#committer = context.connect("committer");
    this.#committer.listen((message) => this.#accepted(message));
    this.#queries = context.connectQueries();
    const tickMs = Math.min(setup.config.pendingBlockUpdateTimeMs, setup.config.blockTimeMs);
    this.#timer = setInterval(() => this.#step(), Math.max(TICK_MS, Math.min(tickMs, MAX_TICK_MS)));
    this.#step();
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#timer);
    clearTimeout(this.#quietTimer);
    clearTimeout(this.#pauseTimer);
    // What is executed but not sealed comes back from the durable mempool.
    this.#journal.close();
    this.#close();
  }

  get #uncommitted(): number {
    return this.#overlay.blocks().length - (this.#producer.isOpen ? 1 : 0);
  }

  #step(): void {
    if (this.#stopped) return;
    this.#closeIfDue(false);
    if (isByClock(this.#schedule)) this.#hasPlace();
    this.#take();
  }

  #take(): void {
    if (this.#taking || this.#uncommitted >= MAX_UNCOMMITTED_BLOCKS) return;
    if (this.#pace.isAsleep) return;
    const { pauseMs } = this.#pace;
    if (pauseMs > 0) {
      this.#pauseTimer ??= setTimeout(() => {
        this.#pauseTimer = undefined;
        if (!this.#stopped) this.#take();
      }, pauseMs);
      return;
    }
    this.#taking = true;
    this.#toAdmission({ kind: "take", max: this.#batchSize });
  }

  #fromAdmission(message: AdmissionToExecutor): void {
    if (this.#stopped) return;
    if (message.kind === "wake") {
      this.#pace.wake();
      this.#take();
      return;
    }
    this.#taking = false;
    this.#pace.batch(message.count);
    if (message.count === 0) {
      this.#closeIfDue(false);
      return;
    }
    // A transaction that may end the process comes alone, in a block of its own.
    if (message.attempt > 1 && this.#producer.transactionCount > 0) this.#seal();
    if (!this.#hasPlace()) {
      const hashes = decodeBatch(message.bytes).map(({ transaction }) => transaction.hash);
      this.#settle(null, { givenBack: hashes });
      return;
    }
    // The next batch is prepared while this one is executed, if there is more.
    if (!this.#pace.isIdle) this.#take();
    this.#execute(message.bytes, message.attempt);
    this.#pace.executed();
    if (this.#pace.isIdle) this.#take();
  }

  #execute(encoded: Uint8Array, attempt: number): void {
    const batch = decodeBatch(encoded);
    const wasOpen = this.#producer.isOpen;
    const startedMs = performance.now();
    this.#attempt = attempt;
    const full = this.#guard.run(attempt, () => {
      const result = this.#producer.execute(batch);
      this.#guard.beforeBlock(batch.map(({ transaction }) => transaction.hash));
      const { delta = null, givenBack } = result;
      this.#settle(delta, { rejected: rejectedOf(result), givenBack });
      return result.full;
    });
    if (!wasOpen) this.#openedAtMs = startedMs;
    this.#executedAtMs = performance.now();
    if (attempt > 1 && this.#producer.transactionCount > 0) this.#seal();
    else this.#closeIfDue(full);
  }

  /**
   * Sees to it that there is a block to execute in: by the clock it is opened at once, else with its
   * first transaction.
   *
   * @returns false when the committer is too far behind
   */
  #hasPlace(): boolean {
    const producer = this.#producer;
    if (producer.isOpen) return true;
    if (this.#uncommitted >= MAX_UNCOMMITTED_BLOCKS) return false;
    const place = [this.#nextNumber, this.#parent, this.#overlay.state()] as const;
    if (isByClock(this.#schedule)) {
      this.#openedAtMs = performance.now();
      this.#settle(producer.open(...place), {});
    } else producer.prepare(...place);
    return true;
  }

  #closeIfDue(full: boolean): void {
    const producer = this.#producer;
    if (!producer.isOpen) return;
    const nowMs = performance.now();
    const due = shouldClose(this.#schedule, {
      openForMs: nowMs - this.#openedAtMs,
      transactionCount: producer.transactionCount,
      full,
      idle: this.#pace.isIdle,
      uncommittedBlocks: this.#uncommitted,
      quietForMs: nowMs - this.#executedAtMs,
      sinceCloseMs: nowMs - this.#closedAtMs,
      lastCommitMs: this.#lastCommitMs,
    });
    if (due) this.#seal();
    else if (this.#schedule.onDemand && this.#pace.isIdle) this.#lookAgain();
  }

  /** The clock's own looks are too far apart for a transaction that waits alone. */
  #lookAgain(): void {
    this.#quietTimer ??= setTimeout(() => {
      this.#quietTimer = undefined;
      if (!this.#stopped) this.#closeIfDue(false);
    }, QUIET_MS);
  }

  #seal(): void {
    const attempt = this.#attempt;
    const hashes = this.#producer.transactionHashes();
    const { draft, bytes } = this.#guard.runBlock(attempt, hashes, () => {
      const sealed = this.#producer.seal();
      this.#closedAtMs = performance.now();
      this.#settle(sealed.delta, {});
      return { draft: sealed.draft, bytes: encodeSealed(sealed.draft) };
    });
    const productionSeconds = (performance.now() - this.#openedAtMs) / 1000;
    const message: SealedMessage = { kind: "sealed", bytes, attempt, productionSeconds };
    this.#committer.send(message, [bytes.buffer]);
    this.#attempt = 1;
    this.#parent = parentFactsOf(draft.info, draft.receipts);
    this.#nextNumber = draft.info.number + 1;
    if (isByClock(this.#schedule)) this.#hasPlace();
  }

  #accepted(message: AcceptedMessage): void {
    if (this.#stopped) return;
    this.#overlay.accepted(message.blockNumber);
    this.#lastCommitMs = message.commitSeconds * 1000;
    this.#recentHashes.set(message.blockNumber, message.blockHash);
    this.#recentHashes.delete(message.blockNumber - 2 * MAX_UNCOMMITTED_BLOCKS - 16);
    this.#step();
  }

  /** Tells admission, and with a delta everyone, what became of transactions. */
  #settle(delta: PendingDelta | null, outcome: Partial<Settlement>): void {
    const message = delta === null ? null : this.#toReaders(delta);
    this.#toAdmission({
      kind: "settled",
      delta: message,
      included: delta === null ? [] : delta.transactions.map(({ hash }) => hash),
      rejected: outcome.rejected ?? [],
      givenBack: outcome.givenBack ?? [],
    });
    // The main thread comes last: what clients know from it, the others know already.
    if (message !== null) this.#context.main.send(message);
    if ((outcome.givenBack ?? []).length > 0) this.#pace.wake();
  }

  #toReaders(delta: PendingDelta): DeltaMessage {
    this.#overlay.apply(delta);
    const bytes = encodePendingDelta(delta);
    const { blockNumber, sequence } = delta;
    const message: DeltaMessage = { kind: "delta", blockNumber, sequence, bytes };
    for (const query of this.#queries) query.send(message);
    return message;
  }

  #toAdmission(message: ExecutorToAdmission): void {
    this.#admission.send(message);
  }
}

runWorker(
  "executor",
  async (context) => new ExecutorService(context, await openChain(context.setup)),
);
