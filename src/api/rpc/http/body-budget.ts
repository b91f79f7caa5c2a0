import type { HeldBytes } from "../limits/held-bytes.ts";
import { BodyPace, type BodyReservation, type BodyHolder } from "./body-reservation.ts";
import { countOf, type Reservation, STEP_BYTES, stepOf } from "./reserved-body.ts";
import { Silence } from "./silence.ts";

/** Interval at which {@link BodyBudget.check} is to be called. */
export const BODY_CHECK_MS = 100;

/**
 * Default limit of {@link BodyBudget}: bytes of all long request bodies that are arriving, or have
 * arrived and are unread.
 */
export const BODY_BUDGET_BYTES: number = 64 << 20;

/** Probing of waiting bodies: `perCheck` per check, until usage reaches `maxPart` times the budget. */
const TRIALS = { perCheck: 64, maxPart: 2 } as const;

/** With more waiting bodies, grants are deferred to the next check: each grant scans all of them. */
const FEW_WAITING = 64;

/** Time that a body waits before slow ones are evicted for it. */
const PATIENCE_MS = 250;

/**
 * Bounds the memory that long request bodies use over all connections. Bytes beyond the budget stay in the
 * clients' send buffers, so a flood of bodies costs neither memory nor the turns of short requests.
 *
 * A body counts with the bytes that have arrived, not with its announced length. While the budget is spent,
 * bodies wait. The address with the fewest bytes goes first; among its bodies, proven ones (which used up
 * their first grant) go before others, then the one with the fewest bytes left. The oldest waiting body may
 * exceed the budget, so that one body always finishes; while it is silent, the next one may as well. An
 * address below its fair share may also exceed it; these shares add up to at most one more budget.
 *
 * If a body waits longer than `PATIENCE_MS`, slow bodies are evicted for it: first those that would hold
 * their bytes longest, from the addresses with the most bytes. Speed can only be measured while a body is
 * read. Therefore all waiting bodies are probed, a few at a time, in order of arrival.
 */
export class BodyBudget {
  readonly #maxBytes: number;
  readonly #held: HeldBytes;
  /** In order of arrival. */
  readonly #reservations = new Set<Reservation>();
  readonly #byAddress = new Map<string, number>();
  #usedBytes = 0;
  /** Usage at which no waiting body fitted; scanning again is useless until usage drops or the next check. */
  #stuckBytes = Infinity;
  /** Bytes held by proven bodies. */
  #provenBytes = 0;
  #waiting = 0;
  /** May exceed the budget. */
  #favoured: Reservation | undefined;
  readonly #silence = new Silence();
  #isFreeing = false;
  #checkedMs: number | undefined;

  /** @param held - counts bodies together with all other memory that clients make the process hold */
  constructor(maxBytes: number, held: HeldBytes) {
    this.#maxBytes = maxBytes;
    this.#held = held;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  get size(): number {
    return this.#reservations.size;
  }

  /** @param totalBytes - `undefined` if the length is not announced */
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
      consume: () => this.#end(reservation, "consumed"),
      release: () => this.#release(reservation),
    };
  }

  /** Measures the speed of bodies, and frees bytes for waiting ones. Call every {@link BODY_CHECK_MS}. */
  check(nowMs: number): void {
    // A busy thread delays its clients, so the time that it was busy must not count against them.
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

  #end(reservation: Reservation, state: "consumed" | "released"): void {
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

  /** Proven bodies may use up to half the budget in addition to the bytes of unproven ones. */
  #fits(reservation: Reservation): boolean {
    const bytes = stepOf(reservation);
    const hasOwn = reservation.isProven && this.#provenBytes + bytes <= this.#maxBytes / 2;
    return hasOwn || this.#usedBytes + bytes <= this.#maxBytes;
  }

  #grant(): void {
    if (this.#waiting === 0 || this.#isFreeing) return;
    this.#favour();
    // Skips the scan if nothing can be granted.
    if (this.#usedBytes >= this.#maxBytes && this.#provenBytes >= this.#maxBytes / 2) return;
    if (this.#usedBytes >= this.#stuckBytes) return;
    let next: Reservation | undefined;
    while ((next = this.#next()) !== undefined && this.#fits(next)) this.#open(next, stepOf(next));
    this.#stuckBytes = this.#usedBytes;
  }

  /**
   * Grants a waiting address its fair share beyond the budget, however much others hold without being slow.
   * Clients that sent much and now wait themselves cannot lock others out.
   */
  #grantShares(): void {
    for (const reservation of this.#inTurn()) {
      const { address } = reservation.holder.client;
      const addresses = this.#byAddress.size + (this.#byAddress.has(address) ? 0 : 1);
      const leftBytes = this.#maxBytes / addresses - this.#bytesOf(address);
      // Sorted by bytes held: all later addresses have used up their share, too.
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

  /** A silent favoured body stays open so that its speed can be measured, but another one may be favoured. */
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

  /** Eviction candidates: addresses with the most bytes first, and their slowest bodies first. */
  #slow(): Reservation[] {
    const slow = [...this.#reservations].filter(
      ({ state, pace }) => state !== "consumed" && pace.isSlow,
    );
    return slow.sort(
      (a, b) =>
        this.#bytesOf(b.holder.client.address) - this.#bytesOf(a.holder.client.address) ||
        b.pace.leftMs - a.pace.leftMs,
    );
  }

  /** Evicts slow bodies until `reservation` fits. Slow and newly arrived bodies evict nothing. */
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
    // Evicting others may have released this reservation.
    const isHere = this.#reservations.has(reservation);
    if (isHere && this.#fits(reservation)) this.#open(reservation, stepOf(reservation));
  }
}
