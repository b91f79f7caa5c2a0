import type { LogFormat } from "#base/telemetry/index.ts";

/** Output of a {@link TerminalLine}. */
export interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Returns standard output for text logs; otherwise a terminal that discards everything. */
export function terminalOf(format: LogFormat): Terminal {
  return format === "text" ? process.stdout : { write: () => undefined };
}

const PERIOD_MS = 250;
const DEFAULT_COLUMNS = 80;

/**
 * Terminal line that is rewritten in place. The cursor rests at its start, so that the next log line
 * overwrites it. Shows nothing without a terminal.
 */
export class TerminalLine {
  readonly #terminal: Terminal;
  readonly #nowMs: () => number;
  #shownAtMs = Number.NEGATIVE_INFINITY;
  #isVisible = false;

  constructor(terminal: Terminal, nowMs: () => number) {
    this.#terminal = terminal;
    this.#nowMs = nowMs;
  }

  /** Whether the output is a terminal. */
  get isShown(): boolean {
    return this.#terminal.isTTY === true;
  }

  /** Shows a text; drops updates that come faster than {@link PERIOD_MS}. */
  say(text: string): void {
    if (!this.isShown || this.#nowMs() - this.#shownAtMs < PERIOD_MS) return;
    this.#shownAtMs = this.#nowMs();
    this.#isVisible = true;
    const room = (this.#terminal.columns ?? DEFAULT_COLUMNS) - 1;
    this.#terminal.write(`${text.slice(0, room)}\u001b[K\r`);
  }

  /** Erases the line; needed before a log line, which may be shorter. */
  clear(): void {
    if (!this.#isVisible) return;
    this.#isVisible = false;
    this.#terminal.write("\u001b[K");
  }
}
