import type { HeldBytes } from "#api/rpc/index.ts";
import type { Port, Timer } from "#base/primitives/index.ts";
import type { FromQuery, QueryOrder, ToQuery } from "../threads/query-messages.ts";
import { makingBytesOf, type QueryJob } from "./query-job.ts";
import type { NextJob } from "./query-lanes.ts";

/** A query thread and the flag that cancels its Cairo machine. */
export interface QueryThread {
  readonly port: Port<FromQuery, ToQuery>;
  readonly cancelFlag: Int32Array;
}

/** What a thread has in hand. */
export interface Running extends NextJob {
  /** What was counted for it when it was begun, in milliseconds. */
  readonly countedMs: number;
}

/** How a job is begun. */
export interface Begin extends Running {
  readonly order: QueryOrder;
}

/**
 * A query thread as the pool sees it: the jobs that it has in hand, and their deadline. Several of them
 * are short ones, or it gives all but one back.
 */
export class QuerySlot {
  readonly #thread: QueryThread;
  readonly #timer: Timer;
  readonly #held: Pick<HeldBytes, "change">;
  /** By number, in the order in which they are done. */
  readonly #running = new Map<number, Running>();
  #takeBackDeadline: () => void = () => undefined;
  /** It works on something long. */
  isLong = false;
  /** Its job was ended, to be begun anew where it is in nobody's way. */
  isSentOff = false;

  /** @param held - counts what the thread makes for clients */
  constructor(thread: QueryThread, timer: Timer, held: Pick<HeldBytes, "change">) {
    this.#thread = thread;
    this.#timer = timer;
    this.#held = held;
  }

  /** Whether it has nothing in hand. */
  get isIdle(): boolean {
    return this.#running.size === 0;
  }

  /** What it has in hand. */
  get jobs(): readonly QueryJob[] {
    return Array.from(this.#running.values(), ({ job }) => job);
  }

  /** Hears what the thread says. */
  listen(handler: (message: FromQuery) => void): void {
    this.#thread.port.listen(handler);
  }

  /** The job of a number, if it is in hand. */
  job(id: number): QueryJob | undefined {
    return this.#running.get(id)?.job;
  }

  /** Hands an idle thread jobs; its flag is raised after `limitMs`. */
  begin(begun: readonly Begin[], limitMs: number): void {
    for (const { order, ...running } of begun) {
      this.#running.set(order.id, running);
      this.#held.change(running.job.client, makingBytesOf(running.job.work));
    }
    this.isLong = begun.some(({ lane }) => lane === "long");
    this.isSentOff = false;
    Atomics.store(this.#thread.cancelFlag, 0, 0);
    this.#takeBackDeadline = this.#timer.after(limitMs, () => this.raiseFlag());
    this.#thread.port.send({ kind: "begin", orders: begun.map(({ order }) => order) });
  }

  /** The thread lets go the rest of the answer to an order. */
  close(order: number): void {
    this.#thread.port.send({ kind: "close", of: order });
  }

  /** The thread has done a job, or gives it back. @returns what that was */
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

  /** Takes the deadline back. */
  release(): void {
    this.#takeBackDeadline();
  }

  /** Nobody waits for a job any more: one that stands among others is done, as it is over at once. */
  abandon(job: QueryJob): void {
    const { jobs } = this;
    if (jobs.length === 1 && jobs[0] === job) this.raiseFlag();
  }

  /** Ends what runs within some ten milliseconds. */
  raiseFlag(): void {
    Atomics.store(this.#thread.cancelFlag, 0, 1);
  }
}
