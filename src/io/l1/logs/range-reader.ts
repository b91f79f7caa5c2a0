import { EndpointFault } from "../endpoint/fault.ts";
import { suggestedBlocks } from "../endpoint/refusal.ts";
import type { L1Limits } from "../limits.ts";

/** Faults after which a narrower block range may succeed. */
const NARROWER: ReadonlySet<string> = new Set(["refused", "too_long", "timeout"]);

/** Divisor of the range after a timeout, large because each attempt costs the whole timeout. */
const TIMEOUT_DIVISOR = 16;

/** Maximum number of consecutive timeouts before giving up. */
const MAX_TIMEOUTS = 2;

/** Number of successful requests after which the upper bound of the range is raised again. */
const FORGET_AFTER = 512;

/**
 * Adapts the block range of log requests to an endpoint. It narrows the range on rejections and widens it on
 * success, up to ranges that the endpoint called too wide.
 */
export class RangeReader {
  readonly #limits: L1Limits;
  #blocks: number;
  /** Upper bound of the range. */
  #mostBlocks: number;
  /** Widest range that succeeded; 0 if none did since one that wide was rejected. */
  #widestBlocks = 0;
  #answered = 0;

  constructor(limits: L1Limits) {
    this.#limits = limits;
    this.#blocks = limits.maxRangeBlocks;
    this.#mostBlocks = limits.maxRangeBlocks;
  }

  /** Current number of blocks per request. */
  get blocks(): number {
    return this.#blocks;
  }

  /**
   * Reads from one block through another.
   *
   * @param read - requests one range
   * @param take - receives the result of each range, in order
   * @throws {EndpointFault} of `read` for a single block, or for reasons other than the range
   */
  async each<T>(
    from: number,
    to: number,
    read: (from: number, to: number) => Promise<T>,
    take: (found: T) => Promise<void>,
  ): Promise<void> {
    let timeouts = 0;
    for (let next = from; next <= to;) {
      const last = Math.min(to, next + this.#blocks - 1);
      const width = last - next + 1;
      let found: T;
      try {
        found = await read(next, last);
      } catch (cause) {
        if (!(cause instanceof EndpointFault) || !NARROWER.has(cause.kind) || width === 1)
          throw cause;
        if (cause.kind === "timeout" && ++timeouts > MAX_TIMEOUTS) throw cause;
        this.#shrink(cause, width);
        continue;
      }
      timeouts = 0;
      next = last + 1;
      this.#grow(width);
      await take(found);
    }
  }

  #grow(answered: number): void {
    if (answered < this.#blocks) return;
    const { maxRangeBlocks } = this.#limits;
    this.#widestBlocks = Math.max(this.#widestBlocks, answered);
    if (++this.#answered % FORGET_AFTER === 0) {
      this.#mostBlocks = Math.min(maxRangeBlocks, this.#mostBlocks * 2);
    }
    const gap = this.#mostBlocks - answered;
    const isNear = gap < answered / 8;
    if (isNear && this.#mostBlocks < maxRangeBlocks) return;
    const step = Math.min(Math.ceil(answered / 4), isNear ? gap : Math.ceil(gap / 2));
    this.#blocks = answered + step;
  }

  #shrink({ kind, message }: EndpointFault, width: number): void {
    const isRange = kind === "refused" && !IS_ABOUT_RESULTS.test(message);
    const suggested = kind === "refused" ? suggestedBlocks(message) : undefined;
    if (this.#widestBlocks >= width) this.#widestBlocks = 0;
    if (suggested !== undefined && suggested < width) {
      this.#blocks = suggested;
      if (isRange) this.#mostBlocks = suggested;
      return;
    }
    if (isRange) this.#mostBlocks = width - 1;
    const divisor = kind === "timeout" ? TIMEOUT_DIVISOR : 2;
    const less = Math.max(1, Math.floor(width / divisor));
    this.#blocks = isRange ? Math.max(this.#widestBlocks, less) : less;
  }
}

/** The range had too many results; other ranges may have fewer. */
const IS_ABOUT_RESULTS = /result|response|size|logs matched|timeout|timed out/i;
