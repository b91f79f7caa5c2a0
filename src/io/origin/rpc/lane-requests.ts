import { AppError, OriginError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { OriginObserver } from "../observer.ts";
import type { OriginLane } from "./lane.ts";
import { type BatchCall, type BatchOutcome, type CallReply, sendBatch } from "./send-batch.ts";
import type { OriginSpec } from "./spec.ts";

/**
 * Sends one call to the origin's URL that a {@link Greet} checks; other calls wait until the check has
 * passed.
 */
export type GreetCall = (call: BatchCall) => Promise<CallReply>;

/**
 * Checks a URL before its first call, and after failures in a row.
 *
 * @param call - sends a single call to the URL
 * @throws {OriginError} when the URL is not of the origin, or does not respond
 */
export type Greet = (call: GreetCall, name: string) => Promise<OriginSpec>;

/** Limits of one request. */
export interface RequestLimits {
  /** Timeout of the complete response in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum size of the response in bytes. */
  readonly maxAnswerBytes: number;
}

/** Maximum size of the response to a request of a check, in bytes: the hashes of a block's transactions. */
const MAX_GREET_BYTES = 4 << 20;

/** Settings of {@link LaneRequests}. */
export interface LaneRequestOptions {
  /** Timeout of each request of a check, in milliseconds. */
  readonly greetMs: number;
  readonly timer: Timer;
  /** Clock in Unix milliseconds. */
  readonly unixMs: () => number;
  /** Aborts all requests. */
  readonly signal: AbortSignal;
  readonly observer: Pick<OriginObserver, "requested" | "received" | "limited">;
  readonly greet: Greet;
}

/** Pause after a check that found a fault, in milliseconds. */
const FAULT_PAUSE_MS = 2000;

/** Pause of a check after a response of a proxy, doubled after each further one, in milliseconds. */
const FIRST_PAUSE_MS = 250;

/** Sends the requests of all URLs, and counts those in flight. */
export class LaneRequests {
  readonly #options: LaneRequestOptions;
  #inFlight = 0;

  constructor(options: LaneRequestOptions) {
    this.#options = options;
  }

  /** HTTP requests in flight. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Sends calls in one request. Never rejects. */
  async post(
    lane: OriginLane,
    calls: readonly BatchCall[],
    limits: RequestLimits,
  ): Promise<BatchOutcome> {
    const { signal, unixMs, observer } = this.#options;
    const { endpoint } = lane;
    lane.inFlight++;
    this.#inFlight++;
    observer.requested(calls.length);
    try {
      const outcome = await sendBatch({ endpoint, calls, ...limits, signal, unixMs });
      if (outcome.kind === "answered") observer.received(outcome.sizeBytes);
      const isLimited =
        outcome.kind === "busy" || ("busy" in outcome && outcome.busy !== undefined);
      if (isLimited) observer.limited();
      return outcome;
    } finally {
      lane.inFlight--;
      this.#inFlight--;
    }
  }

  /**
   * Checks a URL; sets its specification, or pauses it.
   *
   * @returns the error of a failed check
   */
  async greet(lane: OriginLane): Promise<AppError | undefined> {
    const { timer, greet, greetMs } = this.#options;
    const startMs = timer.nowMs();
    const call: GreetCall = (asked) => this.#ask(lane, asked, startMs + greetMs);
    lane.isGreeting = true;
    try {
      lane.spec = await greet(call, lane.endpoint.name);
      lane.fault = undefined;
      // It may be another node now.
      lane.refusesHashes = false;
      lane.answered(0);
      return undefined;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const nowMs = timer.nowMs();
      const isFault = error instanceof OriginError && !error.retryable;
      lane.spec = undefined;
      lane.fault = isFault ? error : undefined;
      lane.failed(startMs, nowMs);
      if (isFault) lane.pauseUntil(nowMs + FAULT_PAUSE_MS);
      return error;
    } finally {
      lane.isGreeting = false;
    }
  }

  /**
   * Sends a call of a check, again while the URL asks to slow down or a proxy in front of it refuses: a limit of
   * a public endpoint does not prevent a start.
   *
   * @param endsAtMs - time of the last request
   * @throws {OriginError} when the URL does not respond to it
   */
  async #ask(lane: OriginLane, asked: BatchCall, endsAtMs: number): Promise<CallReply> {
    const { timer, greetMs } = this.#options;
    const limits = { timeoutMs: greetMs, maxAnswerBytes: MAX_GREET_BYTES };
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 2) {
      const sentAtMs = timer.nowMs();
      const outcome = await this.post(lane, [asked], limits);
      if (outcome.kind === "answered") return outcome.replies[0] ?? { kind: "missing" };
      const nowMs = timer.nowMs();
      let resumesAtMs = nowMs + pauseMs;
      if (outcome.kind === "busy") {
        lane.rejected(outcome.retryAfterMs, sentAtMs, nowMs);
        resumesAtMs = lane.readyAtMs;
      } else if (outcome.kind !== "lost" || !outcome.isBehindProxy) throw outcome.cause;
      if (resumesAtMs >= endsAtMs) throw outcome.cause;
      await new Promise<void>((resume) => void timer.after(resumesAtMs - nowMs, resume));
    }
  }
}
