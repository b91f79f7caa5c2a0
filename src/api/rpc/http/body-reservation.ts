import type { Client } from "../limits/fair-queue.ts";

/** Maximum size of a request body that arrives without a reservation in the budget. */
export const SHORT_BODY_BYTES = 65_536;

/**
 * Receiver of an HTTP body. The `BodyBudget` calls it back while the body arrives: when a waiting body may
 * continue, and when it must give way. Callbacks must not throw.
 */
export interface BodyHolder {
  /** Fair shares are computed per address of the client. */
  readonly client: Client;
  /** The body may continue to arrive. */
  granted(): void;
  /** The body must end: it is too slow while others wait. The holder must call `release`. */
  evicted(): void;
}

/** Reservation of a body in a `BodyBudget`. */
export interface BodyReservation {
  /** Whether the body must pause before more of it is read. */
  readonly isWaiting: boolean;
  add(bytes: number): void;
  /** The body was handed to its consumer: it no longer blocks others, but its bytes still count. */
  consume(): void;
  /** The body was consumed or discarded. Idempotent. */
  release(): void;
}

/** Minimum time window over which the speed of a body is measured. */
const WINDOW_MS = 750;

/** Time that a body may take to start arriving. */
const GRACE_MS = 500;

/** A body whose total transfer time exceeds this is slow and may be evicted for others. */
const PROMPT_MS = 2_000;

/** Minimum number of bytes assumed to be missing from a body without an announced length. */
const UNKNOWN_LEFT_BYTES = 65_536;

/** Speed of a body, measured by a clock that runs only while the body may arrive. */
export class BodyPace {
  readonly #totalBytes: number | undefined;
  #arrivedBytes = 0;
  #ranMs = 0;
  /** Start of the current measuring window, and start of the next one. */
  #window = { ms: 0, bytes: 0 };
  #next = { ms: 0, bytes: 0 };

  /** @param totalBytes - `undefined` if unknown */
  constructor(totalBytes: number | undefined) {
    this.#totalBytes = totalBytes;
  }

  get arrivedBytes(): number {
    return this.#arrivedBytes;
  }

  get isWhole(): boolean {
    return this.#totalBytes !== undefined && this.#arrivedBytes >= this.#totalBytes;
  }

  /**
   * Bytes still to come. If the length is unknown: as many as have arrived, but at least
   * `UNKNOWN_LEFT_BYTES`.
   */
  get leftBytes(): number {
    if (this.#totalBytes === undefined) return Math.max(UNKNOWN_LEFT_BYTES, this.#arrivedBytes);
    return Math.max(0, this.#totalBytes - this.#arrivedBytes);
  }

  /** Expected time until the body is complete, at its current speed; `Infinity` while nothing arrives. */
  get leftMs(): number {
    const { ms, bytes } = this.#window;
    const came = this.#arrivedBytes - bytes;
    if (this.isWhole) return 0;
    return came === 0 ? Infinity : (this.leftBytes * (this.#ranMs - ms)) / came;
  }

  /** Whether the body takes too long to make others wait for it. */
  get isSlow(): boolean {
    return this.#ranMs >= GRACE_MS && this.#ranMs + this.leftMs > PROMPT_MS;
  }

  add(bytes: number): void {
    this.#arrivedBytes += bytes;
  }

  pass(ms: number): void {
    this.#ranMs += ms;
    if (this.#ranMs - this.#next.ms < WINDOW_MS) return;
    this.#window = this.#next;
    this.#next = { ms: this.#ranMs, bytes: this.#arrivedBytes };
  }
}
