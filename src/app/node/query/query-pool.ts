import type { QueryPool, RpcObserver } from "#api/rpc/index.ts";
import { type Port, SYSTEM_TIMER, type Timer } from "#base/primitives/index.ts";
import {
  decodeSlowValidation,
  type PositionView,
  type SlowValidation,
} from "#services/admission/index.ts";
import type { FromQuery, QueryAnswer, ToQuery } from "./messages.ts";
import { queryFailure } from "./query-failure.ts";
import { limitMsOf, QUICK_MS, type QueryJob, QueryLanes } from "./query-lanes.ts";

/** Most requests that wait for a query thread. */
const MAX_WAITING = 4_096;

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
  readonly timer?: Timer;
}

interface Slot extends QueryThread {
  /** Runs no query for long, so that short ones never wait behind long ones. */
  readonly isQuick: boolean;
  job: QueryJob | undefined;
  /** Takes the deadline of {@link job} back. */
  release: () => void;
}

const STOPPING = "the node is stopping";

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
  readonly #lanes = new QueryLanes();
  #nextId = 0;
  #isStopped = false;

  constructor({ threads, observer, view, timer = SYSTEM_TIMER }: QueryPoolPorts) {
    this.#view = view;
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

  run(specVersion: string, method: string, paramsText: string): Promise<Uint8Array> {
    return new Promise((resolve) => {
      this.#enqueue({
        work: { kind: "query", specVersion, method, paramsText },
        resolve,
        fail: (reason) => resolve(queryFailure(reason)),
        givenUp: 0,
      });
    });
  }

  /**
   * Validates a transaction whose validation is known to be long.
   *
   * @param bytes - the transaction, encoded
   * @returns `undefined` when the pool is stopping or full
   */
  async validate(
    bytes: Uint8Array,
    senderIsToBeDeployed: boolean,
  ): Promise<SlowValidation | undefined> {
    const answer = await new Promise<Uint8Array | undefined>((resolve) => {
      this.#enqueue({
        work: { kind: "validate", bytes, senderIsToBeDeployed },
        resolve,
        fail: () => resolve(undefined),
        givenUp: QUICK_MS.length,
      });
    });
    return answer && decodeSlowValidation(answer);
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

  #enqueue(job: QueryJob): void {
    if (this.#isStopped) job.fail(STOPPING);
    else if (this.#lanes.size >= MAX_WAITING) {
      job.fail(`${MAX_WAITING} requests are waiting: try again later`);
    } else {
      this.#lanes.push(job);
      this.#dispatch();
    }
  }

  #dispatch(): void {
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
    slot.release = this.#timer.after(limitMsOf(job, isQuick), () =>
      Atomics.store(cancelFlag, 0, 1),
    );
    port.send({ ...job.work, id: this.#nextId++, position: this.#view.position });
  }

  #finish(slot: Slot, answer: QueryAnswer): void {
    slot.release();
    const { job } = slot;
    slot.job = undefined;
    if (job !== undefined) {
      if (answer.isCancelled && slot.isQuick && !this.#isStopped) {
        job.givenUp++;
        this.#lanes.push(job);
      } else this.#give(job, answer);
    }
    this.#dispatch();
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
