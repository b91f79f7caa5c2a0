import type { LogFormat } from "#base/telemetry/index.ts";

/** A terminal, or what stands for one. */
export interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Where lines of the log are for people it is standard output; else there is none. */
export function terminalOf(format: LogFormat): Terminal {
  return format === "text" ? process.stdout : { write: () => undefined };
}

const PERIOD_MS = 250;
const DEFAULT_COLUMNS = 80;

/**
 * A line of a terminal that is written anew in its place. The cursor waits at its begin, so that the next
 * line of the log takes its place. No terminal, no line.
 */
export class TerminalLine {
  readonly #terminal: Terminal;
  readonly #nowMs: () => number;
  #saidAtMs = Number.NEGATIVE_INFINITY;
  #isThere = false;

  constructor(terminal: Terminal, nowMs: () => number) {
    this.#terminal = terminal;
    this.#nowMs = nowMs;
  }

  /** Whether there is somebody to see it. */
  get isShown(): boolean {
    return this.#terminal.isTTY === true;
  }

  /** Says something; not more often than eyes follow. */
  say(text: string): void {
    if (!this.isShown || this.#nowMs() - this.#saidAtMs < PERIOD_MS) return;
    this.#saidAtMs = this.#nowMs();
    this.#isThere = true;
    const room = (this.#terminal.columns ?? DEFAULT_COLUMNS) - 1;
    this.#terminal.write(`${text.slice(0, room)}\u001b[K\r`);
  }

  /** Takes the line away: before a line of the log, which may be shorter. */
  clear(): void {
    if (!this.#isThere) return;
    this.#isThere = false;
    this.#terminal.write("\u001b[K");
  }
}
