import type { AnswerRoom } from "./answer-room.ts";
import type { OriginLane } from "./lane.ts";
import type { PendingCall } from "./pending.ts";

/** A call that may be sent now, with its URL. */
export interface NextCall {
  readonly pending: PendingCall;
  readonly lane: OriginLane;
}

/** Calls that wait to be sent, in order. */
export class CallQueue {
  readonly #lanes: readonly OriginLane[];
  readonly #room: Pick<AnswerRoom, "fits">;
  #calls: PendingCall[] = [];

  constructor(lanes: readonly OriginLane[], room: Pick<AnswerRoom, "fits">) {
    this.#lanes = lanes;
    this.#room = room;
  }

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  /** All calls, the first one first. */
  get calls(): readonly PendingCall[] {
    return this.#calls;
  }

  /** Adds a new call. */
  add(pending: PendingCall): void {
    this.#calls.push(pending);
  }

  /** Puts calls back that have to be sent again. */
  putBack(calls: readonly PendingCall[]): void {
    this.#calls.unshift(...calls);
  }

  /** Removes calls that no longer wait. */
  dropSettled(): void {
    this.#calls = this.#calls.filter(({ isSettled }) => !isSettled);
  }

  /** Fails all calls each of whose URLs has a fault that was found recently. */
  failUnserved(nowMs: number): void {
    const isFaulty = ({ fault, readyAtMs }: OriginLane): boolean =>
      fault !== undefined && readyAtMs > nowMs;
    if (!this.#lanes.some(isFaulty)) return;
    this.#calls = this.#calls.filter((pending) => {
      const lanes = this.lanesOf(pending);
      const [first] = lanes;
      if (first?.fault === undefined || !lanes.every(isFaulty)) return true;
      pending.settle(first.fault);
      return false;
    });
  }

  /** Returns the first call that may be sent now, with the URL of the lowest load. */
  next(nowMs: number): NextCall | undefined {
    const free = this.#lanes.filter((lane) => lane.canSend(nowMs));
    if (free.length === 0) return undefined;
    for (const pending of this.#calls) {
      if (!this.#room.fits(pending)) continue;
      const own = free.filter((lane) => pending.only === undefined || pending.only === lane);
      // A URL that failed gets the call again only when there is no other.
      const fresh = own.filter((lane) => !pending.tried.has(lane));
      const [lane] = (fresh.length > 0 ? fresh : own).toSorted((a, b) => a.load - b.load);
      if (lane !== undefined) return { pending, lane };
    }
    return undefined;
  }

  /** Takes a call for its URL: a large one alone, a small one with as many others as the URL accepts. */
  take({ pending, lane }: NextCall): readonly PendingCall[] {
    if (pending.call.isLarge) {
      this.#calls.splice(this.#calls.indexOf(pending), 1);
      return [pending];
    }
    const batch: PendingCall[] = [];
    this.#calls = this.#calls.filter((each) => {
      const isServed = each.only === undefined || each.only === lane;
      const fits = batch.length < lane.batch.limit && !each.call.isLarge && isServed;
      if (fits) batch.push(each);
      return !fits;
    });
    return batch;
  }

  /** URLs that may respond to a call. */
  lanesOf({ only }: PendingCall): readonly OriginLane[] {
    return only === undefined ? this.#lanes : [only];
  }
}
