import {
  type BodyReservation,
  type BodyHolder,
  SHORT_BODY_BYTES,
} from "../../http/body-reservation.ts";
import type { BodyBudget } from "../../http/body-budget.ts";
import { RunningClock } from "../../http/running-clock.ts";

/** The message of a connection that is arriving: its time, and its reservation where it is long. */
export class MessageArrival {
  readonly #budget: BodyBudget;
  readonly #holder: BodyHolder;
  readonly #clock = new RunningClock();
  #hasBegun = false;
  #reservation: BodyReservation | undefined;
  /** Since when it waits for its reservation, as far as it was looked at. */
  #waitsSinceMs: number | undefined;

  constructor(budget: BodyBudget, holder: BodyHolder) {
    this.#budget = budget;
    this.#holder = holder;
  }

  /** Whether it has to wait for its reservation. */
  get isWaiting(): boolean {
    return this.#reservation?.isWaiting === true;
  }

  /**
   * A frame of it begins.
   *
   * @param bytes - the message's length as far as it is known
   * @param isWhole - it has no further frame
   */
  begun(bytes: number, isWhole: boolean): void {
    if (!this.#hasBegun) this.#clock.start(performance.now());
    this.#hasBegun = true;
    if (bytes <= SHORT_BODY_BYTES || this.#reservation !== undefined) return;
    this.#reservation = this.#budget.reserve(this.#holder, isWhole ? bytes : undefined);
  }

  /** Bytes have arrived. */
  add(bytes: number): void {
    this.#reservation?.add(bytes);
  }

  /** It is whole. @returns ends its reservation, once nobody needs its text; may be called again */
  taken(): () => void {
    const reservation = this.#reservation;
    this.#reservation = undefined;
    this.end();
    reservation?.taken();
    return () => reservation?.release();
  }

  /** Nobody wants it any more. */
  end(): void {
    this.#hasBegun = false;
    this.#waitsSinceMs = undefined;
    this.#reservation?.release();
    this.#reservation = undefined;
  }

  /** Its time runs while it is read. */
  setPaused(isPaused: boolean): void {
    if (isPaused) this.#clock.stop(performance.now());
    else this.#clock.run(performance.now());
  }

  /** Whether it has been arriving, or has been waiting to, for longer than `limitMs`. */
  isTooLate(nowMs: number, limitMs: number): boolean {
    if (!this.#hasBegun) return false;
    this.#waitsSinceMs = this.isWaiting ? (this.#waitsSinceMs ?? nowMs) : undefined;
    const waitedMs = nowMs - (this.#waitsSinceMs ?? nowMs);
    return this.#clock.elapsedMs(nowMs) > limitMs || waitedMs > limitMs;
  }
}
