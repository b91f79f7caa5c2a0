import type { QueryPool, RpcObserver } from "#rpc/index.ts";
import type { FromQuery, ToQuery } from "./workers/protocol.ts";
import type { WorkerThread } from "./workers/spawn.ts";

/** Most requests that wait for a query thread. */
const MAX_WAITING = 4_096;

/** A query that runs longer is cancelled. */
const DEADLINE_MS = 30_000;

/** A query thread and the flag that cancels its Cairo machine. */
export interface QueryThread {
  readonly thread: WorkerThread;
  readonly cancelFlag: Int32Array;
}

interface Job {
  readonly specVersion: string;
  readonly method: string;
  readonly paramsText: string;
  readonly resolve: (bytes: Uint8Array) => void;
}

interface Slot extends QueryThread {
  job: Job | undefined;
  deadline: ReturnType<typeof setTimeout> | undefined;
}

const encoder = new TextEncoder();

function errorAnswer(reason: string): Uint8Array {
  const error = { code: -32603, message: "Internal error", data: reason };
  return encoder.encode(JSON.stringify({ error }));
}

/**
 * Spreads queries over the query threads, one at a time each. A bounded queue: when it is full the
 * caller is told at once instead of waiting without end.
 */
export class WorkerQueryPool implements QueryPool {
  readonly #slots: readonly Slot[];
  #waiting: Job[] = [];
  #nextId = 0;

  /** @param observer - is told of errors that are not answers */
  constructor(threads: readonly QueryThread[], observer: Pick<RpcObserver, "internalError">) {
    this.#slots = threads.map((thread) => ({ ...thread, job: undefined, deadline: undefined }));
    for (const slot of this.#slots) {
      slot.thread.onMessage((message) => {
        const answer = message as FromQuery;
        if (answer.kind === "answer") this.#finish(slot, answer.bytes);
        else if (answer.kind === "internalError") {
          observer.internalError(answer.method, answer.logId, answer.reason);
        }
      });
    }
  }

  run(specVersion: string, method: string, paramsText: string): Promise<Uint8Array> {
    if (this.#waiting.length >= MAX_WAITING) {
      return Promise.resolve(errorAnswer(`${MAX_WAITING} requests are waiting: try again later`));
    }
    return new Promise((resolve) => {
      this.#waiting.push({ specVersion, method, paramsText, resolve });
      this.#dispatch();
    });
  }

  #dispatch(): void {
    for (const slot of this.#slots) {
      if (slot.job !== undefined) continue;
      const job = this.#waiting.shift();
      if (job === undefined) return;
      slot.job = job;
      Atomics.store(slot.cancelFlag, 0, 0);
      slot.deadline = setTimeout(() => Atomics.store(slot.cancelFlag, 0, 1), DEADLINE_MS);
      const { specVersion, method, paramsText } = job;
      const message: ToQuery = {
        kind: "query",
        id: this.#nextId++,
        specVersion,
        method,
        paramsText,
      };
      slot.thread.send(message);
    }
  }

  #finish(slot: Slot, bytes: Uint8Array): void {
    clearTimeout(slot.deadline);
    slot.job?.resolve(bytes);
    slot.job = undefined;
    this.#dispatch();
  }
}
