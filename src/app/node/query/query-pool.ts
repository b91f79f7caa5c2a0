import type { Caller, QueryPool, TakeRest } from "#api/rpc/index.ts";
import { clientJob } from "./client-job.ts";
import { compileAll } from "./compile-all.ts";
import type { ForkedQueue } from "./forked-jobs.ts";
import type { FromQuery, NeededClass, QueryAnswer } from "../threads/query-messages.ts";
import { queryFailure } from "./query-failure.ts";
import { limitMsOf, type QueryJob } from "./query-job.ts";
import { nextJobs } from "./next-jobs.ts";
import { QueryQueue } from "./query-queue.ts";
import type { QueryPoolPorts } from "./query-pool-ports.ts";
import type { AssignedJob, QuerySlot, Running } from "./query-slot.ts";
import { QuerySlots } from "./query-slots.ts";
import { QueryStreams } from "./query-streams.ts";
import { SubmissionQueries } from "./submission-queries.ts";
import { workKindOf } from "./work-kinds.ts";
import { SHORT_MS, WorkMemory } from "./work-memory.ts";

/** Maximum restarts of a query because of chain reverts. */
export const MAX_QUERY_RESTARTS = 8;

type QueryAnswers = Extract<FromQuery, { readonly kind: "answers" }>;

const STOPPING = "the node is stopping";
const HELD_BACK = "the chain was reverted to an earlier block repeatedly: retry later";
const REVERTED = "the chain was reverted to an earlier block";
const CROWDED = "the node already produces the maximum number of long responses: try again later";
const ABANDONED = "the client no longer waits for the response";

/**
 * Distributes queries over the query threads, each of which runs one at a time. Clients take turns; the queue
 * is bounded, and a query beyond it is refused immediately.
 *
 * All threads but one may run long queries, and one never does, so that short queries wait only for short
 * ones. Known long queries wait for those threads from the start. A query that turns out to be long continues
 * on its thread while fewer than all but one run long ones. Otherwise it is cancelled, and restarted once a
 * thread may run it; its kind then counts as long.
 *
 * A query carries the main thread's chain position, so that its response is not older than what the client
 * knows. A response from a thread that is ahead is delayed until the main thread reaches its position.
 */
export class WorkerQueryPool implements QueryPool {
  readonly #ports: QueryPoolPorts;
  readonly #slots: QuerySlots;
  readonly #memory: WorkMemory;
  readonly #queue: QueryQueue;
  readonly #streams: QueryStreams;
  readonly #forkedQueue: ForkedQueue = {
    park: (job) => this.#queue.park(job),
    unpark: (job) => this.#queue.unpark(job),
    enter: (job) => this.#enqueue(job),
  };
  readonly validate: SubmissionQueries["validate"];
  readonly prepare: SubmissionQueries["prepare"];
  #nextId = 0;
  /** Why queries fail from now on; `undefined` while they run. */
  #stoppedBecause: string | undefined;
  /** Resolves when all threads are idle; `undefined` while they get work. */
  #held: PromiseWithResolvers<void> | undefined;

  constructor(ports: QueryPoolPorts) {
    const { threads, timer, deadlineMs, held } = ports;
    this.#ports = ports;
    this.#memory = new WorkMemory(() => timer.nowMs());
    this.#queue = new QueryQueue({ memory: this.#memory, timer, deadlineMs, held });
    this.#streams = new QueryStreams({
      wake: () => this.#dispatch(),
      nowMs: () => timer.nowMs(),
    });
    const { validate, prepare } = new SubmissionQueries((job) => this.#enqueue(job));
    this.validate = validate;
    this.prepare = prepare;
    held.onFreed(() => this.#dispatch());
    this.#slots = new QuerySlots(threads, timer, held);
    for (const slot of this.#slots.all) slot.listen((message) => this.#heard(slot, message));
  }

  run(
    specVersion: string,
    method: string,
    paramsText: string,
    caller: Caller | undefined,
    takeRest?: TakeRest,
  ): Promise<Uint8Array> {
    if (caller?.isDisconnected === true) return Promise.resolve(queryFailure(ABANDONED));
    return new Promise((resolve) => {
      const work = { kind: "query", specVersion, method, paramsText } as const;
      const options = {
        work: takeRest === undefined ? work : ({ ...work, takesRest: true } as const),
        kind: workKindOf(method, paramsText, this.#ports.classHashAt),
        takeRest,
      };
      this.#enqueue(clientJob(options, caller, resolve, (job) => this.abandon(job)));
    });
  }

  /** Runs a job of another pool. */
  adopt(job: QueryJob): void {
    this.#enqueue(job);
  }

  /** Fails waiting and future jobs; running ones continue. */
  stop(reason: string = STOPPING): void {
    this.#stoppedBecause ??= reason;
    this.#ports.forked?.lane?.stop(reason);
    for (const job of this.#queue.drain()) job.fail(reason);
    this.#streams.fail(reason);
  }

  /** Raises the cancel flags of running jobs. Call {@link stop} first. */
  cancel(): void {
    this.#ports.forked?.lane?.cancel();
    this.#slots.stopClocks();
    this.#slots.raiseFlags();
  }

  /**
   * Starts no query until {@link release}; new ones wait.
   *
   * @returns resolves when none runs: running ones are cancelled, and restarted later
   */
  async hold(): Promise<void> {
    this.#held ??= Promise.withResolvers();
    this.#streams.fail(REVERTED);
    this.#slots.raiseFlags();
    this.#tellIdle();
    await Promise.all([this.#held.promise, this.#ports.forked?.lane?.hold()]);
  }

  /** Resumes queries. */
  release(): void {
    this.#held = undefined;
    this.#ports.forked?.lane?.release();
    this.#dispatch();
  }

  #tellIdle(): void {
    if (this.#slots.idle.length === this.#slots.all.length) this.#held?.resolve();
  }

  /** Drops a job whose client has left: it is not started, or cancelled, or not restarted. */
  abandon(job: QueryJob): void {
    job.isAbandoned = true;
    this.#ports.forked?.lane?.abandon(job);
    this.#queue.remove(job);
    this.#slots.abandon(job);
    job.fail(ABANDONED);
  }

  #enqueue(job: QueryJob): void {
    if (this.#stoppedBecause !== undefined) return job.fail(this.#stoppedBecause);
    this.#queue.enter(job);
    this.#dispatch();
  }

  #dispatch(): void {
    if (this.#held !== undefined) return;
    const { idle } = this.#slots;
    for (const [i, slot] of idle.entries()) {
      const share = Math.ceil(this.#queue.size / (idle.length - i));
      const { mayBeLong } = this.#slots;
      const rest = mayBeLong ? this.#streams.next(slot, this.#queue.size > 0) : undefined;
      const jobs = rest ? [rest] : nextJobs(this.#queue, this.#memory, mayBeLong, share);
      const assigned = jobs.map((job) => this.#ordered(job));
      const [first] = assigned;
      if (first !== undefined) slot.begin(assigned, limitMsOf(first.job, this.#ports.deadlineMs));
    }
  }

  #ordered(running: Running): AssignedJob {
    const { job, lane } = running;
    const longAfterMs = lane === "long" ? null : SHORT_MS;
    const { position } = this.#ports.view;
    return { ...running, order: { ...job.work, id: this.#nextId++, longAfterMs, position } };
  }

  #heard(slot: QuerySlot, message: FromQuery): void {
    switch (message.kind) {
      case "answers":
        return this.#finish(slot, message);
      case "long":
        return this.#overran(slot, message.id);
      case "internalError":
        return this.#ports.observer.internalError(message.method, message.logId, message.reason);
    }
  }

  /** Handles a job that was started as a short one and exceeds that time. */
  #overran(slot: QuerySlot, id: number): void {
    const job = slot.job(id);
    if (job === undefined) return;
    this.#memory.note(job.kind, SHORT_MS + 1, false);
    if (job.isAbandoned) slot.raiseFlag();
    else if (this.#slots.mayBeLong) slot.isLong = true;
    else {
      slot.isRestarting = true;
      slot.raiseFlag();
    }
  }

  #finish(slot: QuerySlot, { answers, notStarted }: QueryAnswers): void {
    const { isRestarting } = slot;
    for (const answer of answers) {
      const ended = slot.end(answer.id);
      if (ended === undefined) continue;
      const { isCancelled, processorMs } = answer;
      const isRest = ended.job.work.kind === "rest";
      this.#queue.charge(ended, processorMs - ended.countedMs);
      this.#streams.spent(isRest, processorMs);
      if (isRest) {
        this.#streams.deliver(ended.job, answer);
        continue;
      }
      this.#memory.note(ended.job.kind, processorMs, !isCancelled);
      if (!ended.job.isAbandoned) this.#goOn(slot, ended.job, answer, isRestarting);
      else if (answer.isOpen === true) slot.close(answer.id);
    }
    for (const id of notStarted) {
      const ended = slot.end(id);
      if (ended !== undefined) this.#takeBack(ended);
    }
    this.#dispatch();
    this.#tellIdle();
  }

  /** Requeues a job that its thread did not start. */
  #takeBack(ended: Running): void {
    const { job, countedMs } = ended;
    this.#queue.charge(ended, -countedMs);
    if (job.isAbandoned) return;
    if (this.#stoppedBecause !== undefined) job.fail(this.#stoppedBecause);
    else this.#queue.enterAgain(job);
  }

  #goOn(slot: QuerySlot, job: QueryJob, answer: QueryAnswer, isRestarting: boolean): void {
    const { isCancelled, needed, missing } = answer;
    const { forked } = this.#ports;
    const mayRunAgain = isCancelled && this.#stoppedBecause === undefined;
    const isHeldBack = mayRunAgain && this.#held !== undefined;
    const isAgain = isHeldBack || (mayRunAgain && isRestarting);
    if (isAgain && answer.isOpen === true) slot.close(answer.id);
    if (isHeldBack) this.#holdBack(job);
    else if (isAgain) {
      job.isLong = true;
      this.#queue.enterAgain(job);
    } else if (missing !== undefined && forked !== null) {
      void forked.goOn(job, missing, this.#forkedQueue);
    } else if (needed !== undefined) void this.#runWith(job, needed);
    else this.#give(slot, job, answer);
  }

  /** Restarts a query after {@link release}, a limited number of times. */
  #holdBack(job: QueryJob): void {
    job.heldBack++;
    if (job.heldBack > MAX_QUERY_RESTARTS) job.fail(HELD_BACK);
    else this.#queue.enterAgain(job);
  }

  /** Restarts a query once its classes are compiled; it occupies no thread meanwhile. */
  async #runWith(job: QueryJob, needed: readonly NeededClass[]): Promise<void> {
    const { work, signal } = job;
    const compiled = await compileAll(needed, this.#ports.compile, signal);
    if (job.isAbandoned) return;
    if (work.kind !== "query" || work.compiled !== undefined)
      job.fail("a class was requested twice");
    else if (typeof compiled === "string") job.fail(compiled);
    else {
      job.work = { ...work, compiled };
      this.#enqueue(job);
    }
  }

  #give(slot: QuerySlot, job: QueryJob, answer: QueryAnswer): void {
    const reached = this.#ports.view.reach(answer.position);
    if (reached === undefined) return this.#resolve(slot, job, answer);
    void reached.then((isReached) => {
      if (isReached) return this.#resolve(slot, job, answer);
      if (answer.isOpen === true) slot.close(answer.id);
      job.fail("the answer is ahead of the visible chain");
    });
  }

  #resolve(slot: QuerySlot, job: QueryJob, { id, bytes, isOpen }: QueryAnswer): void {
    if (isOpen !== true) return job.resolve(bytes);
    const isWanted =
      !job.isAbandoned && this.#stoppedBecause === undefined && this.#held === undefined;
    const rest = isWanted ? this.#streams.open(slot, job.client, id) : undefined;
    if (rest !== undefined) return job.resolve(bytes, rest);
    slot.close(id);
    job.refuse(CROWDED);
  }
}
