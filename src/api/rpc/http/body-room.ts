import { BodyPace, type BodyPlace, type BodyVisitor } from "./body-place.ts";

/** How often {@link BodyRoom.check} is to be called. */
export const BODY_CHECK_MS = 100;

/** Bytes of all long bodies together that arrive, or have arrived and are not read. */
export const BODY_ROOM_BYTES: number = 64 << 20;

/** What a body that waited may add before it asks again: at first, and once it has shown its speed. */
const STEP_BYTES = { first: 256 << 10, next: 4 << 20 } as const;

/** Bodies that are tried with each check where the room is full. */
const TRIED_PER_CHECK = 64;

/** For how long a body waits before slow ones have to make room for it. */
const PATIENCE_MS = 250;

interface Place {
  readonly visitor: BodyVisitor;
  readonly pace: BodyPace;
  /** `taken`: in the hands of who reads it. */
  state: "open" | "waiting" | "taken" | "left";
  /** What was granted to it; it counts with this or with what has arrived. */
  grantedBytes: number;
  /** In all. */
  waitedMs: number;
  /** It has added all that was granted to it. */
  isProven: boolean;
  /** It was let show how fast it comes, whatever room there was. */
  isTried: boolean;
}

/**
 * Limits what long bodies take together, over all connections: what has no room is left in the
 * client's hands, so that a flood of them costs neither memory nor the turns of short requests.
 *
 * A body counts with what has arrived of it, not with what it announces. Where the room is full, bodies
 * wait. First goes on the address with the least bytes; of its bodies those that have shown that they
 * come, then the one with the least to come. The body that came first goes on beyond the room, so that
 * one always ends.
 *
 * For a body that waits longer than a moment slow ones leave, those first that would hold their place
 * longest, unless others hold more than they do. Who is slow shows only while it is read: therefore all
 * that wait are tried, some at a time, in the order in which they came.
 */
export class BodyRoom {
  readonly #maxBytes: number;
  /** In the order in which they came. */
  readonly #places = new Set<Place>();
  readonly #byAddress = new Map<string, number>();
  #usedBytes = 0;
  /** Of those that have shown that they come. */
  #provenBytes = 0;
  #waiting = 0;
  /** May go on beyond the room. */
  #favoured: Place | undefined;
  #isMakingRoom = false;
  #checkedMs: number | undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes that count at the moment. */
  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** Bodies in the room, those that wait among them. */
  get size(): number {
    return this.#places.size;
  }

  /** @param totalBytes - of the body; `undefined` where its length is not announced */
  enter(visitor: BodyVisitor, totalBytes: number | undefined): BodyPlace {
    const pace = new BodyPace(totalBytes);
    const place: Place = {
      visitor,
      pace,
      state: "open",
      grantedBytes: 0,
      waitedMs: 0,
      isProven: false,
      isTried: false,
    };
    this.#places.add(place);
    this.#stopIfFull(place);
    return {
      get isWaiting() {
        return place.state === "waiting";
      },
      add: (bytes) => this.#add(place, bytes),
      taken: () => this.#end(place, "taken"),
      leave: () => this.#leave(place),
    };
  }

  /** Measures how fast bodies come, and makes room for who waits. To be called again and again. */
  check(nowMs: number): void {
    // While this thread was busy, it has kept its clients waiting, not they it.
    const passedMs = Math.min(nowMs - (this.#checkedMs ?? nowMs), 2 * BODY_CHECK_MS);
    this.#checkedMs = nowMs;
    for (const place of this.#places) {
      if (place.state === "waiting") place.waitedMs += passedMs;
      else if (place.state === "open") place.pace.pass(passedMs);
    }
    const slow = this.#waiting === 0 ? [] : this.#slow();
    if (slow.length > 0) for (const place of this.#inTurn()) this.#makeRoomFor(place, slow);
    this.#try();
    this.#grant();
  }

  #add(place: Place, bytes: number): void {
    if (place.state === "left") return;
    const before = countOf(place);
    place.pace.add(bytes);
    this.#count(place, countOf(place) - before);
    if (place.state === "open") this.#stopIfFull(place);
  }

  #stopIfFull(place: Place): void {
    const isFull = this.#usedBytes >= this.#maxBytes || this.#waiting > 0;
    if (!isFull || place === this.#favoured || place.pace.isWhole) return;
    if (place.pace.arrivedBytes < place.grantedBytes) return;
    if (!place.isProven && place.grantedBytes > 0) {
      place.isProven = true;
      this.#provenBytes += countOf(place);
    }
    place.state = "waiting";
    this.#waiting++;
    if (place.waitedMs >= PATIENCE_MS) this.#makeRoomFor(place, this.#slow());
    this.#grant();
  }

  #end(place: Place, state: "taken" | "left"): void {
    if (place.state === "left") return;
    if (place.state === "waiting") this.#waiting--;
    place.state = state;
  }

  #leave(place: Place): void {
    if (place.state === "left") return;
    this.#end(place, "left");
    this.#places.delete(place);
    if (this.#favoured === place) this.#favoured = undefined;
    this.#count(place, -countOf(place));
    this.#grant();
  }

  #count(place: Place, change: number): void {
    const { address } = place.visitor;
    const bytes = this.#bytesOf(address) + change;
    if (bytes === 0) this.#byAddress.delete(address);
    else this.#byAddress.set(address, bytes);
    this.#usedBytes += change;
    if (place.isProven) this.#provenBytes += change;
  }

  #bytesOf(address: string): number {
    return this.#byAddress.get(address) ?? 0;
  }

  #inTurn(): readonly Place[] {
    if (this.#waiting === 0) return [];
    const waiting = [...this.#places].filter(({ state }) => state === "waiting");
    return waiting.sort(
      (a, b) =>
        this.#bytesOf(a.visitor.address) - this.#bytesOf(b.visitor.address) ||
        Number(b.isProven) - Number(a.isProven) ||
        a.pace.leftBytes - b.pace.leftBytes,
    );
  }

  /** Who has shown that it comes has room beside those that only began, as large as half of theirs. */
  #fits(place: Place): boolean {
    const bytes = stepOf(place);
    const hasOwn = place.isProven && this.#provenBytes + bytes <= this.#maxBytes / 2;
    return hasOwn || this.#usedBytes + bytes <= this.#maxBytes;
  }

  #grant(): void {
    if (this.#waiting === 0 || this.#isMakingRoom) return;
    this.#favour();
    // Looked at in their order only where there is room for any.
    const isFull = this.#usedBytes >= this.#maxBytes;
    if (isFull && this.#provenBytes >= this.#maxBytes / 2) return;
    for (const place of this.#inTurn()) {
      // What was told of room may have ended another one.
      if (place.state !== "waiting") continue;
      if (!this.#fits(place)) return;
      this.#open(place, stepOf(place));
    }
  }

  #favour(): void {
    if (this.#favoured !== undefined) return;
    let first: Place | undefined;
    for (const place of this.#places) {
      if (place.state !== "waiting") continue;
      first ??= place;
      if (place.pace.isSlow) continue;
      first = place;
      break;
    }
    this.#favoured = first;
    if (first !== undefined) this.#open(first, 0);
  }

  #try(): void {
    let left = TRIED_PER_CHECK;
    for (const place of this.#places) {
      if (left === 0) return;
      const isUntried = place.state === "waiting" && !place.isTried && !place.pace.isSlow;
      if (!isUntried || place.waitedMs < PATIENCE_MS) continue;
      place.isTried = true;
      left--;
      this.#open(place, STEP_BYTES.first);
    }
  }

  #open(place: Place, moreBytes: number): void {
    const before = countOf(place);
    place.grantedBytes = place.pace.arrivedBytes + Math.min(moreBytes, place.pace.leftBytes);
    this.#count(place, countOf(place) - before);
    place.state = "open";
    this.#waiting--;
    place.visitor.granted();
  }

  /** Who may have to leave: the slowest of the addresses with the most bytes stand first. */
  #slow(): Place[] {
    const slow = [...this.#places].filter(({ state, pace }) => state !== "taken" && pace.isSlow);
    return slow.sort(
      (a, b) =>
        this.#bytesOf(b.visitor.address) - this.#bytesOf(a.visitor.address) ||
        b.pace.leftMs - a.pace.leftMs,
    );
  }

  /** Who is slow itself, or has just come, makes nobody leave. */
  #makeRoomFor(place: Place, slow: readonly Place[]): void {
    const { visitor, waitedMs, pace } = place;
    if (place.state !== "waiting" || waitedMs < PATIENCE_MS || pace.isSlow) return;
    const fairBytes = this.#maxBytes / Math.max(1, this.#byAddress.size);
    const leastBytes = this.#bytesOf(visitor.address) < fairBytes ? fairBytes : Infinity;
    this.#isMakingRoom = true;
    for (const other of slow) {
      if (this.#fits(place)) break;
      const { address } = other.visitor;
      const isInTheWay = address === visitor.address || this.#bytesOf(address) >= leastBytes;
      if (isInTheWay && other.state !== "left") other.visitor.evicted();
    }
    this.#isMakingRoom = false;
    if (this.#isWaiting(place) && this.#fits(place)) this.#open(place, stepOf(place));
  }

  /** Again, behind calls that may have ended it. */
  #isWaiting({ state }: Place): boolean {
    return state === "waiting";
  }
}

function countOf({ pace, grantedBytes }: Place): number {
  return Math.max(pace.arrivedBytes, grantedBytes);
}

function stepOf({ pace, isProven }: Place): number {
  return Math.min(pace.leftBytes, isProven ? STEP_BYTES.next : STEP_BYTES.first);
}
