import type { Felt } from "#base/primitives/index.ts";
import { Admitter } from "./admitter.ts";
import { ExecutorHandler } from "./executor-handler.ts";
import { FreeTransactionGate } from "./free-transaction-gate.ts";
import type { AdmissionDeps } from "./admission-deps.ts";
import { GroupCommit } from "./group-commit.ts";
import type { MempoolSelection } from "./mempool-selection.ts";
import { MempoolService } from "./mempool-service.ts";
import { Mempool } from "./mempool/index.ts";
import type { ExecutorToAdmission, SubmissionOutcome } from "./messages.ts";
import { OperatorHandler } from "./operator-handler.ts";
import { type Departure, reportedOf } from "./rejection-reasons.ts";
import { type CrashRecords, reloadMempool } from "./reload.ts";
import { PostponedTransactions } from "./postponed-transactions.ts";
import type { AdmissionReply, ToAdmission } from "./requests.ts";
import { ABSENT, type MempoolStatus, mempoolStatusOf, UNKNOWN_NONCES } from "./mempool-status.ts";
import { SubmissionDesk } from "./submission-desk.ts";
import { SuspectMessages } from "./suspect-messages.ts";

/** Interval between checks of the mempool for expired transactions. */
export const EXPIRY_INTERVAL_MS = 5_000;

/**
 * Owns the mempool: validates on the pending state, stores durably, and forwards in order. No transaction is
 * answered before it would survive power loss. None is forwarded before that either, unless
 * `executesBeforeSync` allows it.
 */
export class AdmissionService {
  readonly #deps: AdmissionDeps;
  readonly #pool: Mempool;
  readonly #mempool: MempoolService;
  readonly #free: FreeTransactionGate;
  readonly #suspects: SuspectMessages;
  readonly #admitter: Admitter;
  readonly #commit: GroupCommit<Departure>;
  readonly #executor: ExecutorHandler;
  readonly #operator: OperatorHandler;
  readonly #submissions: SubmissionDesk;
  readonly #postponed: PostponedTransactions;
  /** Submissions that each validator still has to check, as last reported. */
  readonly #atValidators = new Map<object, number>();
  #cancelExpiry: () => void = () => undefined;

  constructor(deps: AdmissionDeps) {
    const { ports, chainId, limits, chain, store, feed, validate, timer, fail } = deps;
    const { rejectionTtlMs, unixNowMs: nowMs } = deps;
    this.#deps = deps;
    const pool = new Mempool(deps.mempoolLimits);
    this.#pool = pool;
    this.#mempool = new MempoolService({
      pool,
      store,
      chain,
      rejectionTtlMs,
      onIncluded: (entry) => this.#free.included(entry),
      onRejected: (departures) => this.#report(departures),
      nowMs,
    });
    this.#free = new FreeTransactionGate({
      rules: deps.free,
      bootstrapDeclares: deps.bootstrapDeclares,
      pool,
      store,
      state: () => feed.current().state(),
      isDurable: (hash) => this.#commit.isDurable(hash),
      onDropped: (departures) => this.#report(departures),
      nowMs,
    });
    this.#suspects = new SuspectMessages({
      store,
      chain,
      isWaiting: (hash) => pool.find(hash) !== undefined,
    });
    this.#admitter = new Admitter({
      chainId,
      limits,
      maxNonceForValidationSkip: deps.maxNonceForValidationSkip,
      pool,
      free: this.#free,
      chain,
      overlay: () => feed.current(),
      mempool: this.#mempool,
      isImpersonatedAccount: deps.isImpersonatedAccount,
      validate,
      nowMs,
    });
    this.#commit = new GroupCommit<Departure>({
      write: (put, reject) => {
        store.write({ put, reject });
        this.#report(reject);
      },
      sync: () => store.sync(),
      // Subscribers must see "received" before the outcome of execution.
      executesBeforeSync: () => deps.executesBeforeSync && !this.#executor.isWatched,
      onAhead: () => this.#executor.wake(),
      onDurable: (outcomes) => this.#durable(outcomes),
      onFailure: fail,
      nowMs: () => timer.nowMs(),
    });
    this.#postponed = new PostponedTransactions({
      find: (hash) => pool.find(hash),
      wake: () => this.#executor.wake(),
      report: (change) => this.#reply({ kind: "postponed", change }),
      timer,
    });
    this.#executor = new ExecutorHandler({
      executor: ports.executor,
      mempool: this.#mempool,
      mayExecute: (entry) =>
        this.#commit.mayExecute(entry.hash) &&
        this.#free.mayExecute(entry) &&
        this.#postponed.mayExecute(entry),
      coming: () =>
        [...this.#atValidators.values()].reduce((sum, count) => sum + count, 0) +
        this.#submissions.size +
        this.#commit.size,
      declaredClass: (hash) => store.declaredClass(hash),
      onDispatched: (transactions) => this.#reply({ kind: "dispatched", transactions }),
    });
    this.#operator = new OperatorHandler({
      pool,
      store,
      isDurable: (hash) => this.#commit.isDurable(hash),
      onDropped: (departures) => this.#report(departures),
      nowMs,
    });
    this.#submissions = new SubmissionDesk({
      admitter: this.#admitter,
      commit: this.#commit,
      executor: this.#executor,
      reply: (message) => this.#reply(message),
      missing: deps.missing,
      timer,
      onFailure: fail,
    });
  }

  /**
   * Restores what was received before the last stop, then starts to listen on all ports.
   *
   * @param crashes - crash journals of the last stop
   */
  async start(crashes: CrashRecords): Promise<void> {
    const { ports, store, feed } = this.#deps;
    const state = feed.current().state();
    const suspicion = await reloadMempool(crashes, this.#mempool, this.#suspects, store, state);
    if (suspicion !== undefined) ports.executor.send({ kind: "suspects", ...suspicion });
    this.#sweep();
    ports.executor.listen((message) => this.#fromExecutor(message));
    ports.committer.listen(({ blockNumber }) => this.#accepted(blockNumber));
    ports.main.listen((request) => this.#afterSeeing(request, () => this.#answer(request)));
    const hashes = store.fatalHashes();
    for (const validator of ports.validators) {
      validator.send({ kind: "fatal", hashes });
      validator.listen((arrival) => {
        this.#atValidators.set(validator, arrival.waiting);
        this.#afterSeeing(arrival, () => this.#submissions.pushChecked(arrival));
      });
    }
    this.#expireLater();
  }

  /** Makes accepted transactions durable and answers them. Queued submissions are discarded unanswered. */
  async stop(): Promise<void> {
    this.#cancelExpiry();
    this.#submissions.stop();
    await this.#commit.flush();
  }

  /** Handles a message once this thread's state has reached the position that its sender had seen. */
  #afterSeeing({ position }: Pick<ToAdmission, "position">, handle: () => void): void {
    const { feed, fail } = this.#deps;
    const reached = feed.reach(position);
    // A feed this far behind is broken: answer from the newest state available.
    if (reached === undefined) handle();
    else void reached.then(handle).catch(fail);
  }

  #answer(request: ToAdmission): void {
    switch (request.kind) {
      case "submit":
        this.#submissions.push(request);
        break;
      case "slowRefused":
        this.#submissions.checked(request.id);
        break;
      case "mayDeclare": {
        const { id, bytes, classSizeBytes } = request;
        this.#submissions.judge(bytes, classSizeBytes, (refusal) =>
          this.#reply({ kind: "declareJudged", id, refusal }),
        );
        break;
      }
      case "find":
        this.#find(request.id, request.hash);
        break;
      case "watch":
        this.#executor.watch(request.isWanted);
        break;
      case "list": {
        const { id, offset, limit, selection } = request;
        const listing = this.#operator.list(offset, limit, selection);
        this.#reply({ kind: "listed", id, listing });
        break;
      }
      case "drop":
        void this.#drop(request.id, request.hash).catch(this.#deps.fail);
        break;
      case "flush":
        void this.#flush(request.id, request.selection).catch(this.#deps.fail);
        break;
      case "rejection": {
        const reason = this.#mempool.rejectionOf(request.hash)?.reason ?? null;
        this.#reply({ kind: "rejectionFound", id: request.id, reason });
        break;
      }
    }
  }

  #find(id: number, hash: Felt): void {
    const { feed } = this.#deps;
    const found = (status: MempoolStatus) => this.#reply({ kind: "found", id, ...status });
    // A transaction that is not durable yet counts as not received: power loss could still undo it.
    if (!this.#commit.isDurable(hash)) return found(ABSENT);
    this.#submissions.retries.run({
      senderOf: () => this.#pool.find(hash)?.sender,
      work: () => found(mempoolStatusOf(this.#pool, hash, feed.current().state())),
      lost: () => found(mempoolStatusOf(this.#pool, hash, UNKNOWN_NONCES)),
    });
  }

  async #drop(id: number, hash: Felt): Promise<void> {
    const outcome = await this.#operator.drop(hash);
    this.#reply({ kind: "dropped", id, outcome });
    if (outcome === "dropped") this.#reportSize();
  }

  async #flush(id: number, selection: MempoolSelection): Promise<void> {
    const outcome = await this.#operator.flush(selection);
    this.#reply({ kind: "flushed", id, outcome });
    if (outcome.dropped > 0) this.#reportSize();
  }

  /** Handles durable transactions: now their senders and the executor may learn of them. */
  #durable(outcomes: readonly SubmissionOutcome[]): void {
    this.#reply({ kind: "submitted", outcomes });
    this.#sweep();
    this.#reportSize();
    this.#executor.wake();
    this.#commit.closeIfDue(this.#submissions.isIdle);
  }

  #fromExecutor(message: ExecutorToAdmission): void {
    if (message.kind === "take") this.#executor.hand(message.max, message.precedence);
    else {
      if (message.delta !== null) this.#deps.feed.delta(message.delta);
      this.#mempool.settle(message);
      this.#postponed.sweep();
      this.#suspects.included(message.included);
      this.#free.returned(message.requeued);
      this.#postponed.add(message.postponed ?? []);
      this.#sweep();
      // The executor may have polled in vain while it still held the transactions that it now returns.
      if (message.requeued.length > 0) this.#executor.wake();
    }
  }

  #accepted(blockNumber: number): void {
    this.#deps.feed.accepted({ blockNumber });
    this.#mempool.accepted(blockNumber);
    this.#sweep();
    this.#reportSize();
  }

  /** Drops transactions that may no longer be free. */
  #sweep(): void {
    if (this.#free.sweep() > 0) this.#reportSize();
  }

  #expireLater(): void {
    this.#cancelExpiry = this.#deps.timer.after(EXPIRY_INTERVAL_MS, () => {
      this.#expireLater();
      if (this.#mempool.expire().length > 0) this.#reportSize();
    });
  }

  #report(departures: readonly Departure[]): void {
    if (departures.length === 0) return;
    this.#reply({ kind: "rejected", rejections: departures.map(reportedOf) });
  }

  #reportSize(): void {
    this.#postponed.sweep();
    this.#reply({ kind: "mempoolSize", waiting: this.#pool.size });
  }

  #reply(message: AdmissionReply): void {
    this.#deps.ports.main.send({ ...message, position: this.#deps.feed.position });
  }
}
