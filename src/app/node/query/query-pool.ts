import type { Caller, HeldBytes, QueryPool, RpcObserver } from "#api/rpc/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import {
  type CompileOutcome,
  type CompileRequest,
  decodePrepared,
  decodeSlowValidation,
  type PositionView,
  type PreparedDeclaration,
  type SlowValidation,
  type SlowValidationMetadata,
} from "#services/admission/index.ts";
import { clientJob } from "./client-job.ts";
import { compileAll } from "./compile-all.ts";
import type { FromQuery, NeededClass, QueryAnswer, QueryWork } from "../threads/query-messages.ts";
import { queryFailure } from "./query-failure.ts";
import { limitMsOf, QueryJob, SUBMISSIONS } from "./query-job.ts";
import { nextJobs } from "./next-jobs.ts";
import { QueryQueue } from "./query-queue.ts";
import type { Begin, QuerySlot, QueryThread, Running } from "./query-slot.ts";
import { QuerySlots } from "./query-slots.ts";
import { type ClassHashAt, submissionKind, type WorkKind, workKindOf } from "./work-kinds.ts";
import { SHORT_MS, WorkMemory } from "./work-memory.ts";

/** Hashing a larger class is long. */
const LARGE_CLASS_BYTES = 512 * 1024;

/** How often a query is begun anew because the chain is reverted. */
export const MAX_HELD_BACK = 8;

/** What a pool works with. */
export interface QueryPoolPorts {
  readonly threads: readonly QueryThread[];
  /** Is told of errors that are not answers. */
  readonly observer: Pick<RpcObserver, "internalError">;
  /** What the main thread, and so every client, has seen. */
  readonly view: PositionView;
  /** Compiles a class that a method needs; never rejects. */
  readonly compile: (request: CompileRequest) => Promise<CompileOutcome>;
  /** Classes of contracts now: calls of one function of a class count as alike. */
  readonly classHashAt: ClassHashAt;
  readonly timer: Timer;
  /** A query that waits longer is refused, one that runs longer is cancelled. */
  readonly deadlineMs: number;
  /** What is held for clients: the queries of those that have no room for answers wait. */
  readonly held: Pick<HeldBytes, "change" | "hasRoom" | "onFreed">;
}

type QueryAnswers = Extract<FromQuery, { readonly kind: "answers" }>;

const STOPPING = "the node is stopping";
const HELD_BACK = "the chain was reverted to an earlier block again and again: ask again later";
const ABANDONED = "nobody waits for the answer any more";

/**
 * Spreads queries over the query threads, which do one at a time each. Clients take turns; what waits
 * is bounded, and whoever finds no room is told at once instead of waiting without end.
 *
 * All threads but one may do what is long, and one never does: whatever others ask, a short query waits
 * for short ones only. What is known to be long waits for those threads from the start. A query that
 * turns out to be long goes on where it is while one of them is free, and otherwise is ended and begun
 * anew on one, once for all of its kind.
 *
 * A query carries what the main thread has seen, so that its answer is not older than what the client
 * knows; an answer from a thread that has seen more is held back until the main thread has, too.
 */
export class WorkerQueryPool implements QueryPool {
  readonly #ports: QueryPoolPorts;
  readonly #slots: QuerySlots;
  readonly #memory: WorkMemory;
  readonly #queue: QueryQueue;
  #nextId = 0;
  #isStopped = false;
  /** Settles what waits for the threads to be idle; `undefined` while they are given work. */
  #held: PromiseWithResolvers<void> | undefined;

  constructor(ports: QueryPoolPorts) {
    const { threads, timer, deadlineMs, held } = ports;
    this.#ports = ports;
    this.#memory = new WorkMemory(() => timer.nowMs());
    this.#queue = new QueryQueue({ memory: this.#memory, timer, deadlineMs, held });
    held.onFreed(() => this.#dispatch());
    this.#slots = new QuerySlots(threads, timer, held);
    for (const slot of this.#slots.all) slot.listen((message) => this.#heard(slot, message));
  }

  run(
    specVersion: string,
    method: string,
    paramsText: string,
    caller: Caller | undefined,
  ): Promise<Uint8Array> {
    if (caller?.hasLeft === true) return Promise.resolve(queryFailure(ABANDONED));
    return new Promise((resolve) => {
      const options = {
        work: { kind: "query", specVersion, method, paramsText } as const,
        kind: workKindOf(method, paramsText, this.#ports.classHashAt),
      };
      this.#enqueue(clientJob(options, caller, resolve, (job) => this.#abandon(job)));
    });
  }

  /**
   * Validates a transaction.
   *
   * @param bytes - the transaction, encoded
   * @param isLong - its validation is known to be long
   * @returns `undefined` when the pool is stopping or full
   */
  async validate(
    bytes: Uint8Array,
    metadata: SlowValidationMetadata,
    isLong: boolean,
  ): Promise<SlowValidation | undefined> {
    const kind = submissionKind("validate", bytes.byteLength);
    const answer = await this.#ask({ kind: "validate", bytes, metadata }, kind, isLong);
    return answer && decodeSlowValidation(answer);
  }

  /**
   * Hashes and validates a declaration; with `names` only hashes it.
   *
   * @param bytes - of `encodeDeclaration`
   * @returns `undefined` when the pool is stopping or full
   */
  async prepare(bytes: Uint8Array, only?: "names"): Promise<PreparedDeclaration | undefined> {
    const kind = submissionKind("prepare", bytes.byteLength);
    const isLong = bytes.byteLength > LARGE_CLASS_BYTES;
    const work = { kind: "prepare", bytes, ...(only && { namesOnly: true }) } as const;
    const answer = await this.#ask(work, kind, isLong);
    return answer && decodePrepared(answer);
  }

  /** Answers what waits and what comes from now on with an error; what runs goes on. */
  stop(): void {
    this.#isStopped = true;
    for (const job of this.#queue.drain()) job.fail(STOPPING);
  }

  /** Raises the cancel flag of what still runs. For use after {@link stop}. */
  cancel(): void {
    this.#slots.stopClocks();
    this.#slots.raiseFlags();
  }

  /**
   * Begins no query until {@link release}; those that come wait.
   *
   * @returns settles when none runs any more: what runs is stopped, and begun again later
   */
  hold(): Promise<void> {
    this.#held ??= Promise.withResolvers();
    this.#slots.raiseFlags();
    this.#tellIdle();
    return this.#held.promise;
  }

  /** Queries are begun again. */
  release(): void {
    this.#held = undefined;
    this.#dispatch();
  }

  #tellIdle(): void {
    if (this.#slots.idle.length === this.#slots.all.length) this.#held?.resolve();
  }

  #ask(work: QueryWork, kind: WorkKind, isLong: boolean): Promise<Uint8Array | undefined> {
    return new Promise((resolve) => {
      const none = () => resolve(undefined);
      const ends = { resolve, fail: none, refuse: none };
      this.#enqueue(
        new QueryJob({ work, kind, client: SUBMISSIONS, isLong, signal: undefined }, ends),
      );
    });
  }

  /** Nobody waits for a job any more: it is not begun, or ended, or not run a second time. */
  #abandon(job: QueryJob): void {
    job.isAbandoned = true;
    this.#queue.remove(job);
    this.#slots.abandon(job);
    job.fail(ABANDONED);
  }

  #enqueue(job: QueryJob): void {
    if (this.#isStopped) return job.fail(STOPPING);
    this.#queue.enter(job);
    this.#dispatch();
  }

  #dispatch(): void {
    if (this.#held !== undefined) return;
    const { idle } = this.#slots;
    for (const [i, slot] of idle.entries()) {
      const share = Math.ceil(this.#queue.size / (idle.length - i));
      const jobs = nextJobs(this.#queue, this.#memory, this.#slots.mayBeLong, share);
      const begun = jobs.map((job) => this.#ordered(job));
      const [first] = begun;
      if (first !== undefined) slot.begin(begun, limitMsOf(first.job, this.#ports.deadlineMs));
    }
  }

  #ordered(running: Running): Begin {
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

  /** A job that was begun as a short one is none. */
  #overran(slot: QuerySlot, id: number): void {
    const job = slot.job(id);
    if (job === undefined) return;
    this.#memory.note(job.kind, SHORT_MS + 1, false);
    if (job.isAbandoned) slot.raiseFlag();
    else if (this.#slots.mayBeLong) slot.isLong = true;
    else {
      slot.isSentOff = true;
      slot.raiseFlag();
    }
  }

  #finish(slot: QuerySlot, { answers, notBegun }: QueryAnswers): void {
    const { isSentOff } = slot;
    for (const answer of answers) {
      const ended = slot.end(answer.id);
      if (ended === undefined) continue;
      const { isCancelled, processorMs } = answer;
      this.#queue.charge(ended, processorMs - ended.countedMs);
      this.#memory.note(ended.job.kind, processorMs, !isCancelled);
      if (!ended.job.isAbandoned) this.#goOn(ended.job, answer, isSentOff);
    }
    for (const id of notBegun) {
      const ended = slot.end(id);
      if (ended !== undefined) this.#takeBack(ended);
    }
    this.#dispatch();
    this.#tellIdle();
  }

  /** A thread does not come to a job: it waits again. */
  #takeBack(ended: Running): void {
    const { job, countedMs } = ended;
    this.#queue.charge(ended, -countedMs);
    if (job.isAbandoned) return;
    if (this.#isStopped) job.fail(STOPPING);
    else this.#queue.enterAgain(job);
  }

  #goOn(job: QueryJob, answer: QueryAnswer, isSentOff: boolean): void {
    const { isCancelled, needed } = answer;
    if (isCancelled && this.#held !== undefined && !this.#isStopped) this.#holdBack(job);
    else if (isCancelled && isSentOff && !this.#isStopped) {
      job.isLong = true;
      this.#queue.enterAgain(job);
    } else if (needed !== undefined) void this.#runWith(job, needed);
    else this.#give(job, answer);
  }

  /** Begins a query anew after {@link release}, but not for ever. */
  #holdBack(job: QueryJob): void {
    job.heldBack++;
    if (job.heldBack > MAX_HELD_BACK) job.fail(HELD_BACK);
    else this.#queue.enterAgain(job);
  }

  /** Runs a query again once its classes are compiled, in nobody's way meanwhile. */
  async #runWith(job: QueryJob, needed: readonly NeededClass[]): Promise<void> {
    const { work, signal } = job;
    const compiled = await compileAll(needed, this.#ports.compile, signal);
    if (job.isAbandoned) return;
    if (work.kind !== "query" || work.compiled !== undefined)
      job.fail("a class was asked for twice");
    else if (typeof compiled === "string") job.fail(compiled);
    else {
      job.work = { ...work, compiled };
      this.#enqueue(job);
    }
  }

  #give(job: QueryJob, { position, bytes }: QueryAnswer): void {
    const reached = this.#ports.view.reach(position);
    if (reached === undefined) return job.resolve(bytes);
    void reached.then((isReached) =>
      isReached ? job.resolve(bytes) : job.fail("the answer is ahead of what the node may show"),
    );
  }
}
