import { EndpointFault } from "../endpoint/fault.ts";
import { suggestedBlocks } from "../endpoint/refusal.ts";
import type { L1Limits } from "../limits.ts";

/** Faults after which a narrower range of blocks may be answered. */
const NARROWER: ReadonlySet<string> = new Set(["refused", "too_long", "timeout"]);

/** After a time-out, a range is narrower by this: each try costs the whole time. */
const TIMEOUT_DIVISOR = 16;

/** How often ranges that were too wide by time alone are tried in a row. */
const MAX_TIMEOUTS = 2;

/**
 * In which ranges of blocks an endpoint gives logs: each halves theirs where it refuses, and takes more
 * again while it answers, but never as many as it said to be too many.
 */
export class RangeReader {
  readonly #limits: L1Limits;
  #blocks: number;
  /** The widest that may be tried. */
  #mostBlocks: number;

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
    this.#blocks = Math.min(this.#mostBlocks, this.#blocks + Math.ceil(this.#blocks / 4));
  }

  #shrink({ kind, message }: EndpointFault, asked: number): void {
    const suggested = kind === "refused" ? suggestedBlocks(message) : undefined;
    if (suggested !== undefined && suggested < asked) {
      this.#blocks = suggested;
      if (!IS_ABOUT_RESULTS.test(message)) this.#mostBlocks = suggested;
      return;
    }
    this.#blocks = Math.max(1, Math.floor(asked / (kind === "timeout" ? TIMEOUT_DIVISOR : 2)));
    if (kind === "refused" && !IS_ABOUT_RESULTS.test(message)) {
      this.#mostBlocks = Math.min(this.#limits.maxRangeBlocks, asked - 1);
    }
  }
}

/** Too much was found there; other places may have less. */
const IS_ABOUT_RESULTS = /result|response|size|logs matched|timeout|timed out/i;
