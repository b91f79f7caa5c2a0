import { PriorityQueue } from "../mempool/index.ts";
import { type Felt, RecentMap } from "#base/primitives/index.ts";
import { type Grade, GRADES } from "./sender-grades.ts";

/** Shares of the validating thread's time while senders of all grades wait. */
const WEIGHTS: Readonly<Record<Grade, number>> = { proven: 8, plain: 4, doubtful: 1 };

/** Maximum senders without queued items whose spent time is kept. */
const MAX_DEBTS = 1000;

/**
 * Holder of one share of processing time: an account's address, or a client's network address for
 * all its senders.
 */
export type Party = Felt | string;

/** A queued item. */
export interface Waiting<T> {
  readonly sender: Party;
  readonly sizeBytes: number;
  readonly item: T;
}

/** Queued items of one sender, in arrival order. */
interface Lane<T> {
  readonly sender: Party;
  grade: Grade;
  /** Arrival number of the first item. */
  readonly order: number;
  readonly waiting: Waiting<T>[];
  sizeBytes: number;
  /** Time spent on the sender while in its grade. */
  passMs: number;
}

/** The lanes of one grade in the orders needed. */
class GradeState<T> {
  /** Least time spent first; earliest arrival among equals. */
  readonly toServe = new PriorityQueue<Lane<T>>((a, b) =>
    a.passMs === b.passMs ? a.order < b.order : a.passMs < b.passMs,
  );
  /** Largest first; among equals the latest arrival, which has waited least. */
  readonly largest = {
    count: new PriorityQueue<Lane<T>>((a, b) =>
      a.waiting.length === b.waiting.length
        ? a.order > b.order
        : a.waiting.length > b.waiting.length,
    ),
    sizeBytes: new PriorityQueue<Lane<T>>((a, b) =>
      a.sizeBytes === b.sizeBytes ? a.order > b.order : a.sizeBytes > b.sizeBytes,
    ),
  };
  count = 0;
  /** Time spent on the grade, divided by its weight. */
  passMs = 0;
  /** Start value for newly queued senders: the value of the lane served last. */
  lanePassMs = 0;

  /** Adds a lane, or updates its positions. */
  update(lane: Lane<T>): void {
    this.toServe.update(lane);
    this.largest.count.update(lane);
    this.largest.sizeBytes.update(lane);
  }

  remove(lane: Lane<T>): void {
    this.toServe.remove(lane);
    this.largest.count.remove(lane);
    this.largest.sizeBytes.remove(lane);
  }
}

/**
 * A queue that divides the consumer's time: between grades by weight, within a grade equally between senders,
 * first come first served within a sender. Senders on whom time was spent wait until others have had as much;
 * a single grade or sender gets everything. Every operation takes O(log n) of the queued senders.
 */
export class FairQueue<T> {
  readonly #lanes = new Map<Party, Lane<T>>();
  readonly #grades: Readonly<Record<Grade, GradeState<T>>> = {
    proven: new GradeState(),
    plain: new GradeState(),
    doubtful: new GradeState(),
  };
  /** Time spent on senders without queued items; the oldest first. */
  readonly #debts = new RecentMap<Party, { readonly grade: Grade; readonly passMs: number }>(
    MAX_DEBTS,
  );
  #arrivals = 0;
  #count = 0;
  #sizeBytes = 0;

  get count(): number {
    return this.#count;
  }

  /** Total bytes of queued items. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  countOf(grade: Grade): number {
    return this.#grades[grade].count;
  }

  countFrom(sender: Party): number {
    return this.#lanes.get(sender)?.waiting.length ?? 0;
  }

  sizeBytesFrom(sender: Party): number {
    return this.#lanes.get(sender)?.sizeBytes ?? 0;
  }

  /** Enqueues an item behind the others of its sender, whose grade becomes `grade`. */
  push(waiting: Waiting<T>, grade: Grade): void {
    const { sender, sizeBytes } = waiting;
    this.regrade(sender, grade);
    let lane = this.#lanes.get(sender);
    if (lane === undefined) {
      const order = this.#arrivals++;
      const passMs = this.#enter(sender, grade);
      lane = { sender, grade, order, waiting: [], sizeBytes: 0, passMs };
      this.#lanes.set(sender, lane);
    }
    lane.waiting.push(waiting);
    lane.sizeBytes += sizeBytes;
    this.#grades[grade].update(lane);
    this.#grades[grade].count++;
    this.#count++;
    this.#sizeBytes += sizeBytes;
  }

  /** Moves a sender with all its queued items to another grade. */
  regrade(sender: Party, grade: Grade): void {
    const lane = this.#lanes.get(sender);
    if (lane === undefined || lane.grade === grade) return;
    const from = this.#grades[lane.grade];
    from.remove(lane);
    from.count -= lane.waiting.length;
    lane.passMs = this.#enter(sender, grade);
    lane.grade = grade;
    this.#grades[grade].update(lane);
    this.#grades[grade].count += lane.waiting.length;
  }

  /**
   * Removes and returns the next item, with its sender's current grade.
   *
   * @param except - a grade to skip
   */
  shift(except?: Grade): (Waiting<T> & { readonly grade: Grade }) | undefined {
    const grade = this.#nextGrade(except);
    if (grade === undefined) return undefined;
    const state = this.#grades[grade];
    const next = state.toServe.peek();
    if (next === undefined) return undefined;
    state.lanePassMs = next.passMs;
    const waiting = next.waiting.shift();
    if (waiting === undefined) return undefined;
    this.#removed(next, waiting);
    return { ...waiting, grade };
  }

  /** Returns the item that {@link shift} would remove, with its sender's current grade. */
  peek(): (Waiting<T> & { readonly grade: Grade }) | undefined {
    const grade = this.#nextGrade(undefined);
    const waiting = grade && this.#grades[grade].toServe.peek()?.waiting[0];
    return waiting && { ...waiting, grade };
  }

  /**
   * Charges time to a sender of a grade.
   *
   * @param ms - negative to correct an earlier estimate that was too high
   */
  charge(sender: Party, grade: Grade, ms: number): void {
    const state = this.#grades[grade];
    state.passMs += ms / WEIGHTS[grade];
    const lane = this.#lanes.get(sender);
    if (lane !== undefined) {
      lane.passMs += ms;
      this.#grades[lane.grade].update(lane);
    } else {
      const owedMs = this.#debts.get(sender)?.passMs ?? state.lanePassMs;
      this.#debts.set(sender, { grade, passMs: owedMs + ms });
    }
  }

  /** Sender with the most queued in a grade, by count or bytes. */
  largestOf(grade: Grade, measure: "count" | "sizeBytes"): Party | undefined {
    return this.#grades[grade].largest[measure].peek()?.sender;
  }

  /** Removes and returns the newest item of a sender. */
  dropFrom(sender: Party): Waiting<T> | undefined {
    const lane = this.#lanes.get(sender);
    const waiting = lane?.waiting.pop();
    if (lane !== undefined && waiting !== undefined) this.#removed(lane, waiting);
    return waiting;
  }

  remove(sender: Party, item: T): void {
    const lane = this.#lanes.get(sender);
    const at = lane?.waiting.findIndex((waiting) => waiting.item === item) ?? -1;
    if (lane === undefined || at === -1) return;
    for (const waiting of lane.waiting.splice(at, 1)) this.#removed(lane, waiting);
  }

  #nextGrade(except: Grade | undefined): Grade | undefined {
    let next: Grade | undefined;
    for (const grade of GRADES) {
      if (grade === except || this.#grades[grade].count === 0) continue;
      if (next === undefined || this.#grades[grade].passMs < this.#grades[next].passMs) {
        next = grade;
      }
    }
    return next;
  }

  /**
   * Initial value for a newly queued sender or grade, which gains no credit for the time in which it was not
   * queued.
   *
   * @returns the initial value of the sender's lane in the grade
   */
  #enter(sender: Party, grade: Grade): number {
    const state = this.#grades[grade];
    if (state.count === 0) {
      const waiting = GRADES.filter((other) => this.#grades[other].count > 0);
      const least = Math.min(...waiting.map((other) => this.#grades[other].passMs));
      if (waiting.length > 0) state.passMs = Math.max(state.passMs, least);
      else for (const other of GRADES) this.#grades[other].passMs = 0;
    }
    const debt = this.#debts.delete(sender);
    return debt?.grade === grade ? Math.max(state.lanePassMs, debt.passMs) : state.lanePassMs;
  }

  #removed(lane: Lane<T>, { sizeBytes }: Waiting<T>): void {
    const state = this.#grades[lane.grade];
    state.count--;
    this.#count--;
    this.#sizeBytes -= sizeBytes;
    lane.sizeBytes -= sizeBytes;
    if (lane.waiting.length > 0) {
      state.update(lane);
      return;
    }
    state.remove(lane);
    this.#lanes.delete(lane.sender);
    this.#debts.set(lane.sender, { grade: lane.grade, passMs: lane.passMs });
  }
}
