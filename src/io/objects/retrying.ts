import { ObjectStoreError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import { pause } from "#io/http/index.ts";
import { stopped, untilAborted } from "./until-aborted.ts";

/** Reason for waiting for a store. */
export interface StoreWaiting {
  /** Number of failed attempts, from 1. */
  readonly attempts: number;
  /** Response of the store, or that none arrived. For display; without keys. */
  readonly why: string;
  /** Whether it may recover without intervention, because the store is unavailable. */
  readonly isRetryable: boolean;
}

/** Settings of {@link retrying}. */
export interface RetryOptions {
  readonly timer: Timer;
  /** Stops waiting immediately. */
  readonly signal: AbortSignal;
  /** Called before each pause. */
  readonly onWaiting: (waiting: StoreWaiting) => void;
}

/** First and maximum pause between two attempts. */
const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 2_000;

/** Outcome of an attempt: a result, or the reason for a retry. */
export type Attempted<T> =
  { readonly kind: "done"; readonly result: T } | { readonly kind: "again"; readonly why: string };

/**
 * Retries until an attempt is done, with doubling pauses. Permanent errors are retried as well: credentials
 * get restored, and disks get freed.
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

/** Failures that end the retries: the caller has stopped, or the store is unfit. */
const FINAL: ReadonlySet<string> = new Set(["OBJECT_STORE_STOPPED", "OBJECT_STORE_UNFIT"]);
