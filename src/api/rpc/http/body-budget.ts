import type { HeldBytes } from "../limits/held-bytes.ts";
import { BodyPace, type BodyReservation, type BodyHolder } from "./body-reservation.ts";
import { countOf, type Reservation, STEP_BYTES, stepOf } from "./reserved-body.ts";
import { Silence } from "./silence.ts";

/** How often {@link BodyBudget.check} is to be called. */
export const BODY_CHECK_MS = 100;

/** Bytes of all long bodies together that arrive, or have arrived and are not read. */
export const BODY_BUDGET_BYTES: number = 64 << 20;

/** Where the budget is spent, so many bodies are tried with each check, up to so many times the budget. */
const TRIALS = { perCheck: 64, maxPart: 2 } as const;

/** Where more bodies wait, they go on with the next check: each look at all of them takes time. */
const FEW_WAITING = 64;

/** For how long a body waits before slow ones have to leave for it. */
const PATIENCE_MS = 250;

/**
 * Limits what long bodies take together, over all connections: what is beyond the budget is left in the
 * client's hands, so that a flood of them costs neither memory nor the turns of short requests.
 *
 * A body counts with what has arrived of it, not with what it announces. Where the budget is spent, bodies
 * wait. First goes on the address with the least bytes; of its bodies those that have shown that they
 * come, then the one with the least to come. The body that came first goes on beyond the budget, so that
 * one always ends; while nothing comes of it, so does the next one.
 *
 * An address that holds less than its share goes on beyond it, too: shares of as much again for all of
 * them together.
 *
 * For a body that waits longer than a moment slow ones leave, those first that would hold their bytes
 * longest, unless others hold more than they do. Who is slow shows only while it is read: therefore all
 * that wait are tried, some at a time, in the order in which they came.
 */
export class BodyBudget {
  readonly #maxBytes: number;
  readonly #held: HeldBytes;
  /** In the order in which they came. */
  readonly #reservations = new Set<Reservation>();
  readonly #byAddress = new Map<string, number>();
  #usedBytes = 0;
  /** With so many used bytes none fitted: looking again at all of them is of no use before the next check. */
  #stuckBytes = Infinity;
  /** Of those that have shown that they come. */
  #provenBytes = 0;
  #waiting = 0;
  /** May go on beyond the budget. */
  #favoured: Reservation | undefined;
  readonly #silence = new Silence();
  #isFreeing = false;
  #checkedMs: number | undefined;

  /** @param held - counts bodies with everything else that clients make the process hold */
  constructor(maxBytes: number, held: HeldBytes) {
    this.#maxBytes = maxBytes;
    this.#held = held;
  }

  /** Bytes that count at the moment. */
  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** Reservations, of bodies that wait too. */
  get size(): number {
    return this.#reservations.size;
  }

  /** @param totalBytes - of the body; `undefined` where its length is not announced */
  reserve(holder: BodyHolder, totalBytes: number | undefined): BodyReservation {
    const pace = new BodyPace(totalBytes);
    const reservation: Reservation = {
      holder,
      pace,
      state: "open",
      grantedBytes: 0,
      waitedMs: 0,
      isProven: false,
      isTried: false,
    };
    this.#reservations.add(reservation);
    this.#stopIfFull(reservation);
    return {
      get isWaiting() {
        return reservation.state === "waiting";
      },
      add: (bytes) => this.#add(reservation, bytes),
      taken: () => this.#end(reservation, "taken"),
      release: () => this.#release(reservation),
    };
  }

  /** Measures how fast bodies come, and frees bytes for who waits. To be called again and again. */
  check(nowMs: number): void {
    // While this thread was busy, it has kept its clients waiting, not they it.
    const passedMs = Math.min(nowMs - (this.#checkedMs ?? nowMs), 2 * BODY_CHECK_MS);
    this.#checkedMs = nowMs;
    for (const reservation of this.#reservations) {
      if (reservation.state === "waiting") reservation.waitedMs += passedMs;
      else if (reservation.state === "open") reservation.pace.pass(passedMs);
    }
    this.#passSilence(passedMs);
    let slow = this.#waiting === 0 ? [] : this.#slow();
    for (const reservation of slow.length === 0 ? [] : this.#inTurn()) {
      this.#freeFor(reservation, slow);
      slow = slow.filter(({ state }) => state !== "released");
      if (slow.length === 0) break;
    }
    this.#try();
    this.#stuckBytes = Infinity;
    this.#grant();
    this.#grantShares();
  }

  #add(reservation: Reservation, bytes: number): void {
    if (reservation.state === "released") return;
    const before = countOf(reservation);
    reservation.pace.add(bytes);
    this.#count(reservation, countOf(reservation) - before);
    if (reservation.state === "open") this.#stopIfFull(reservation);
  }

  #stopIfFull(reservation: Reservation): void {
    const isFull = this.#usedBytes >= this.#maxBytes || this.#waiting > 0;
    if (!isFull || reservation === this.#favoured || reservation.pace.isWhole) return;
    if (reservation.pace.arrivedBytes < reservation.grantedBytes) return;
    if (!reservation.isProven && reservation.grantedBytes > 0) {
      reservation.isProven = true;
      this.#provenBytes += countOf(reservation);
    }
    reservation.state = "waiting";
    this.#waiting++;
    if (this.#waiting <= FEW_WAITING) this.#grant();
  }

  #end(reservation: Reservation, state: "taken" | "released"): void {
    if (reservation.state === "released") return;
    if (reservation.state === "waiting") this.#waiting--;
    reservation.state = state;
  }

  #release(reservation: Reservation): void {
    if (reservation.state === "released") return;
    this.#end(reservation, "released");
    this.#reservations.delete(reservation);
    if (this.#favoured === reservation) this.#favoured = undefined;
    this.#count(reservation, -countOf(reservation));
    if (this.#waiting <= FEW_WAITING) this.#grant();
  }

  #count(reservation: Reservation, change: number): void {
    const { address } = reservation.holder.client;
    const bytes = this.#bytesOf(address) + change;
    if (bytes === 0) this.#byAddress.delete(address);
    else this.#byAddress.set(address, bytes);
    this.#usedBytes += change;
    this.#held.change(reservation.holder.client, change);
    if (reservation.isProven) this.#provenBytes += change;
  }

  #bytesOf(address: string): number {
    return this.#byAddress.get(address) ?? 0;
  }

  #inTurn(): readonly Reservation[] {
    const waiting = [...this.#reservations].filter(({ state }) => state === "waiting");
    return waiting.sort((a, b) => this.#compare(a, b));
  }

  #next(): Reservation | undefined {
    let first: Reservation | undefined;
    for (const reservation of this.#reservations) {
      if (reservation.state !== "waiting") continue;
      if (first === undefined || this.#compare(reservation, first) < 0) first = reservation;
    }
    return first;
  }

  #compare(a: Reservation, b: Reservation): number {
    return (
      this.#bytesOf(a.holder.client.address) - this.#bytesOf(b.holder.client.address) ||
      Number(b.isProven) - Number(a.isProven) ||
      a.pace.leftBytes - b.pace.leftBytes
    );
  }

  /** Who has shown that it comes has bytes beside those that only began, as large as half of theirs. */
  #fits(reservation: Reservation): boolean {
    const bytes = stepOf(reservation);
    const hasOwn = reservation.isProven && this.#provenBytes + bytes <= this.#maxBytes / 2;
    return hasOwn || this.#usedBytes + bytes <= this.#maxBytes;
  }

  #grant(): void {
    if (this.#waiting === 0 || this.#isFreeing) return;
    this.#favour();
    // Looked at only where there is anything to grant.
    if (this.#usedBytes >= this.#maxBytes && this.#provenBytes >= this.#maxBytes / 2) return;
    if (this.#usedBytes >= this.#stuckBytes) return;
    let next: Reservation | undefined;
    while ((next = this.#next()) !== undefined && this.#fits(next)) this.#open(next, stepOf(next));
    this.#stuckBytes = this.#usedBytes;
  }

  /**
   * However much others hold without being slow, an address that waits gets its share of as much again:
   * nobody is kept out by those who sent much and then had to wait, too.
   */
  #grantShares(): void {
    for (const reservation of this.#inTurn()) {
      const { address } = reservation.holder.client;
      const addresses = this.#byAddress.size + (this.#byAddress.has(address) ? 0 : 1);
      const leftBytes = this.#maxBytes / addresses - this.#bytesOf(address);
      // The address with the least stands first.
      if (leftBytes <= 0) return;
      if (reservation.state !== "waiting" || reservation.waitedMs < PATIENCE_MS) continue;
      if (stepOf(reservation) <= leftBytes) this.#open(reservation, stepOf(reservation));
    }
  }

  #favour(): void {
    if (this.#favoured !== undefined) return;
    let first: Reservation | undefined;
    for (const reservation of this.#reservations) {
      if (reservation.state !== "waiting") continue;
      first ??= reservation;
      if (reservation.pace.isSlow) continue;
      first = reservation;
      break;
    }
    this.#favoured = first;
    if (first === undefined) return;
    this.#silence.begin(first.pace.arrivedBytes);
    this.#open(first, 0);
  }

  /** One that is silent stays open, so that it shows whether it is slow; others need not wait for that. */
  #passSilence(passedMs: number): void {
    const favoured = this.#favoured;
    if (favoured?.state !== "open" || this.#waiting === 0) return;
    if (this.#silence.isLong(favoured.pace.arrivedBytes, passedMs)) this.#favoured = undefined;
  }

  #try(): void {
    let left: number = TRIALS.perCheck;
    for (const reservation of this.#reservations) {
      if (left === 0 || this.#usedBytes >= TRIALS.maxPart * this.#maxBytes) return;
      const isUntried =
        reservation.state === "waiting" && !reservation.isTried && !reservation.pace.isSlow;
      if (!isUntried || reservation.waitedMs < PATIENCE_MS) continue;
      reservation.isTried = true;
      left--;
      this.#open(reservation, STEP_BYTES.first);
    }
  }

  #open(reservation: Reservation, moreBytes: number): void {
    const before = countOf(reservation);
    reservation.grantedBytes =
      reservation.pace.arrivedBytes + Math.min(moreBytes, reservation.pace.leftBytes);
    this.#count(reservation, countOf(reservation) - before);
    reservation.state = "open";
    this.#waiting--;
    reservation.holder.granted();
  }

  /** Who may have to leave: the slowest of the addresses with the most bytes stand first. */
  #slow(): Reservation[] {
    const slow = [...this.#reservations].filter(
      ({ state, pace }) => state !== "taken" && pace.isSlow,
    );
    return slow.sort(
      (a, b) =>
        this.#bytesOf(b.holder.client.address) - this.#bytesOf(a.holder.client.address) ||
        b.pace.leftMs - a.pace.leftMs,
    );
  }

  /** Who is slow itself, or has just come, makes nobody leave. */
  #freeFor(reservation: Reservation, slow: readonly Reservation[]): void {
    const { holder, waitedMs, pace } = reservation;
    if (reservation.state !== "waiting" || waitedMs < PATIENCE_MS || pace.isSlow) return;
    const fairBytes = this.#maxBytes / Math.max(1, this.#byAddress.size);
    const leastBytes = this.#bytesOf(holder.client.address) < fairBytes ? fairBytes : Infinity;
    this.#isFreeing = true;
    for (const other of slow) {
      if (this.#fits(reservation)) break;
      const { address } = other.holder.client;
      const isInTheWay = address === holder.client.address || this.#bytesOf(address) >= leastBytes;
      if (isInTheWay && other.state !== "released") other.holder.evicted();
    }
    this.#isFreeing = false;
    // Freeing may have ended it.
    const isHere = this.#reservations.has(reservation);
    if (isHere && this.#fits(reservation)) this.#open(reservation, stepOf(reservation));
  }
}
