import { createCairoVm } from "#engine/cairo/index.ts";
import {
  type AccountTransaction,
  type HashedTransaction,
  senderAddressOf,
} from "#protocol/chain/index.ts";
import {
  encodePrevalidated,
  validateTransaction,
  type ValidationOutcome,
} from "#engine/execution/index.ts";
import {
  Admitter,
  decodeReceived,
  type AdmissionToExecutor,
  type Departure,
  encodeBatch,
  ExecutionGuard,
  type ExecutorToAdmission,
  GroupCommit,
  Mempool,
  type MempoolEntry,
  MempoolService,
  reloadMempool,
  type SubmissionOutcome,
  TimeBudget,
  WorkLoop,
} from "#services/admission/index.ts";
import type { PendingOverlay } from "#engine/state/index.ts";
import { ExecutionJournal, type MempoolStore, openMempoolStore } from "#io/storage/index.ts";
import { ValidationBlock } from "../validation-block.ts";
import { nextBlockInfo } from "../environment.ts";
import { warmUp } from "../warm-up.ts";
import { type OpenChain, openChain } from "../open-chain.ts";
import { PendingFeed } from "../pending-feed.ts";
import { chainIdFelt, constantsFor, contextFor, mempoolLimits } from "../setup.ts";
import type { AdmissionReply, FromAdmission, PortBetween, ToAdmission } from "./protocol.ts";
import { fail, runWorker, type WorkerContext, type WorkerService } from "./runtime.ts";

/** How often old transactions are looked for. */
const EXPIRY_INTERVAL_MS = 5_000;

/** A validation that takes longer goes on in another thread: others wait for this one. */
const VALIDATION_LIMIT_MS = 150;

/** Validations that are larger are not kept: the mempool's limits count transactions only. */
const MAX_VALIDATION_BYTES = 16_384;

type Submission = Extract<ToAdmission, { kind: "submit" }>;

/** Owns the mempool: validates on the pending state, stores durably, hands out in order. */
class AdmissionService implements WorkerService {
  readonly #context: WorkerContext<"admission">;
  readonly #block: ValidationBlock;
  readonly #close: () => void;
  readonly #store: MempoolStore;
  readonly #pool: Mempool;
  readonly #feed: PendingFeed;
  readonly #vm;
  readonly #budget = new TimeBudget(() => performance.now());
  readonly #executor: PortBetween<"admission", "executor">;
  readonly #mempool: MempoolService;
  readonly #admitter: Admitter;
  readonly #journal: ExecutionJournal;
  readonly #guard: ExecutionGuard;
  readonly #expiry: ReturnType<typeof setInterval>;
  readonly #commit: GroupCommit<Departure>;
  readonly #submissions: WorkLoop<Submission>;
  /** Validations of what waits, encoded; in memory only: after a restart there are none. */
  readonly #validations = new WeakMap<MempoolEntry, Uint8Array>();
  /** The executor got an empty batch and waits to be woken. */
  #executorWaits = false;

  constructor(
    context: WorkerContext<"admission">,
    { chain, close }: OpenChain,
    store: MempoolStore,
  ) {
    const { config, chargeFees } = context.setup;
    const { gateway } = constantsFor(config, config.latestProtocolVersion);
    this.#context = context;
    this.#block = new ValidationBlock(context.setup, chain);
    this.#close = close;
    this.#store = store;
    this.#pool = new Mempool(mempoolLimits(config));
    this.#feed = new PendingFeed(chain);
    this.#vm = createCairoVm({
      cancelFlag: new Int32Array(context.cancelFlag),
      isOver: () => this.#budget.isOver,
      maxMemoryBytes: context.setup.executionMemoryBytes,
    });
    const info = nextBlockInfo(context.setup, chain, Date.now());
    warmUp(context.setup, this.#vm, this.#feed.current().state(), info);
    this.#mempool = new MempoolService({
      pool: this.#pool,
      store,
      chain,
      rejectionTtlMs: config.mempoolRejectionTtlMs,
      onRejected: (departures) => this.#report(departures),
      nowMs: Date.now,
    });
    this.#admitter = new Admitter({
      chainId: chainIdFelt(config),
      limits: { maxCalldataLength: gateway.maxCalldataLength, chargeFees },
      pool: this.#pool,
      chain,
      overlay: () => this.#feed.current(),
      rejectionOf: (hash) => this.#mempool.rejectionOf(hash),
      validate: (...submission) => this.#validate(...submission),
      nowMs: Date.now,
    });
    this.#journal = new ExecutionJournal(context.setup.files.validationJournal);
    this.#guard = new ExecutionGuard(this.#journal);
    this.#commit = new GroupCommit<Departure>({
      write: (put, reject) => {
        store.write({ put, reject });
        this.#report(reject);
      },
      sync: () => store.sync(),
      onDurable: (outcomes) => this.#durable(outcomes),
      onFailure: fail,
      nowMs: () => performance.now(),
    });
    this.#submissions = new WorkLoop<Submission>({
      work: (submission) => this.#admit(submission),
      afterEach: (idle) => this.#commit.closeIfDue(idle),
      onFailure: fail,
    });
    this.#executor = context.connect("executor");
    this.#executor.listen((message) => this.#fromExecutor(message));
    context.connect("committer").listen((message) => this.#accepted(message));
    this.#expiry = setInterval(() => this.#expire(), EXPIRY_INTERVAL_MS);
  }

  /** Handles a request once this thread has seen what the main thread had seen. */
  handle(message: ToAdmission): void {
    const reached = this.#feed.reach(message.position);
    // A thread that lags that far is broken; the newest state that it has is all that it can give.
    if (reached === undefined) this.#handle(message);
    else void reached.then(() => this.#handle(message)).catch(fail);
  }

  #handle(message: ToAdmission): void {
    switch (message.kind) {
      case "submit":
        this.#submissions.push(message);
        break;
      case "find": {
        // What is not durable yet was not received: saying so could prove wrong.
        const isReceived = this.#commit.isDurable(message.hash);
        const entry = isReceived ? this.#pool.find(message.hash) : undefined;
        this.#reply({ kind: "found", id: message.id, bytes: entry?.bytes ?? null });
        break;
      }
      case "rejection": {
        const rejection = this.#mempool.rejectionOf(message.hash);
        const reason = rejection?.reason ?? null;
        this.#reply({ kind: "rejectionFound", id: message.id, reason });
        break;
      }
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.#expiry);
    // What waits was not answered; nobody is there any more to hear an answer.
    this.#submissions.drop();
    await this.#commit.flush();
    this.#journal.close();
    this.#store.close();
    this.#close();
  }

  /** Takes back what was received before the last stop. */
  reload(): Promise<void> {
    const state = this.#feed.current().state();
    return reloadMempool(this.#context.setup.files, this.#mempool, this.#store, state);
  }

  #admit({ id, bytes, validation }: Submission): void {
    const startedMs = performance.now();
    const { outcome, received, entry, rejections, prevalidated } = this.#admitter.admit(
      decodeReceived(bytes),
      validation !== undefined,
    );
    this.#reply({ kind: "validated", id, costMs: performance.now() - startedMs });
    if (outcome === undefined) {
      const senderIsToBeDeployed = this.#pool.hasDeployOf(senderAddressOf(received.transaction));
      this.#reply({ kind: "slow", id, bytes: received.bytes, senderIsToBeDeployed });
      return;
    }
    if (entry === undefined) {
      this.#reply({ kind: "submitted", outcomes: [{ id, outcome }] });
      return;
    }
    const encoded = validation?.prevalidated ?? (prevalidated && encodePrevalidated(prevalidated));
    if (encoded !== undefined && encoded.length <= MAX_VALIDATION_BYTES) {
      this.#validations.set(entry, encoded);
    }
    this.#commit.add({ id, outcome, entry, dropped: rejections });
  }

  /** A group of received transactions survives power loss: its senders and the executor may know. */
  #durable(outcomes: readonly SubmissionOutcome[]): void {
    this.#reply({ kind: "submitted", outcomes });
    this.#reportSize();
    if (this.#executorWaits) {
      this.#executorWaits = false;
      this.#toExecutor({ kind: "wake" });
    }
    this.#commit.closeIfDue(this.#submissions.isIdle);
  }

  #validate(
    hashed: HashedTransaction<AccountTransaction>,
    overlay: PendingOverlay,
    senderIsToBeDeployed: boolean,
  ): ValidationOutcome {
    const { setup } = this.#context;
    const context = contextFor(setup, this.#block.infoFor(overlay));
    return this.#guard.run(1, () => {
      this.#guard.beforeTransaction(hashed.hash);
      return this.#budget.run(VALIDATION_LIMIT_MS, () =>
        validateTransaction(this.#vm, overlay.state(), context, hashed, {
          senderIsToBeDeployed,
          ...(setup.chargeFees ? {} : { chargeFee: false }),
        }),
      );
    });
  }

  #fromExecutor(message: ExecutorToAdmission): void {
    if (message.kind === "take") {
      const { entries: taken, attempt } = this.#mempool.take(message.max, ({ hash }) =>
        this.#commit.isDurable(hash),
      );
      this.#executorWaits = taken.length === 0;
      const bytes = encodeBatch(
        taken.map((entry) => ({
          transaction: entry.bytes,
          prevalidated: this.#validations.get(entry),
        })),
      );
      this.#toExecutor({ kind: "batch", count: taken.length, attempt, bytes }, [bytes.buffer]);
      return;
    }
    if (message.delta !== null) this.#feed.delta(message.delta);
    this.#mempool.settle(message);
  }

  #accepted(message: { readonly blockNumber: number }): void {
    this.#feed.accepted(message);
    this.#mempool.accepted(message.blockNumber);
    this.#reportSize();
  }

  #expire(): void {
    if (this.#mempool.expire().length > 0) this.#reportSize();
  }

  #report(departures: readonly Departure[]): void {
    if (departures.length === 0) return;
    const rejections = departures.map(({ hash, sender, code, reason }) => ({
      hash,
      sender,
      code,
      reason,
    }));
    this.#reply({ kind: "rejected", rejections });
  }

  #reportSize(): void {
    this.#reply({ kind: "mempoolSize", waiting: this.#pool.size });
  }

  #reply(message: AdmissionReply): void {
    const reply: FromAdmission = { ...message, position: this.#feed.position };
    this.#context.main.send(reply);
  }

  #toExecutor(message: AdmissionToExecutor, transfer: ArrayBuffer[] = []): void {
    this.#executor.send(message, transfer);
  }
}

runWorker("admission", async (context) => {
  const { files, config } = context.setup;
  const store = await openMempoolStore(files.mempoolDatabase, config.chainId);
  const service = new AdmissionService(context, await openChain(context.setup), store);
  await service.reload();
  context.main.listen((message) => service.handle(message));
  return service;
});
