/**
 * Callbacks of {@link LogRateLimiter}: one logs the number of suppressed lines, one starts a timer.
 */
export interface LogRateLimiterDeps {
  /** Logs the number of suppressed lines. */
  readonly summarize: (count: number) => void;
  /** Calls back once after a delay. */
  readonly schedule: (work: () => void, delayMs: number) => void;
}

/** Maximum lines in one {@link WINDOW_MS}; further ones are counted. */
const MAX_LINES = 10;

const WINDOW_MS = 1000;

/** Maximum length of untrusted text in a log line. */
const MAX_TEXT_LENGTH = 300;

/** Limits log lines that others can trigger: ten lines a second, then one with a count. */
export class LogRateLimiter {
  readonly #deps: LogRateLimiterDeps;
  #lines = 0;
  #unlogged = 0;
  #isWindowOpen = false;

  constructor(deps: LogRateLimiterDeps) {
    this.#deps = deps;
  }

  /**
   * Requests permission to log one line.
   *
   * @returns `false` if the limit is reached; the line then counts as suppressed
   */
  take(): boolean {
    this.#openWindow();
    if (this.#lines >= MAX_LINES) {
      this.#unlogged++;
      return false;
    }
    this.#lines++;
    return true;
  }

  /** Adds `count` lines that the caller itself suppressed to the next summary; the limit ignores them. */
  skip(count: number): void {
    if (count === 0) return;
    this.#openWindow();
    this.#unlogged += count;
  }

  /** Logs the number of suppressed lines so far, and resets the counters. */
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

/**
 * Converts untrusted text, such as a revert reason, for the log: spaces replace all but visible
 * ASCII, and longer text is truncated.
 */
export function loggable(text: string): string {
  const visible = text.replace(/[^\x20-\x7e]+/g, " ");
  return visible.length <= MAX_TEXT_LENGTH ? visible : `${visible.slice(0, MAX_TEXT_LENGTH)}…`;
}
