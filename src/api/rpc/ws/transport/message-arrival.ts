import { type BodyPlace, type BodyVisitor, SHORT_BODY_BYTES } from "../../http/body-place.ts";
import type { BodyRoom } from "../../http/body-room.ts";
import { RunningClock } from "../../http/running-clock.ts";

/** The message of a connection that is arriving: its time, and its place in the room for long ones. */
export class MessageArrival {
  readonly #room: BodyRoom;
  readonly #visitor: BodyVisitor;
  readonly #clock = new RunningClock();
  #hasBegun = false;
  #place: BodyPlace | undefined;
  /** Since when it waits for room, as far as it was looked at. */
  #roomlessSinceMs: number | undefined;

  constructor(room: BodyRoom, visitor: BodyVisitor) {
    this.#room = room;
    this.#visitor = visitor;
  }

  /** Whether it has to wait for room. */
  get lacksRoom(): boolean {
    return this.#place?.isWaiting === true;
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
    if (bytes <= SHORT_BODY_BYTES || this.#place !== undefined) return;
    this.#place = this.#room.enter(this.#visitor, isWhole ? bytes : undefined);
  }

  /** Bytes have arrived. */
  add(bytes: number): void {
    this.#place?.add(bytes);
  }

  /** It is whole, or nobody wants it any more. */
  end(): void {
    this.#hasBegun = false;
    this.#roomlessSinceMs = undefined;
    this.#place?.leave();
    this.#place = undefined;
  }

  /** Its time runs while it is read. */
  setPaused(isPaused: boolean): void {
    if (isPaused) this.#clock.stop(performance.now());
    else this.#clock.run(performance.now());
  }

  /** Whether it has been arriving, or has been waiting for room, for longer than `limitMs`. */
  isTooLate(nowMs: number, limitMs: number): boolean {
    if (!this.#hasBegun) return false;
    this.#roomlessSinceMs = this.lacksRoom ? (this.#roomlessSinceMs ?? nowMs) : undefined;
    const waitedMs = nowMs - (this.#roomlessSinceMs ?? nowMs);
    return this.#clock.elapsedMs(nowMs) > limitMs || waitedMs > limitMs;
  }
}
