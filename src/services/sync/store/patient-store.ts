import { NodeError, ObjectStoreError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { ListedObject, ObjectStore, StoredObject } from "#io/objects/index.ts";
import type { GatewayAsked } from "../messages.ts";
import { Pauses } from "../pause.ts";
import { refuse } from "../refusal.ts";
import { Turns } from "../turns.ts";

/** Shortest and longest pause before a question that failed is asked again; it doubles between. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 4_000;

/**
 * An object with more bytes is taken alone: many are asked for at a time, and how large one is comes to
 * light when it is there.
 */
const LARGE_BYTES = 4 * 2 ** 20;

/** What an object store is asked with. */
export interface PatientStoreDeps {
  readonly store: Pick<ObjectStore, "get" | "list" | "name">;
  readonly timer: Timer;
  /** Hears how each question ended. */
  readonly onAsked: (asked: GatewayAsked) => void;
  /** Ends all questions. */
  readonly signal: AbortSignal;
}

/**
 * Asks an object store until it answers, however long that takes.
 *
 * Every question throws a {@link NodeError} NODE_STOPPED once the signal is aborted.
 */
export class PatientStore {
  readonly #deps: PatientStoreDeps;
  readonly #pauses: Pauses;
  /** Of large objects one at a time. */
  readonly #large = new Turns(1);

  constructor(deps: PatientStoreDeps) {
    this.#deps = deps;
    this.#pauses = new Pauses(deps.timer);
    deps.signal.addEventListener("abort", () => this.#pauses.stop());
  }

  /**
   * An object.
   *
   * @param route - what it is called in metrics
   * @param blockNumber - whose bundle it is; `null`: of none
   * @returns `undefined`: there is none
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
      // A turn for each attempt: one that does not come keeps no other back.
      return await this.#ask(route, () => this.#large.take(() => store.get(key, maxBytes)));
    } catch (error) {
      return refuse("form", blockNumber, requireTooLarge(error).message);
    }
  }

  /** As {@link ObjectStore.list}. */
  list(prefix: string, after: string | undefined, max: number): Promise<readonly ListedObject[]> {
    return this.#ask("list", () => this.#deps.store.list(prefix, after, max));
  }

  /** Says that what has to be there is not, and waits a moment. */
  async missing(route: string, failure: string): Promise<void> {
    this.#requireRunning();
    this.#told(route, "failed", failure, 0);
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
        this.#told(route, "answered", undefined, seconds());
        return answer;
      } catch (error) {
        this.#requireRunning();
        if (!(error instanceof ObjectStoreError)) throw error;
        if (error.code === TOO_LARGE) {
          this.#told(route, "answered", undefined, seconds());
          throw error;
        }
        // Keys that are not taken now may be so again, too.
        this.#told(route, "failed", error.message, seconds());
      }
      await this.#pauses.for(pauseMs);
    }
  }

  #requireRunning(): void {
    if (this.#deps.signal.aborted) throw new NodeError("NODE_STOPPED", "the node stops");
  }

  #told(
    route: string,
    outcome: GatewayAsked["outcome"],
    failure: string | undefined,
    seconds: number,
  ): void {
    const { store, onAsked } = this.#deps;
    onAsked({ kind: "gatewayAsked", url: store.name, route, outcome, failure, seconds });
  }
}

const TOO_LARGE = "OBJECT_STORE_TOO_LARGE";

/** @throws `error` when it is another one */
function requireTooLarge(error: unknown): ObjectStoreError {
  if (error instanceof ObjectStoreError && error.code === TOO_LARGE) return error;
  throw error;
}
