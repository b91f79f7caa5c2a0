import type { Terminal } from "../class/progress.ts";
import { printable } from "../printable.ts";

/** Update interval of the line. */
const PERIOD_MS = 200;

const DEFAULT_COLUMNS = 80;

/**
 * A terminal line with the progress of work, including work that blocks the thread. Does nothing without a
 * terminal.
 */
export class ProgressLine {
  readonly #terminal: Terminal;
  readonly #nowMs: () => number;
  #shown = 0;
  #shownAtMs = Number.NEGATIVE_INFINITY;

  constructor(terminal: Terminal, nowMs: () => number) {
    this.#terminal = terminal;
    this.#nowMs = nowMs;
  }

  /** Shows a text; updates at most once per interval. */
  say(text: string): void {
    if (this.#terminal.isTTY !== true || this.#nowMs() - this.#shownAtMs < PERIOD_MS) return;
    this.#shownAtMs = this.#nowMs();
    const room = (this.#terminal.columns || DEFAULT_COLUMNS) - 1;
    this.#draw(printable(text).slice(0, room));
  }

  /** Shows a text with a percentage. */
  share(text: string, done: number, total: number): void {
    const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
    this.say(`${text} ${percent} %`);
  }

  /** Removes the line. */
  end(): void {
    if (this.#shown === 0) return;
    this.#draw("");
    this.#terminal.write("\r");
  }

  #draw(line: string): void {
    this.#terminal.write(`\r${line.padEnd(this.#shown)}`);
    this.#shown = line.length;
  }
}
