/** What a rate limiter works with. */
export interface LogRateLimiterDeps {
  /** Logs how many lines there would have been beyond those that were written. */
  readonly summarize: (count: number) => void;
  /** Calls back once after a time. */
  readonly schedule: (work: () => void, delayMs: number) => void;
}

/** Lines in one {@link WINDOW_MS}; what is beyond is counted. */
const MAX_LINES = 10;

const WINDOW_MS = 1000;

/** Longest foreign text in a line of the log. */
const MAX_TEXT_LENGTH = 300;

/** Bounds what others can make the log say: ten lines a second, then one with a count. */
export class LogRateLimiter {
  readonly #deps: LogRateLimiterDeps;
  #lines = 0;
  #unlogged = 0;
  #isWindowOpen = false;

  constructor(deps: LogRateLimiterDeps) {
    this.#deps = deps;
  }

  /** @returns whether there is room for a line; else it is counted */
  take(): boolean {
    this.#openWindow();
    if (this.#lines >= MAX_LINES) {
      this.#unlogged++;
      return false;
    }
    this.#lines++;
    return true;
  }

  /** Counts lines that are not written whatever room there is. */
  skip(count: number): void {
    if (count === 0) return;
    this.#openWindow();
    this.#unlogged += count;
  }

  /** Logs how many were only counted so far, and begins anew. */
  flush(): void {
    if (this.#unlogged > 0) this.#deps.summarize(this.#unlogged);
    this.#lines = 0;
    this.#unlogged = 0;
  }

  #openWindow(): void {
    if (this.#isWindowOpen) return;
    this.#isWindowOpen = true;
    this.#deps.schedule(() => {
      this.#isWindowOpen = false;
      this.flush();
    }, WINDOW_MS);
  }
}

/** Contracts have a say in reasons: nothing but a bounded piece of visible ASCII reaches a log. */
export function loggable(text: string): string {
  const visible = text.replace(/[^\x20-\x7e]+/g, " ");
  return visible.length <= MAX_TEXT_LENGTH ? visible : `${visible.slice(0, MAX_TEXT_LENGTH)}…`;
}
