import type { Client } from "../limits/fair-queue.ts";

/** Bodies up to this size arrive without a reservation. */
export const SHORT_BODY_BYTES = 65_536;

/** Whose body it is; must not throw. */
export interface BodyHolder {
  /** What is shared fairly counts by its address. */
  readonly client: Client;
  /** The body may go on. */
  granted(): void;
  /** The body is to end: it is too slow while others wait. To be followed by `release`. */
  evicted(): void;
}

/** The reservation of a body in a `BodyBudget`. */
export interface BodyReservation {
  /** Whether the body has to wait before more of it is read. */
  readonly isWaiting: boolean;
  /** Bytes have arrived. */
  add(bytes: number): void;
  /** The body is in the hands of who wanted it: it is in nobody's way, and still counts. */
  taken(): void;
  /** The body is read, or nobody wants it any more. May be called again. */
  release(): void;
}

/** Over what time the speed of a body is measured, at least. */
const WINDOW_MS = 750;

/** How long a body may take to begin. */
const GRACE_MS = 500;

/** What takes longer than this from its first byte to its last is slow, where others wait for it. */
const PROMPT_MS = 2_000;

/** Of a body without an announced length, at least this much is taken to be missing. */
const UNKNOWN_LEFT_BYTES = 65_536;

/** How fast a body comes, by a clock that runs while it may come. */
export class BodyPace {
  readonly #totalBytes: number | undefined;
  #arrivedBytes = 0;
  #ranMs = 0;
  /** Times and bytes where the window began, and where the next one will have begun. */
  #window = { ms: 0, bytes: 0 };
  #next = { ms: 0, bytes: 0 };

  /** @param totalBytes - `undefined`: not known */
  constructor(totalBytes: number | undefined) {
    this.#totalBytes = totalBytes;
  }

  get arrivedBytes(): number {
    return this.#arrivedBytes;
  }

  get isWhole(): boolean {
    return this.#totalBytes !== undefined && this.#arrivedBytes >= this.#totalBytes;
  }

  /** What is still to come; of an unknown length, as much as has come. */
  get leftBytes(): number {
    if (this.#totalBytes === undefined) return Math.max(UNKNOWN_LEFT_BYTES, this.#arrivedBytes);
    return Math.max(0, this.#totalBytes - this.#arrivedBytes);
  }

  /** How long the rest takes at the present speed; `Infinity` while nothing comes. */
  get leftMs(): number {
    const { ms, bytes } = this.#window;
    const came = this.#arrivedBytes - bytes;
    if (this.isWhole) return 0;
    return came === 0 ? Infinity : (this.leftBytes * (this.#ranMs - ms)) / came;
  }

  /** Whether it takes so long that others should not wait for it. */
  get isSlow(): boolean {
    return this.#ranMs >= GRACE_MS && this.#ranMs + this.leftMs > PROMPT_MS;
  }

  /** Bytes have arrived. */
  add(bytes: number): void {
    this.#arrivedBytes += bytes;
  }

  /** Time has passed in which it could come. */
  pass(ms: number): void {
    this.#ranMs += ms;
    if (this.#ranMs - this.#next.ms < WINDOW_MS) return;
    this.#window = this.#next;
    this.#next = { ms: this.#ranMs, bytes: this.#arrivedBytes };
  }
}
