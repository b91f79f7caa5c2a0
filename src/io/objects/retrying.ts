import { ObjectStoreError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import { pause } from "#io/http/index.ts";
import { stopped, untilAborted } from "./until-aborted.ts";

/** Why somebody waits for a store. */
export interface StoreWaiting {
  /** How often it was asked in vain; from 1. */
  readonly attempts: number;
  /** For people: what the store answered, or that it did not. Without keys. */
  readonly why: string;
  /** It may be over by itself: the store is out of order. Else somebody has to do something. */
  readonly isRetryable: boolean;
}

/** Who waits for a store, and how. */
export interface RetryOptions {
  readonly timer: Timer;
  /** Ends the waiting at once. */
  readonly signal: AbortSignal;
  /** Told before each pause. */
  readonly onWaiting: (waiting: StoreWaiting) => void;
}

/** The first pause between two attempts, and the longest. */
const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 2_000;

/** What an attempt came to: a result, or why there has to be another. */
export type Attempted<T> =
  { readonly kind: "done"; readonly result: T } | { readonly kind: "again"; readonly why: string };

/**
 * Attempts something until it is done, with pauses that double. Whatever the store answers is waited for,
 * also what no repetition makes better: keys come back, disks are emptied.
 *
 * @throws {ObjectStoreError} `OBJECT_STORE_STOPPED` when the signal is aborted
 */
export async function retrying<T>(
  attempt: () => Promise<Attempted<T>>,
  { timer, signal, onWaiting }: RetryOptions,
): Promise<T> {
  let pauseMs = FIRST_PAUSE_MS;
  for (let attempts = 1; ; attempts++) {
    const outcome = await untilAborted(settled(attempt), signal);
    if (outcome.kind === "done") return outcome.result;
    const { why, isRetryable } = outcome;
    onWaiting({ attempts, why, isRetryable });
    await pause(timer, signal, pauseMs);
    if (signal.aborted) throw stopped();
    pauseMs = Math.min(MAX_PAUSE_MS, 2 * pauseMs);
  }
}

type Settled<T> =
  | Extract<Attempted<T>, { readonly kind: "done" }>
  | ({ readonly kind: "again" } & Pick<StoreWaiting, "why" | "isRetryable">);

async function settled<T>(attempt: () => Promise<Attempted<T>>): Promise<Settled<T>> {
  try {
    const outcome = await attempt();
    return outcome.kind === "done" ? outcome : { ...outcome, isRetryable: true };
  } catch (cause) {
    if (!(cause instanceof ObjectStoreError) || FINAL.has(cause.code)) throw cause;
    return { kind: "again", why: cause.message, isRetryable: cause.retryable };
  }
}

/** Failures that no repetition changes: nobody waits any more, or the store is not what it has to be. */
const FINAL: ReadonlySet<string> = new Set(["OBJECT_STORE_STOPPED", "OBJECT_STORE_UNFIT"]);
