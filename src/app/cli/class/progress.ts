import type { Timer } from "#base/primitives/index.ts";
import { printable } from "../printable.ts";

/** Update interval of the line. */
const PERIOD_MS = 200;

/** Width of a terminal that reports none, or 0. */
const DEFAULT_COLUMNS = 80;

/** Output for a progress line; used only if it is a terminal. */
export interface Terminal {
  readonly isTTY?: boolean | undefined;
  /** Width in characters. */
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

/**
 * Shows the current work and its duration on one terminal line. Does nothing without a terminal.
 *
 * @returns removes the line
 */
export function showProgress(what: string, terminal: Terminal, timer: Timer): () => void {
  if (terminal.isTTY !== true) return () => undefined;
  const startMs = timer.nowMs();
  let shown = 0;
  /** Overwrites the previous line; pads with blanks, so that no control codes are needed. */
  const draw = (line: string): void => {
    terminal.write(`\r${line.padEnd(shown)}`);
    shown = line.length;
  };
  let cancel = (): void => undefined;
  const tick = (): void => {
    const seconds = ` ${((timer.nowMs() - startMs) / 1000).toFixed(1)} s`;
    // A wrapped line could not be overwritten.
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
