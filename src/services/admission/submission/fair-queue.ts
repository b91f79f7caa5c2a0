import { PriorityQueue } from "../mempool/index.ts";
import { type Felt, RecentMap } from "#base/primitives/index.ts";
import { type Grade, GRADES } from "./sender-grades.ts";

/** Shares of the validating thread's time while senders of all grades wait. */
const WEIGHTS: Readonly<Record<Grade, number>> = { proven: 8, plain: 4, doubtful: 1 };

/** Senders whose spent time is remembered while they have nothing waiting. */
const MAX_DEBTS = 1000;

/** Who has one share of the time: a sender, or all senders of an address. */
export type Party = Felt | string;

/** Something that waits. */
export interface Waiting<T> {
  readonly sender: Party;
  readonly sizeBytes: number;
  readonly item: T;
}

/** What waits in the name of one sender, in order of arrival. */
interface Lane<T> {
  readonly sender: Party;
  grade: Grade;
  /** Order of arrival of the first item. */
  readonly order: number;
  readonly waiting: Waiting<T>[];
  sizeBytes: number;
  /** Time that was spent on the sender, on the scale of its grade. */
  passMs: number;
}

/** The lanes of one grade in the orders in which they are asked for. */
class GradeState<T> {
  /** The one on which least time was spent first; of equals the first that came. */
  readonly toServe = new PriorityQueue<Lane<T>>((a, b) =>
    a.passMs === b.passMs ? a.order < b.order : a.passMs < b.passMs,
  );
  /** The largest first; of equals the last that came: it waited for the shortest time. */
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
  /** Time that was spent on the grade, divided by its weight. */
  passMs = 0;
  /** Where senders that begin to wait stand: with the one that was served last. */
  lanePassMs = 0;

  /** Adds a lane, or gives it the places that it deserves now. */
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
 * A queue that divides the time of whoever works it off: between grades by weight, within a grade
 * equally between senders, first come first served within a sender. Senders on whom time was spent
 * wait until others had as much; a grade or a sender that is alone gets everything.
 * Every operation takes O(log n) of the waiting senders.
 */
export class FairQueue<T> {
  readonly #lanes = new Map<Party, Lane<T>>();
  readonly #grades: Readonly<Record<Grade, GradeState<T>>> = {
    proven: new GradeState(),
    plain: new GradeState(),
    doubtful: new GradeState(),
  };
  /** Time spent on senders that have nothing waiting now; the oldest first. */
  readonly #debts = new RecentMap<Party, { readonly grade: Grade; readonly passMs: number }>(
    MAX_DEBTS,
  );
  #arrivals = 0;
  #count = 0;
  #sizeBytes = 0;

  /** Items that wait. */
  get count(): number {
    return this.#count;
  }

  /** Bytes of all items that wait. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Items that wait with a grade. */
  countOf(grade: Grade): number {
    return this.#grades[grade].count;
  }

  /** Items that wait for a sender. */
  countFrom(sender: Party): number {
    return this.#lanes.get(sender)?.waiting.length ?? 0;
  }

  /** Bytes that wait for a sender. */
  sizeBytesFrom(sender: Party): number {
    return this.#lanes.get(sender)?.sizeBytes ?? 0;
  }

  /** Puts an item behind the others of its sender; the sender has `grade` from now on. */
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

  /** Moves a sender with everything that it has waiting to another grade. */
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
   * Takes the next item out, with the grade that its sender has.
   *
   * @param except - a grade that is passed over
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

  /** What {@link shift} would take out, with the grade that its sender has. */
  peek(): (Waiting<T> & { readonly grade: Grade }) | undefined {
    const grade = this.#nextGrade(undefined);
    const waiting = grade && this.#grades[grade].toServe.peek()?.waiting[0];
    return waiting && { ...waiting, grade };
  }

  /**
   * Counts time that was spent on a sender of a grade.
   *
   * @param ms - negative when less was spent than counted before
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

  /** The sender that has most waiting in a grade, as `measure` counts. */
  largestOf(grade: Grade, measure: "count" | "sizeBytes"): Party | undefined {
    return this.#grades[grade].largest[measure].peek()?.sender;
  }

  /** Takes the newest item of a sender out. */
  dropFrom(sender: Party): Waiting<T> | undefined {
    const lane = this.#lanes.get(sender);
    const waiting = lane?.waiting.pop();
    if (lane !== undefined && waiting !== undefined) this.#removed(lane, waiting);
    return waiting;
  }

  /** Takes an item of a sender out, wherever it stands. */
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
   * A sender or a grade that begins to wait has no claim to the time in which it did not.
   *
   * @returns where the sender's lane stands, on the scale of the grade
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
