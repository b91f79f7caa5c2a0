/** Answered requests per allowed request before the limit grows by one. */
const GROWTH_AFTER = 8;

/**
 * Pauses after a rejection without `Retry-After`, or with a shorter one, which would cause a loop of requests:
 * the first, doubled up to the maximum; milliseconds.
 */
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 8000;

/** Number of concurrent requests that a URL accepts; halved by each response that asks to slow down. */
export class Pace {
  readonly #max: number;
  #limit: number;
  #successes = 0;
  #rejections = 0;

  /** @param max - first and maximum number */
  constructor(max: number) {
    this.#max = max;
    this.#limit = max;
  }

  /** Maximum concurrent requests, at least 1. */
  get limit(): number {
    return this.#limit;
  }

  /** Responses in a row that ask to slow down. */
  get rejections(): number {
    return this.#rejections;
  }

  /**
   * Records a response that asks to slow down.
   *
   * @param retryAfterMs - wait that the response names, if any
   * @returns the pause in milliseconds
   */
  rejected(retryAfterMs: number | undefined): number {
    this.#limit = Math.max(1, this.#limit >> 1);
    this.#successes = 0;
    const pauseMs = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#rejections);
    this.#rejections = Math.min(this.#rejections + 1, 16);
    return retryAfterMs === undefined || retryAfterMs < FIRST_PAUSE_MS ? pauseMs : retryAfterMs;
  }

  /** Records an answered request. */
  answered(): void {
    this.#rejections = 0;
    if (this.#limit >= this.#max) return;
    if (++this.#successes < GROWTH_AFTER * this.#limit) return;
    this.#successes = 0;
    this.#limit++;
  }
}
