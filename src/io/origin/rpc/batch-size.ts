/** Full batches that must succeed before a larger one is tried; doubled after each failure, up to the maximum. */
const GROWTH_AFTER = 8;
const MAX_GROWTH_AFTER = 1024;

/**
 * Limit of the calls per request for a URL. Providers limit batches without naming the limit, so
 * rejected sizes are never tried again.
 */
export class BatchSize {
  #limit: number;
  #ceiling: number;
  #successes = 0;
  #growthAfter = GROWTH_AFTER / 2;

  /** @param max - first and maximum size */
  constructor(max: number) {
    this.#limit = max;
    this.#ceiling = max;
  }

  /** Maximum calls of the next request, at least 1. */
  get limit(): number {
    return this.#limit;
  }

  /** Records a batch that the URL rejected as a batch; halves the size. */
  rejected(size: number): void {
    this.#ceiling = Math.min(this.#ceiling, Math.max(1, size - 1));
    this.#halve(size);
  }

  /** Records a batch that failed for a reason that may pass; halves the size, each time for longer. */
  failed(size: number): void {
    this.#growthAfter = Math.min(MAX_GROWTH_AFTER, this.#growthAfter * 2);
    this.#halve(size);
  }

  /** Records a batch that the URL answered. */
  answered(size: number): void {
    if (size < this.#limit) return;
    if (this.#limit >= this.#ceiling) {
      this.#growthAfter = GROWTH_AFTER / 2;
      return;
    }
    if (++this.#successes < Math.max(GROWTH_AFTER, this.#growthAfter)) return;
    this.#successes = 0;
    this.#limit = Math.min(this.#ceiling, this.#limit * 2);
  }

  #halve(size: number): void {
    this.#limit = Math.max(1, Math.min(this.#limit, size >> 1));
    this.#successes = 0;
  }
}
