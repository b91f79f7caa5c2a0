import { NodeError, ObjectStoreError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { ListedObject, ObjectStore, StoredObject } from "#io/objects/index.ts";
import type { GatewayRequestEnded } from "../messages.ts";
import { Pauses } from "../pause.ts";
import { refuse } from "../refusal.ts";
import { Turns } from "../turns.ts";

/** Pause before a failed request is retried for the first time. */
const FIRST_PAUSE_MS = 250;
/** Upper limit of the doubling pause. */
const LONGEST_PAUSE_MS = 4_000;

/**
 * Size in bytes above which objects are fetched one at a time. Many are requested concurrently, and the size
 * of an object is known only once it has arrived.
 */
const LARGE_BYTES = 4 * 2 ** 20;

/** Dependencies of a {@link PatientStore}. */
export interface PatientStoreDeps {
  readonly store: Pick<ObjectStore, "get" | "list" | "name">;
  readonly timer: Timer;
  /** Called with the outcome of each request. */
  readonly onRequestEnded: (asked: GatewayRequestEnded) => void;
  readonly signal: AbortSignal;
}

/**
 * Retries requests to an object store until it answers, without a time limit.
 *
 * Every method throws a {@link NodeError} NODE_STOPPED once the signal is aborted.
 */
export class PatientStore {
  readonly #deps: PatientStoreDeps;
  readonly #pauses: Pauses;
  /** Allows one large object at a time. */
  readonly #large = new Turns(1);

  constructor(deps: PatientStoreDeps) {
    this.#deps = deps;
    this.#pauses = new Pauses(deps.timer);
    deps.signal.addEventListener("abort", () => this.#pauses.stop());
  }

  /**
   * Fetches an object.
   *
   * @param route - name of the request in metrics
   * @param blockNumber - block whose bundle is requested; `null` for other objects
   * @returns `undefined` if there is no such object
   * @throws {BlockRefused} `form` when it has more than `maxBytes`
   */
  async get(
    key: string,
    maxBytes: number,
    route: string,
    blockNumber: number | null,
  ): Promise<StoredObject | undefined> {
    const { store } = this.#deps;
    try {
      return await this.#ask(route, () => store.get(key, Math.min(maxBytes, LARGE_BYTES)));
    } catch (error) {
      requireTooLarge(error);
    }
    try {
      // Each attempt takes a separate turn, so that a hanging one does not block the others.
      return await this.#ask(route, () => this.#large.take(() => store.get(key, maxBytes)));
    } catch (error) {
      return refuse("form", blockNumber, requireTooLarge(error).message);
    }
  }

  /** Same as {@link ObjectStore.list}, with retries. */
  list(prefix: string, after: string | undefined, max: number): Promise<readonly ListedObject[]> {
    return this.#ask("list", () => this.#deps.store.list(prefix, after, max));
  }

  /** Reports that a required object is missing, and pauses. */
  async missing(route: string, failure: string): Promise<void> {
    this.#requireRunning();
    this.#report(route, "failed", failure, 0);
    await this.#pauses.for(LONGEST_PAUSE_MS);
    this.#requireRunning();
  }

  async #ask<T>(route: string, question: () => Promise<T>): Promise<T> {
    const { timer } = this.#deps;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      this.#requireRunning();
      const beganMs = timer.nowMs();
      const seconds = (): number => (timer.nowMs() - beganMs) / 1000;
      try {
        const answer = await question();
        this.#requireRunning();
        this.#report(route, "answered", undefined, seconds());
        return answer;
      } catch (error) {
        this.#requireRunning();
        if (!(error instanceof ObjectStoreError)) throw error;
        if (error.code === TOO_LARGE) {
          this.#report(route, "answered", undefined, seconds());
          throw error;
        }
        // Also retries rejected credentials, which may become valid again.
        this.#report(route, "failed", error.message, seconds());
      }
      await this.#pauses.for(pauseMs);
    }
  }

  #requireRunning(): void {
    if (this.#deps.signal.aborted) throw new NodeError("NODE_STOPPED", "the node stops");
  }

  #report(
    route: string,
    outcome: GatewayRequestEnded["outcome"],
    failure: string | undefined,
    seconds: number,
  ): void {
    const { store, onRequestEnded } = this.#deps;
    onRequestEnded({
      kind: "gatewayRequestEnded",
      url: store.name,
      route,
      outcome,
      failure,
      seconds,
    });
  }
}

const TOO_LARGE = "OBJECT_STORE_TOO_LARGE";

/** @throws `error` if it is not the expected one */
function requireTooLarge(error: unknown): ObjectStoreError {
  if (error instanceof ObjectStoreError && error.code === TOO_LARGE) return error;
  throw error;
}
