import type { Terminal } from "../class/progress.ts";
import { printable } from "../printable.ts";

/** How often the line is written anew. */
const PERIOD_MS = 200;

const DEFAULT_COLUMNS = 80;

/**
 * A line of a terminal that says how far work is, also work that lets nobody else have a turn. No
 * terminal, no line.
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

  /** Says something; not more often than eyes follow. */
  say(text: string): void {
    if (this.#terminal.isTTY !== true || this.#nowMs() - this.#shownAtMs < PERIOD_MS) return;
    this.#shownAtMs = this.#nowMs();
    const room = (this.#terminal.columns || DEFAULT_COLUMNS) - 1;
    this.#draw(printable(text).slice(0, room));
  }

  /** {@link say} with a share in percent. */
  share(text: string, done: number, total: number): void {
    const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
    this.say(`${text} ${percent} %`);
  }

  /** Takes the line away. */
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
