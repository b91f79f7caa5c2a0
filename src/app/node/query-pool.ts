import type { QueryPool, RpcObserver } from "#api/rpc/index.ts";
import { decodeSlowValidation, type SlowValidation } from "#services/admission/index.ts";
import type { PositionView } from "./position-gate.ts";
import { SYSTEM_TIMER, type Timer } from "#base/primitives/index.ts";
import type { FromQuery, PortBetween, ToQuery } from "./threads/protocol.ts";

/** Most requests that wait for a query thread. */
const MAX_WAITING = 4_096;

/** A query that runs longer is cancelled. */
const DEADLINE_MS = 30_000;

/**
 * How long a query may hold the quick thread, the first and the second time. What is not done then is
 * begun anew: the second time when no other query waits for its first, at last on another thread. A
 * short query on a busy machine is done in the second time, and need not queue up behind long ones.
 */
const QUICK_MS = [100, 400] as const;

/** A query thread and the flag that cancels its Cairo machine. */
export interface QueryThread {
  readonly port: PortBetween<"main", "query">;
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

/** A request without what the pool adds to it. */
type Work = WithoutEnvelope<ToQuery>;
type WithoutEnvelope<T> = T extends unknown ? Omit<T, "id" | "position"> : never;

interface Job {
  readonly work: Work;
  readonly resolve: (bytes: Uint8Array) => void;
  /** Ends the job without an answer. */
  readonly fail: (reason: string) => void;
  /** How often the quick thread gave it up. */
  givenUp: number;
}

interface Slot extends QueryThread {
  /** Runs no query for long, so that short ones never wait behind long ones. */
  readonly isQuick: boolean;
  job: Job | undefined;
  /** Takes the deadline of {@link job} back. */
  release: () => void;
}

const encoder = new TextEncoder();

/** The answer to a query that was not run, or whose answer can not be given. */
export function queryFailure(reason: string): Uint8Array {
  const error = { code: -32603, message: "Internal error", data: reason };
  return encoder.encode(JSON.stringify({ error }));
}

const STOPPING = "the node is stopping";

/**
 * Spreads queries over the query threads, one at a time each. A bounded queue: when it is full the
 * caller is told at once instead of waiting without end.
 *
 * With two threads and more the first one is the quick one: a query that it does not finish in
 * {@link QUICK_MS} in two attempts goes to the end of a queue of long ones, which the other threads work off first.
 * Whatever others ask, a short query waits for the short ones before it, and for no long one.
 *
 * A query carries what the main thread has seen, so that its answer is not older than what the client
 * knows; an answer from a thread that has seen more is held back until the main thread has, too.
 */
export class WorkerQueryPool implements QueryPool {
  readonly #slots: readonly Slot[];
  readonly #view: PositionView;
  readonly #timer: Timer;
  /** Not begun yet. */
  #waiting: Job[] = [];
  /** Begun once by the quick thread. */
  #second: Job[] = [];
  /** Begun by the quick thread and too long for it. */
  #long: Job[] = [];
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
      this.#enqueue(this.#waiting, {
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
      this.#enqueue(this.#long, {
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
    const waiting = [...this.#waiting, ...this.#second, ...this.#long];
    this.#waiting = [];
    this.#second = [];
    this.#long = [];
    for (const { fail } of waiting) fail(STOPPING);
  }

  /** Raises the cancel flag of what still runs. For use after {@link stop}. */
  cancel(): void {
    for (const slot of this.#slots) {
      slot.release();
      if (slot.job !== undefined) Atomics.store(slot.cancelFlag, 0, 1);
    }
  }

  #enqueue(queue: Job[], job: Job): void {
    if (this.#isStopped) job.fail(STOPPING);
    else if (this.#waiting.length + this.#second.length + this.#long.length >= MAX_WAITING) {
      job.fail(`${MAX_WAITING} requests are waiting: try again later`);
    } else {
      queue.push(job);
      this.#dispatch();
    }
  }

  #dispatch(): void {
    for (const slot of this.#slots) {
      if (slot.job !== undefined) continue;
      const queues = slot.isQuick
        ? [this.#waiting, this.#second]
        : [this.#long, this.#second, this.#waiting];
      const job = queues.find((queue) => queue.length > 0)?.shift();
      if (job === undefined) continue;
      slot.job = job;
      Atomics.store(slot.cancelFlag, 0, 0);
      const limitMs = (slot.isQuick ? QUICK_MS[job.givenUp] : undefined) ?? DEADLINE_MS;
      slot.release = this.#timer.after(limitMs, () => Atomics.store(slot.cancelFlag, 0, 1));
      const envelope = { id: this.#nextId++, position: this.#view.position };
      const message: ToQuery = { ...job.work, ...envelope };
      slot.port.send(message);
    }
  }

  #finish(slot: Slot, answer: Extract<FromQuery, { kind: "answer" }>): void {
    slot.release();
    const { job } = slot;
    slot.job = undefined;
    if (job !== undefined) {
      if (answer.isCancelled && slot.isQuick && !this.#isStopped) {
        (++job.givenUp < QUICK_MS.length ? this.#second : this.#long).push(job);
      } else this.#give(job, answer);
    }
    this.#dispatch();
  }

  #give({ resolve, fail }: Job, { position, bytes }: Extract<FromQuery, { kind: "answer" }>): void {
    const reached = this.#view.reach(position);
    if (reached === undefined) resolve(bytes);
    else {
      void reached.then((isReached) =>
        isReached ? resolve(bytes) : fail("the answer is ahead of what the node may show"),
      );
    }
  }
}
