import type { HeldBytes } from "#api/rpc/index.ts";
import type { Port, Timer } from "#base/primitives/index.ts";
import type { FromQuery, QueryOrder, ToQuery } from "../threads/query-messages.ts";
import { makingBytesOf, type QueryJob } from "./query-job.ts";
import type { NextJob } from "./query-lanes.ts";

/** Query thread, and the flag that cancels its Cairo machine. */
export interface QueryThread {
  readonly port: Port<FromQuery, ToQuery>;
  readonly cancelFlag: Int32Array;
}

/** Job assigned to a thread. */
export interface Running extends NextJob {
  /** Processor time charged at its start, in milliseconds. */
  readonly countedMs: number;
}

/** Job to start, with its order. */
export interface AssignedJob extends Running {
  readonly order: QueryOrder;
}

/**
 * Pool's view of a query thread: its assigned jobs and their deadline. It has either one job or several short
 * ones; if one of those turns out long, the thread returns the rest.
 */
export class QuerySlot {
  readonly #thread: QueryThread;
  readonly #timer: Timer;
  readonly #held: Pick<HeldBytes, "change">;
  /** Jobs by order id, in order of execution. */
  readonly #running = new Map<number, Running>();
  #cancelDeadline: () => void = () => undefined;
  /** Whether the thread works on a long job. */
  isLong = false;
  /** Whether its job was cancelled, to be restarted on a thread for long jobs. */
  isRestarting = false;

  /** @param held - counts the bytes that the thread produces for clients */
  constructor(thread: QueryThread, timer: Timer, held: Pick<HeldBytes, "change">) {
    this.#thread = thread;
    this.#timer = timer;
    this.#held = held;
  }

  get isIdle(): boolean {
    return this.#running.size === 0;
  }

  get jobs(): readonly QueryJob[] {
    return Array.from(this.#running.values(), ({ job }) => job);
  }

  /** Sets the handler of the thread's messages. */
  listen(handler: (message: FromQuery) => void): void {
    this.#thread.port.listen(handler);
  }

  /** Returns the assigned job of an order. */
  job(id: number): QueryJob | undefined {
    return this.#running.get(id)?.job;
  }

  /** Assigns jobs to an idle thread; raises its flag after `limitMs`. */
  begin(assigned: readonly AssignedJob[], limitMs: number): void {
    for (const { order, ...running } of assigned) {
      this.#running.set(order.id, running);
      this.#held.change(running.job.client, makingBytesOf(running.job.work));
    }
    this.isLong = assigned.some(({ lane }) => lane === "long");
    this.isRestarting = false;
    Atomics.store(this.#thread.cancelFlag, 0, 0);
    this.#cancelDeadline = this.#timer.after(limitMs, () => this.raiseFlag());
    this.#thread.port.send({ kind: "begin", orders: assigned.map(({ order }) => order) });
  }

  /** Makes the thread discard the rest of the response to an order. */
  close(order: number): void {
    this.#thread.port.send({ kind: "close", of: order });
  }

  /** Removes a job that the thread has finished or returned. @returns the job */
  end(id: number): Running | undefined {
    const running = this.#running.get(id);
    this.#running.delete(id);
    if (running !== undefined) {
      this.#held.change(running.job.client, -makingBytesOf(running.job.work));
    }
    if (this.isIdle) {
      this.release();
      this.isLong = false;
    }
    return running;
  }

  /** Cancels the deadline. */
  release(): void {
    this.#cancelDeadline();
  }

  /**
   * Cancels a job whose client has left. One of several short jobs is not cancelled, because it ends soon.
   */
  abandon(job: QueryJob): void {
    const { jobs } = this;
    if (jobs.length === 1 && jobs[0] === job) this.raiseFlag();
  }

  /** Cancels the running job; it stops within about ten milliseconds. */
  raiseFlag(): void {
    Atomics.store(this.#thread.cancelFlag, 0, 1);
  }
}
