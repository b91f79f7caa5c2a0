import type { Timer } from "#base/primitives/index.ts";
import { printable } from "../printable.ts";

/** How often the line is written anew. */
const PERIOD_MS = 200;

/** Width of a terminal that does not tell, or says 0. */
const DEFAULT_COLUMNS = 80;

/** Where a line is drawn, if it is a terminal. */
export interface Terminal {
  readonly isTTY?: boolean | undefined;
  /** Width in characters. */
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

/**
 * Shows what is being done and for how long, in one line of a terminal that goes away at the end. No
 * terminal, no line.
 *
 * @returns takes the line away
 */
export function showProgress(what: string, terminal: Terminal, timer: Timer): () => void {
  if (terminal.isTTY !== true) return () => undefined;
  const startMs = timer.nowMs();
  let shown = 0;
  /** In place of the line before; blanks cover what is longer of it, so that no codes are needed. */
  const draw = (line: string): void => {
    terminal.write(`\r${line.padEnd(shown)}`);
    shown = line.length;
  };
  let cancel = (): void => undefined;
  const tick = (): void => {
    const seconds = ` ${((timer.nowMs() - startMs) / 1000).toFixed(1)} s`;
    // A line that is broken could not be written over.
    const room = Math.max(0, (terminal.columns || DEFAULT_COLUMNS) - 1 - seconds.length);
    draw(`${printable(what).slice(0, room)}${seconds}`);
    cancel = timer.after(PERIOD_MS, tick);
  };
  tick();
  return () => {
    cancel();
    draw("");
    terminal.write("\r");
  };
}
