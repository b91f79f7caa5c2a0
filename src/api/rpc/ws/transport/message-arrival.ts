import {
  type BodyReservation,
  type BodyHolder,
  SHORT_BODY_BYTES,
} from "../../http/body-reservation.ts";
import type { BodyBudget } from "../../http/body-budget.ts";
import { RunningClock } from "../../http/running-clock.ts";

/** Message that is arriving on a connection: its timing, and its budget reservation if it is long. */
export class MessageArrival {
  readonly #budget: BodyBudget;
  readonly #holder: BodyHolder;
  readonly #clock = new RunningClock();
  #hasBegun = false;
  #reservation: BodyReservation | undefined;
  /** First check at which it waited for its reservation; `undefined` while it does not wait. */
  #waitsSinceMs: number | undefined;

  constructor(budget: BodyBudget, holder: BodyHolder) {
    this.#budget = budget;
    this.#holder = holder;
  }

  get isWaiting(): boolean {
    return this.#reservation?.isWaiting === true;
  }

  /**
   * Records that a frame of the message begins.
   *
   * @param bytes - known length of the message so far
   * @param isWhole - it has no further frame
   */
  begin(bytes: number, isWhole: boolean): void {
    if (!this.#hasBegun) this.#clock.start(performance.now());
    this.#hasBegun = true;
    if (bytes <= SHORT_BODY_BYTES || this.#reservation !== undefined) return;
    this.#reservation = this.#budget.reserve(this.#holder, isWhole ? bytes : undefined);
  }

  add(bytes: number): void {
    this.#reservation?.add(bytes);
  }

  /**
   * Completes the message. @returns a function that releases its reservation, once the text is no longer
   * needed; idempotent
   */
  complete(): () => void {
    const reservation = this.#reservation;
    this.#reservation = undefined;
    this.end();
    reservation?.consume();
    return () => reservation?.release();
  }

  end(): void {
    this.#hasBegun = false;
    this.#waitsSinceMs = undefined;
    this.#reservation?.release();
    this.#reservation = undefined;
  }

  /** Pauses or resumes the clock: time counts only while the message is being read. */
  setPaused(isPaused: boolean): void {
    if (isPaused) this.#clock.stop(performance.now());
    else this.#clock.run(performance.now());
  }

  /** Whether it has been arriving, or waiting for its reservation, for longer than `limitMs`. */
  isTooLate(nowMs: number, limitMs: number): boolean {
    if (!this.#hasBegun) return false;
    this.#waitsSinceMs = this.isWaiting ? (this.#waitsSinceMs ?? nowMs) : undefined;
    const waitedMs = nowMs - (this.#waitsSinceMs ?? nowMs);
    return this.#clock.elapsedMs(nowMs) > limitMs || waitedMs > limitMs;
  }
}
