/** Bodies up to this size arrive without a place. */
export const SHORT_BODY_BYTES = 65_536;

/** What a body counts whose length is not announced. */
export const UNKNOWN_BODY_BYTES: number = 16 << 20;

/** Bytes of all long bodies together that arrive, or have arrived and are not read. */
const ROOM_BYTES = 64 << 20;

/** A long body that comes more slowly than this makes room for others that wait. */
const SLOW_BYTES_PER_SECOND = 65_536;

/** How long a body may take to begin. */
const SLOW_GRACE_MS = 2_000;

/** Whether a long body comes so slowly that it is in the way of others. */
export function isSlow(arrivedBytes: number, arrivalMs: number): boolean {
  return arrivedBytes < ((arrivalMs - SLOW_GRACE_MS) / 1000) * SLOW_BYTES_PER_SECOND;
}

/** The place of a body in a {@link BodyRoom}. */
export interface BodyPlace {
  /** Whether the body may arrive. */
  readonly isGranted: boolean;
  /** The body is read, or nobody wants it any more. May be called again. */
  leave(): void;
}

interface Waiting {
  readonly bytes: number;
  readonly grant: () => void;
}

/**
 * Limits what long bodies take together, over all connections: what has no room is left in the
 * client's hands, so that a flood of them costs neither memory nor the turns of short requests.
 * First come, first served.
 */
export class BodyRoom {
  readonly #maxBytes: number;
  readonly #waiting = new Set<Waiting>();
  #usedBytes = 0;

  constructor(maxBytes = ROOM_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Whether others wait for room. */
  get isWanted(): boolean {
    return this.#waiting.size > 0;
  }

  /**
   * Takes a place for a body.
   *
   * @param bytes - its length; one that is longer than the room gets it alone
   * @param onGranted - called when the place is granted later
   */
  enter(bytes: number, onGranted: () => void): BodyPlace {
    let state: "waiting" | "granted" | "left" = "waiting";
    const waiting: Waiting = {
      bytes,
      grant: () => {
        state = "granted";
        onGranted();
      },
    };
    if (!this.isWanted && this.#fits(bytes)) {
      state = "granted";
      this.#usedBytes += bytes;
    } else this.#waiting.add(waiting);
    return {
      get isGranted() {
        return state === "granted";
      },
      leave: () => {
        const before = state;
        state = "left";
        if (before === "waiting") this.#waiting.delete(waiting);
        else if (before === "granted") this.#usedBytes -= bytes;
        if (before !== "left") this.#grantNext();
      },
    };
  }

  #fits(bytes: number): boolean {
    return this.#usedBytes === 0 || this.#usedBytes + bytes <= this.#maxBytes;
  }

  #grantNext(): void {
    for (const next of this.#waiting) {
      if (!this.#fits(next.bytes)) return;
      this.#waiting.delete(next);
      this.#usedBytes += next.bytes;
      next.grant();
    }
  }
}
