import { createCairoVm } from "#cairo/index.ts";
import {
  type AccountTransaction,
  type BlockInfo,
  decodeTransaction,
  type HashedTransaction,
} from "#chain/index.ts";
import {
  encodePrevalidated,
  validateTransaction,
  type ValidationOutcome,
} from "#execution/index.ts";
import { Mempool, type MempoolEntry } from "#mempool/index.ts";
import type { SubmitOutcome } from "#rpc/index.ts";
import type { ChainReader, PendingOverlay } from "#state/index.ts";
import {
  ExecutionJournal,
  type MempoolRejection,
  type MempoolStore,
  openMempoolStore,
  readExecutionRecord,
} from "#storage/index.ts";
import { Admitter } from "../admission/admitter.ts";
import { MempoolService } from "../admission/mempool-service.ts";
import { nextBlockInfo } from "../environment.ts";
import { ExecutionGuard } from "../execution-guard.ts";
import { warmUp } from "../warm-up.ts";
import { type OpenChain, openChain } from "../open-chain.ts";
import { PendingFeed } from "../pending-feed.ts";
import { chainIdFelt, constantsFor, contextFor, mempoolLimits } from "../setup.ts";
import { encodeBatch } from "./batch-codec.ts";
import type {
  AcceptedMessage,
  AdmissionReply,
  AdmissionToExecutor,
  ExecutorToAdmission,
  FromAdmission,
  ToAdmission,
} from "./protocol.ts";
import { fail, type Port, runWorker, type WorkerContext, type WorkerService } from "./runtime.ts";

/** Longest time that validated transactions wait for their common commit. */
const GROUP_COMMIT_MS = 5;

/** How often old transactions are looked for. */
const EXPIRY_INTERVAL_MS = 5_000;

interface Submission {
  readonly id: number;
  readonly bytes: Uint8Array;
}

/** Owns the mempool: validates on the pending state, stores durably, hands out in order. */
class AdmissionService implements WorkerService {
  readonly #context: WorkerContext;
  readonly #chain: ChainReader;
  readonly #close: () => void;
  readonly #store: MempoolStore;
  readonly #pool: Mempool;
  readonly #feed: PendingFeed;
  readonly #vm;
  readonly #executor: Port;
  readonly #mempool: MempoolService;
  readonly #admitter: Admitter;
  readonly #journal: ExecutionJournal;
  readonly #guard: ExecutionGuard;
  readonly #expiry: ReturnType<typeof setInterval>;
  #submissions: Submission[] = [];
  /** Environment while no block is above the accepted ones. */
  #nextBlock: { readonly key: string; readonly info: BlockInfo } | undefined;
  #processing = false;
  /** Validations of what waits, encoded; in memory only: after a restart there are none. */
  readonly #validations = new WeakMap<MempoolEntry, Uint8Array>();
  /** The executor got an empty batch and waits to be woken. */
  #executorWaits = false;

  constructor(context: WorkerContext, { chain, close }: OpenChain, store: MempoolStore) {
    const { config, chargeFees } = context.setup;
    const { gateway } = constantsFor(config, config.latestProtocolVersion);
    this.#context = context;
    this.#chain = chain;
    this.#close = close;
    this.#store = store;
    this.#pool = new Mempool(mempoolLimits(config));
    this.#feed = new PendingFeed(chain);
    this.#vm = createCairoVm({ cancelFlag: new Int32Array(context.cancelFlag) });
    const info = nextBlockInfo(context.setup, chain, Date.now());
    warmUp(context.setup, this.#vm, this.#feed.current().state(), info);
    this.#mempool = new MempoolService({
      pool: this.#pool,
      store,
      chain,
      rejectionTtlMs: config.mempoolRejectionTtlMs,
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
    this.#reload();
    this.#journal = new ExecutionJournal(context.setup.files.validationJournal);
    this.#guard = new ExecutionGuard(this.#journal);
    this.#executor = context.connect("executor", (message: ExecutorToAdmission) =>
      this.#fromExecutor(message),
    );
    context.connect("committer", (message: AcceptedMessage) => this.#accepted(message));
    this.#expiry = setInterval(() => this.#expire(), EXPIRY_INTERVAL_MS);
  }

  /** Handles a request once this thread has seen what the main thread had seen. */
  handle(message: ToAdmission): void {
    const reached = message.kind === "stop" ? undefined : this.#feed.reach(message.position);
    // A thread that lags that far is broken; the newest state that it has is all that it can give.
    if (reached === undefined) this.#handle(message);
    else void reached.then(() => this.#handle(message)).catch(fail);
  }

  #handle(message: ToAdmission): void {
    switch (message.kind) {
      case "submit":
        this.#submissions.push(message);
        this.#schedule();
        break;
      case "find": {
        const entry = this.#pool.find(message.hash);
        this.#reply({ kind: "found", id: message.id, bytes: entry?.bytes ?? null });
        break;
      }
      case "rejection": {
        const rejection = this.#mempool.rejectionOf(message.hash);
        const reason = rejection?.reason ?? null;
        this.#reply({ kind: "rejectionFound", id: message.id, reason });
        break;
      }
      case "stop":
        break;
    }
  }

  stop(): void {
    clearInterval(this.#expiry);
    while (this.#submissions.length > 0) this.#processGroup();
    this.#journal.close();
    this.#store.close();
    this.#close();
  }

  #reload(): void {
    const { executionJournal, validationJournal } = this.#context.setup.files;
    const state = this.#feed.current().state();
    this.#mempool.reload(state, readExecutionRecord(executionJournal));
    this.#mempool.noteValidation(readExecutionRecord(validationJournal));
    // The mempool's store knows it now; should this be lost, the same is decided again.
    for (const path of [executionJournal, validationJournal]) {
      const journal = new ExecutionJournal(path);
      journal.clear();
      journal.close();
    }
  }

  /** Groups whatever arrives while the previous group is handled. */
  #schedule(): void {
    if (this.#processing) return;
    this.#processing = true;
    setImmediate(() => {
      this.#processing = false;
      this.#processGroup();
      if (this.#submissions.length > 0) this.#schedule();
    });
  }

  #processGroup(): void {
    const startedMs = performance.now();
    const outcomes: { readonly id: number; readonly outcome: SubmitOutcome }[] = [];
    const added: MempoolEntry[] = [];
    const reject: MempoolRejection[] = [];
    let next = 0;
    for (const submission of this.#submissions) {
      if (next > 0 && performance.now() - startedMs > GROUP_COMMIT_MS) break;
      next++;
      const { transaction } = decodeTransaction(submission.bytes);
      const { outcome, entry, rejections, prevalidated } = this.#admitter.admit(
        transaction as AccountTransaction,
      );
      outcomes.push({ id: submission.id, outcome });
      if (entry === undefined) continue;
      added.push(entry);
      reject.push(...rejections);
      if (prevalidated !== undefined) {
        this.#validations.set(entry, encodePrevalidated(prevalidated));
      }
    }
    this.#submissions = this.#submissions.slice(next);
    this.#store.write({ put: added, reject });
    for (const { id, outcome } of outcomes) this.#reply({ kind: "submitted", id, outcome });
    if (added.length > 0) {
      this.#reportSize();
      if (this.#executorWaits) {
        this.#executorWaits = false;
        this.#toExecutor({ kind: "wake" });
      }
    }
  }

  #validate(
    hashed: HashedTransaction<AccountTransaction>,
    overlay: PendingOverlay,
    senderIsToBeDeployed: boolean,
    attempt: 1 | 2,
  ): ValidationOutcome {
    const { setup } = this.#context;
    const context = contextFor(setup, this.#blockInfo(overlay));
    return this.#guard.run(attempt, () => {
      this.#guard.beforeTransaction(hashed.hash);
      return validateTransaction(this.#vm, overlay.state(), context, hashed, {
        senderIsToBeDeployed,
        ...(setup.chargeFees ? {} : { chargeFee: false }),
      });
    });
  }

  /** The newest block's environment, else that of the block that would be opened this second. */
  #blockInfo(overlay: PendingOverlay): BlockInfo {
    const newest = overlay.newest();
    if (newest !== undefined) return newest.info;
    const nowMs = Date.now();
    const key = `${overlay.acceptedNumber} ${Math.floor(nowMs / 1000)}`;
    if (this.#nextBlock?.key !== key) {
      this.#nextBlock = { key, info: nextBlockInfo(this.#context.setup, this.#chain, nowMs) };
    }
    return this.#nextBlock.info;
  }

  #fromExecutor(message: ExecutorToAdmission): void {
    if (message.kind === "take") {
      const { entries: taken, attempt } = this.#mempool.take(message.max);
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

  #accepted(message: AcceptedMessage): void {
    this.#feed.accepted(message);
    this.#mempool.accepted(message.blockNumber);
    this.#reportSize();
  }

  #expire(): void {
    if (this.#mempool.expire().length > 0) this.#reportSize();
  }

  #reportSize(): void {
    this.#reply({ kind: "mempoolSize", waiting: this.#pool.size });
  }

  #reply(message: AdmissionReply): void {
    const reply: FromAdmission = { ...message, position: this.#feed.position };
    this.#context.send(reply);
  }

  #toExecutor(message: AdmissionToExecutor, transfer: ArrayBuffer[] = []): void {
    this.#executor.send(message, transfer);
  }
}

runWorker(async (context) => {
  const { files, config } = context.setup;
  const store = await openMempoolStore(files.mempoolDatabase, config.chainId);
  return new AdmissionService(context, await openChain(context.setup), store);
});
