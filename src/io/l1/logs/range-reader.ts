import { EndpointFault } from "../endpoint/fault.ts";
import { suggestedBlocks } from "../endpoint/refusal.ts";
import type { L1Limits } from "../limits.ts";

/** Faults after which a narrower range of blocks may be answered. */
const NARROWER: ReadonlySet<string> = new Set(["refused", "too_long", "timeout"]);

/** After a time-out, a range is narrower by this: each try costs the whole time. */
const TIMEOUT_DIVISOR = 16;

/** How often ranges that were too wide by time alone are tried in a row. */
const MAX_TIMEOUTS = 2;

/** After so many whole ranges, one that was too wide once may be tried again. */
const FORGET_AFTER = 512;

/**
 * In which ranges of blocks an endpoint gives logs: narrower where it refuses, and wider again while it
 * answers, up to those that it said to be too wide.
 */
export class RangeReader {
  readonly #limits: L1Limits;
  #blocks: number;
  /** The widest that may be tried. */
  #mostBlocks: number;
  /** The widest that was answered whole; 0: none was since one as wide was refused. */
  #widestBlocks = 0;
  #answered = 0;

  constructor(limits: L1Limits) {
    this.#limits = limits;
    this.#blocks = limits.maxRangeBlocks;
    this.#mostBlocks = limits.maxRangeBlocks;
  }

  /** How many blocks are asked for at once now. */
  get blocks(): number {
    return this.#blocks;
  }

  /**
   * Reads from one block up to another, both inclusive.
   *
   * @param read - asks for one range
   * @param take - is given what each range had, in their order
   * @throws {EndpointFault} what `read` throws for one block, or for other reasons than the range
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
      const asked = last - next + 1;
      let found: T;
      try {
        found = await read(next, last);
      } catch (cause) {
        if (!(cause instanceof EndpointFault) || !NARROWER.has(cause.kind) || asked === 1)
          throw cause;
        if (cause.kind === "timeout" && ++timeouts > MAX_TIMEOUTS) throw cause;
        this.#shrink(cause, asked);
        continue;
      }
      timeouts = 0;
      next = last + 1;
      this.#grow(asked);
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

  #shrink({ kind, message }: EndpointFault, asked: number): void {
    const isRange = kind === "refused" && !IS_ABOUT_RESULTS.test(message);
    const suggested = kind === "refused" ? suggestedBlocks(message) : undefined;
    if (this.#widestBlocks >= asked) this.#widestBlocks = 0;
    if (suggested !== undefined && suggested < asked) {
      this.#blocks = suggested;
      if (isRange) this.#mostBlocks = suggested;
      return;
    }
    if (isRange) this.#mostBlocks = asked - 1;
    const divisor = kind === "timeout" ? TIMEOUT_DIVISOR : 2;
    const less = Math.max(1, Math.floor(asked / divisor));
    this.#blocks = isRange ? Math.max(this.#widestBlocks, less) : less;
  }
}

/** Too much was found there; other places may have less. */
const IS_ABOUT_RESULTS = /result|response|size|logs matched|timeout|timed out/i;
