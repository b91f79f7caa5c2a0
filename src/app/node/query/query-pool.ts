import type { QueryPool, RpcObserver } from "#api/rpc/index.ts";
import { type Port, SYSTEM_TIMER, type Timer } from "#base/primitives/index.ts";
import {
  type CompileOutcome,
  type CompileRequest,
  decodePrepared,
  decodeSlowValidation,
  type PositionView,
  type PreparedDeclaration,
  type SlowValidation,
  type SlowValidationFacts,
} from "#services/admission/index.ts";
import { compileAll } from "./compile-all.ts";
import type { FromQuery, NeededClass, QueryAnswer, QueryWork, ToQuery } from "./messages.ts";
import { queryFailure } from "./query-failure.ts";
import { limitMsOf, QUICK_MS, type QueryJob, QueryLanes, sizeBytesOf } from "./query-lanes.ts";

/** The hash of a larger class takes longer than the quick thread's first attempt. */
const LARGE_CLASS_BYTES = 512 * 1024;

/** Most requests that wait for a query thread. */
const MAX_WAITING = 4_096;

/** Most bytes of them. */
const MAX_WAITING_BYTES = 128 << 20;

/** How often a query is begun anew because the chain is taken back. */
export const MAX_HELD_BACK = 8;

/** A query thread and the flag that cancels its Cairo machine. */
export interface QueryThread {
  readonly port: Port<FromQuery, ToQuery>;
  readonly cancelFlag: Int32Array;
}

/** What a pool works with. */
export interface QueryPoolPorts {
  readonly threads: readonly QueryThread[];
  /** Is told of errors that are not answers. */
  readonly observer: Pick<RpcObserver, "internalError">;
  /** What the main thread, and so every client, has seen. */
  readonly view: PositionView;
  /** Compiles a class that a method needs; never rejects. */
  readonly compile: (request: CompileRequest) => Promise<CompileOutcome>;
  readonly timer?: Timer;
  /** A query that runs longer is cancelled. */
  readonly deadlineMs?: number;
}

interface Slot extends QueryThread {
  /** Runs no query for long, so that short ones never wait behind long ones. */
  readonly isQuick: boolean;
  job: QueryJob | undefined;
  /** Takes the deadline of {@link job} back. */
  release: () => void;
}

const STOPPING = "the node is stopping";
const HELD_BACK = "the chain was taken back to an earlier block again and again: ask again later";
const ABANDONED = "nobody waits for the answer any more";

/**
 * Spreads queries over the query threads, one at a time each. A bounded queue: when it is full the
 * caller is told at once instead of waiting without end.
 *
 * With two threads and more the first one is the quick one: a query that it does not finish in
 * {@link QUICK_MS} in two attempts goes to the end of a queue of long ones, which the other threads
 * work off first. Whatever others ask, a short query waits for the short ones before it, and for no
 * long one.
 *
 * A query carries what the main thread has seen, so that its answer is not older than what the client
 * knows; an answer from a thread that has seen more is held back until the main thread has, too.
 */
export class WorkerQueryPool implements QueryPool {
  readonly #slots: readonly Slot[];
  readonly #view: PositionView;
  readonly #timer: Timer;
  readonly #compile: QueryPoolPorts["compile"];
  readonly #deadlineMs: number | undefined;
  readonly #lanes = new QueryLanes();
  #nextId = 0;
  #isStopped = false;
  /** Settles what waits for the threads to be idle; `undefined` while they are given work. */
  #held: PromiseWithResolvers<void> | undefined;

  constructor({
    threads,
    observer,
    view,
    compile,
    timer = SYSTEM_TIMER,
    deadlineMs,
  }: QueryPoolPorts) {
    this.#deadlineMs = deadlineMs;
    this.#view = view;
    this.#compile = compile;
    this.#timer = timer;
    this.#slots = threads.map(({ port, cancelFlag }, index) => ({
      port,
      cancelFlag,
      isQuick: threads.length > 1 && index === 0,
      job: undefined,
      release: () => undefined,
    }));
    for (const slot of this.#slots) {
      slot.port.listen((answer) => {
        if (answer.kind === "answer") this.#finish(slot, answer);
        else observer.internalError(answer.method, answer.logId, answer.reason);
      });
    }
  }

  run(
    specVersion: string,
    method: string,
    paramsText: string,
    signal?: AbortSignal,
  ): Promise<Uint8Array> {
    if (signal?.aborted === true) return Promise.resolve(queryFailure(ABANDONED));
    return new Promise((resolve) => {
      const abandon = () => this.#abandon(job);
      const settle = (bytes: Uint8Array) => {
        signal?.removeEventListener("abort", abandon);
        resolve(bytes);
      };
      const job: QueryJob = {
        work: { kind: "query", specVersion, method, paramsText },
        resolve: settle,
        fail: (reason) => settle(queryFailure(reason)),
        givenUp: 0,
        signal,
      };
      signal?.addEventListener("abort", abandon);
      this.#enqueue(job);
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
    facts: SlowValidationFacts,
    isLong: boolean,
  ): Promise<SlowValidation | undefined> {
    const givenUp = isLong ? QUICK_MS.length : 0;
    const answer = await this.#ask({ kind: "validate", bytes, facts }, givenUp);
    return answer && decodeSlowValidation(answer);
  }

  /**
   * Hashes and validates a declaration.
   *
   * @param bytes - of `encodeDeclaration`
   * @returns `undefined` when the pool is stopping or full
   */
  async prepare(bytes: Uint8Array): Promise<PreparedDeclaration | undefined> {
    const givenUp = bytes.byteLength > LARGE_CLASS_BYTES ? 1 : 0;
    const answer = await this.#ask({ kind: "prepare", bytes }, givenUp);
    return answer && decodePrepared(answer);
  }

  /** Answers what waits and what comes from now on with an error; what runs goes on. */
  stop(): void {
    this.#isStopped = true;
    for (const { fail } of this.#lanes.drain()) fail(STOPPING);
  }

  /** Raises the cancel flag of what still runs. For use after {@link stop}. */
  cancel(): void {
    for (const slot of this.#slots) {
      slot.release();
      if (slot.job !== undefined) Atomics.store(slot.cancelFlag, 0, 1);
    }
  }

  /**
   * Begins no query until {@link release}; those that come wait.
   *
   * @returns settles when none runs any more: what runs is stopped, and begun again later
   */
  hold(): Promise<void> {
    this.#held ??= Promise.withResolvers();
    for (const { job, cancelFlag } of this.#slots) {
      if (job !== undefined) Atomics.store(cancelFlag, 0, 1);
    }
    this.#tellIdle();
    return this.#held.promise;
  }

  /** Queries are begun again. */
  release(): void {
    this.#held = undefined;
    this.#dispatch();
  }

  #tellIdle(): void {
    if (this.#slots.every(({ job }) => job === undefined)) this.#held?.resolve();
  }

  #ask(work: QueryWork, givenUp: number): Promise<Uint8Array | undefined> {
    return new Promise((resolve) => {
      this.#enqueue({ work, resolve, fail: () => resolve(undefined), givenUp });
    });
  }

  /** Nobody waits for a job any more: it is not begun, or ended, or not run a second time. */
  #abandon(job: QueryJob): void {
    job.isAbandoned = true;
    this.#lanes.remove(job);
    const slot = this.#slots.find((slot) => slot.job === job);
    if (slot !== undefined) Atomics.store(slot.cancelFlag, 0, 1);
    job.fail(ABANDONED);
  }

  #enqueue(job: QueryJob): void {
    if (this.#isStopped) job.fail(STOPPING);
    else if (this.#lanes.size >= MAX_WAITING) {
      job.fail(`${MAX_WAITING} requests are waiting: try again later`);
    } else if (this.#lanes.sizeBytes + sizeBytesOf(job.work) > MAX_WAITING_BYTES) {
      job.fail("requests that are long together are waiting: try again later");
    } else {
      this.#lanes.push(job);
      this.#dispatch();
    }
  }

  #dispatch(): void {
    if (this.#held !== undefined) return;
    for (const slot of this.#slots) {
      if (slot.job !== undefined) continue;
      const job = this.#lanes.next(slot.isQuick);
      if (job !== undefined) this.#begin(slot, job);
    }
  }

  #begin(slot: Slot, job: QueryJob): void {
    const { port, cancelFlag, isQuick } = slot;
    slot.job = job;
    Atomics.store(cancelFlag, 0, 0);
    slot.release = this.#timer.after(limitMsOf(job, isQuick, this.#deadlineMs), () =>
      Atomics.store(cancelFlag, 0, 1),
    );
    port.send({ ...job.work, id: this.#nextId++, position: this.#view.position });
  }

  #finish(slot: Slot, answer: QueryAnswer): void {
    slot.release();
    const { job } = slot;
    slot.job = undefined;
    if (job !== undefined && job.isAbandoned !== true) {
      if (answer.isCancelled && this.#held !== undefined && !this.#isStopped) this.#holdBack(job);
      else if (answer.isCancelled && slot.isQuick && !this.#isStopped) {
        job.givenUp++;
        this.#lanes.push(job);
      } else if (answer.needed !== undefined) void this.#runWith(job, answer.needed);
      else this.#give(job, answer);
    }
    this.#dispatch();
    this.#tellIdle();
  }

  /** Begins a query anew after {@link release}, but not for ever. */
  #holdBack(job: QueryJob): void {
    job.heldBack = (job.heldBack ?? 0) + 1;
    if (job.heldBack > MAX_HELD_BACK) job.fail(HELD_BACK);
    else this.#lanes.push(job);
  }

  /** Runs a query again once its classes are compiled, in nobody's way meanwhile. */
  async #runWith(job: QueryJob, needed: readonly NeededClass[]): Promise<void> {
    const { work, signal } = job;
    const compiled = await compileAll(needed, this.#compile, signal);
    if (job.isAbandoned === true) return;
    if (work.kind !== "query" || work.compiled !== undefined)
      job.fail("a class was asked for twice");
    else if (typeof compiled === "string") job.fail(compiled);
    else {
      job.work = { ...work, compiled };
      this.#enqueue(job);
    }
  }

  #give({ resolve, fail }: QueryJob, { position, bytes }: QueryAnswer): void {
    const reached = this.#view.reach(position);
    if (reached === undefined) resolve(bytes);
    else {
      void reached.then((isReached) =>
        isReached ? resolve(bytes) : fail("the answer is ahead of what the node may show"),
      );
    }
  }
}
