/** How many calls an address may make. */
export interface RateLimit {
  /** Calls per second in the long run; above zero. */
  readonly perSecond: number;
  /** Calls that an address may make at once after it was quiet; at least 1. */
  readonly burst: number;
}

/** Most addresses that are remembered. */
export const MAX_ADDRESSES = 65_536;

/** Sums of parts of calls are not exact. */
const ROUNDING = 1e-6;

interface Bucket {
  /** Calls that may be made; below zero: a batch took more than there was. */
  tokens: number;
  /** When {@link tokens} was right. */
  atMs: number;
}

/** A rate limiter by the system's clock, for {@link MAX_ADDRESSES}. */
export function systemRateLimiter(limit: RateLimit): RateLimiter {
  return new RateLimiter(limit, () => performance.now(), MAX_ADDRESSES);
}

/**
 * A token bucket per address. Bounded: of more addresses than `maxAddresses` the one that was quiet for
 * longest is forgotten, and has a full bucket when it comes back.
 */
export class RateLimiter {
  readonly #perMs: number;
  readonly #burst: number;
  readonly #nowMs: () => number;
  readonly #maxAddresses: number;
  /** The one that was quiet for longest first. */
  readonly #buckets = new Map<string, Bucket>();

  constructor({ perSecond, burst }: RateLimit, nowMs: () => number, maxAddresses: number) {
    this.#perMs = perSecond / 1000;
    this.#burst = burst;
    this.#nowMs = nowMs;
    this.#maxAddresses = maxAddresses;
  }

  /** How many addresses are remembered. */
  get size(): number {
    return this.#buckets.size;
  }

  /**
   * Takes one call of an address.
   *
   * @returns in how many whole seconds it may try again; `undefined` when the call may be made
   */
  take(address: string): number | undefined {
    const bucket = this.#bucket(address);
    const missing = 1 - bucket.tokens;
    if (missing > ROUNDING) {
      return Math.max(1, Math.ceil(missing / this.#perMs / 1000 - ROUNDING));
    }
    bucket.tokens--;
    return undefined;
  }

  /** Counts calls that come with one that was taken: the others of a batch. */
  charge(address: string, calls: number): void {
    this.#bucket(address).tokens -= calls;
  }

  #bucket(address: string): Bucket {
    const nowMs = this.#nowMs();
    const known = this.#buckets.get(address);
    const bucket = known ?? { tokens: this.#burst, atMs: nowMs };
    bucket.tokens = Math.min(this.#burst, bucket.tokens + (nowMs - bucket.atMs) * this.#perMs);
    bucket.atMs = nowMs;
    this.#buckets.delete(address);
    this.#buckets.set(address, bucket);
    if (this.#buckets.size > this.#maxAddresses) {
      const [quietest = address] = this.#buckets.keys();
      this.#buckets.delete(quietest);
    }
    return bucket;
  }
}
