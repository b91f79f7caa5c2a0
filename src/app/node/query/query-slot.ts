import type { Port, Timer } from "#base/primitives/index.ts";
import type { FromQuery, ToQuery } from "../threads/query-messages.ts";
import type { QueryJob } from "./query-job.ts";
import type { NextJob } from "./query-lanes.ts";

/** A query thread and the flag that cancels its Cairo machine. */
export interface QueryThread {
  readonly port: Port<FromQuery, ToQuery>;
  readonly cancelFlag: Int32Array;
}

/** What a thread has in hand. */
interface Running extends NextJob {
  readonly id: number;
  /** What was counted for it when it was begun, in milliseconds. */
  readonly countedMs: number;
}

/** How a job is begun. */
export interface Begin extends Running {
  readonly limitMs: number;
  readonly message: ToQuery;
}

/** A query thread as the pool sees it: one job at a time, and its deadline. */
export class QuerySlot {
  readonly #thread: QueryThread;
  readonly #timer: Timer;
  #running: Running | undefined;
  #takeBackDeadline: () => void = () => undefined;
  /** It works on something long. */
  isLong = false;
  /** Its job was ended, to be begun anew where it is in nobody's way. */
  isSentOff = false;

  constructor(thread: QueryThread, timer: Timer) {
    this.#thread = thread;
    this.#timer = timer;
  }

  get job(): QueryJob | undefined {
    return this.#running?.job;
  }

  /** Hears what the thread says. */
  listen(handler: (message: FromQuery) => void): void {
    this.#thread.port.listen(handler);
  }

  /** Whether a job is in hand, the one with this number. */
  has(id: number): boolean {
    return this.#running?.id === id;
  }

  /** Hands the thread a job; its flag is raised after `limitMs`. */
  begin({ job, lane, id, countedMs, limitMs, message }: Begin): void {
    this.#running = { job, lane, id, countedMs };
    this.isLong = lane === "long";
    this.isSentOff = false;
    Atomics.store(this.#thread.cancelFlag, 0, 0);
    this.#takeBackDeadline = this.#timer.after(limitMs, () => this.raiseFlag());
    this.#thread.port.send(message);
  }

  /** The thread has done what it had in hand. @returns what that was */
  end(): Running | undefined {
    this.release();
    const running = this.#running;
    this.#running = undefined;
    this.isLong = false;
    return running;
  }

  /** Takes the deadline back. */
  release(): void {
    this.#takeBackDeadline();
  }

  /** Ends what runs within some ten milliseconds. */
  raiseFlag(): void {
    Atomics.store(this.#thread.cancelFlag, 0, 1);
  }
}
