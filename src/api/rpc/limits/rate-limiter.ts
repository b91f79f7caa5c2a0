/** Rate limit per client address. */
export interface RateLimit {
  /** Sustained calls per second; above zero. */
  readonly perSecond: number;
  /** Maximum burst of calls from one client address after a quiet period; at least 1. */
  readonly burst: number;
}

/** Maximum number of client addresses that are tracked. */
export const MAX_ADDRESSES = 65_536;

/** Tolerance for rounding errors in sums of fractional tokens. */
const ROUNDING = 1e-6;

interface Bucket {
  /** Calls left; negative after a batch that exceeded the rest. */
  tokens: number;
  /** Time at which {@link tokens} was computed. */
  atMs: number;
}

/** Creates a rate limiter on the system's clock, for {@link MAX_ADDRESSES}. */
export function systemRateLimiter(limit: RateLimit): RateLimiter {
  return new RateLimiter(limit, () => performance.now(), MAX_ADDRESSES);
}

/**
 * Token bucket per address. Bounded to `maxAddresses`: the address that was quiet longest is evicted, and has
 * a full bucket when it returns.
 */
export class RateLimiter {
  readonly #perMs: number;
  readonly #burst: number;
  readonly #nowMs: () => number;
  readonly #maxAddresses: number;
  /** Ordered by last use, oldest first. */
  readonly #buckets = new Map<string, Bucket>();

  constructor({ perSecond, burst }: RateLimit, nowMs: () => number, maxAddresses: number) {
    this.#perMs = perSecond / 1000;
    this.#burst = burst;
    this.#nowMs = nowMs;
    this.#maxAddresses = maxAddresses;
  }

  get size(): number {
    return this.#buckets.size;
  }

  /**
   * Charges one call to a client address, if the rate limit allows it.
   *
   * @returns `undefined` if the call is allowed; otherwise the whole seconds after which the client may retry
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

  /** Charges further calls of an accepted request: the rest of a batch. */
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
