import { OriginError } from "#base/errors/index.ts";
import type { Felt, Timer } from "#base/primitives/index.ts";
import {
  decodeFailure,
  type OriginQuery,
  originQueryText,
  type OriginSource,
} from "#io/origin/index.ts";
import type { FromFork, ToFork } from "../threads/fork-messages.ts";

/** Time beyond the deadline of a value after which the fork thread itself is considered stuck, in milliseconds. */
const GRACE_MS = 1_000;

/** Dependencies of {@link OriginClient}. */
export interface OriginClientDeps {
  readonly send: (message: ToFork) => void;
  readonly timer: Timer;
  /** Scheme, host and port of each URL of the origin, for messages. */
  readonly origins: readonly string[];
  /** Deadline of one value in milliseconds. The fork thread observes it too. */
  readonly timeoutMs: number;
}

interface Waiting extends PromiseWithResolvers<Uint8Array | null> {
  readonly query: OriginQuery;
  cancelDeadline: () => void;
}

/** Response of the fork thread to a query of the main thread. */
export type OriginAnswer = Extract<FromFork, { readonly kind: "value" | "lost" }>;

/** Asks the fork thread for values without waiting for them. */
export class OriginClient implements OriginSource {
  readonly #deps: OriginClientDeps;
  readonly #waiting = new Map<number, Waiting>();
  /** Classes that this node compiles for the fork thread. */
  readonly #compiling = new Set<Felt>();
  #id = 0;
  /** Why no further values are requested; `undefined` while they are. */
  #stoppedBecause: string | undefined;

  constructor(deps: OriginClientDeps) {
    this.#deps = deps;
  }

  answer(query: OriginQuery): Promise<Uint8Array | null> {
    if (this.#stoppedBecause !== undefined) {
      return Promise.reject(unavailable(query, this.#stoppedBecause));
    }
    const id = ++this.#id;
    const settling = Promise.withResolvers<Uint8Array | null>();
    const waiting: Waiting = { ...settling, query, cancelDeadline: () => undefined };
    this.#waiting.set(id, waiting);
    this.#ask(id, waiting);
    return waiting.promise;
  }

  /** Asks a fork thread that has started for the values that a stopped one did not return. */
  askAgain(): void {
    for (const [id, waiting] of this.#waiting) this.#ask(id, waiting);
  }

  /** Settles a query. */
  receive(message: OriginAnswer): void {
    const waiting = this.#waiting.get(message.id);
    if (waiting === undefined) return;
    this.#waiting.delete(message.id);
    waiting.cancelDeadline();
    if (message.kind === "value") waiting.resolve(message.value);
    else waiting.reject(decodeFailure(message.failure));
  }

  /** Fails all queries, and later ones. */
  stop(reason: string): void {
    this.#stoppedBecause ??= reason;
    for (const { cancelDeadline, reject, query } of this.#waiting.values()) {
      cancelDeadline();
      reject(unavailable(query, reason));
    }
    this.#waiting.clear();
  }

  /** Lets queries for a class wait for its compilation, which has separate limits. */
  compiling(classHash: Felt): void {
    this.#compiling.add(classHash);
    this.#setDeadlinesOf(classHash);
  }

  /** Limits the wait for a class again, from now on: its compilation has ended. */
  compiled(classHash: Felt): void {
    this.#compiling.delete(classHash);
    this.#setDeadlinesOf(classHash);
  }

  #setDeadlinesOf(classHash: Felt): void {
    for (const [id, waiting] of this.#waiting) {
      const { query } = waiting;
      if (query.kind === "class" && query.classHash === classHash) this.#setDeadline(id, waiting);
    }
  }

  #ask(id: number, waiting: Waiting): void {
    this.#setDeadline(id, waiting);
    this.#deps.send({ kind: "ask", id, query: waiting.query });
  }

  #setDeadline(id: number, waiting: Waiting): void {
    const { timer, timeoutMs, origins } = this.#deps;
    const { query } = waiting;
    waiting.cancelDeadline();
    if (query.kind === "class" && this.#compiling.has(query.classHash)) return;
    waiting.cancelDeadline = timer.after(timeoutMs + GRACE_MS, () => {
      this.#waiting.delete(id);
      waiting.reject(
        unavailable(query, `the thread that reads ${origins.join(", ")} does not respond`),
      );
    });
  }
}

function unavailable(query: OriginQuery, reason: string): OriginError {
  return new OriginError("ORIGIN_UNAVAILABLE", `${originQueryText(query)}: ${reason}`, true);
}
