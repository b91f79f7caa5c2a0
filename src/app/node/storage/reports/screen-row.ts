import { escapeControls } from "#base/telemetry/index.ts";
import type { Paint } from "./paint.ts";

/** Label and value of a line of the start screen. */
export type ScreenRow = readonly [label: string, value: string];

const LABEL_WIDTH = 14;

/** Formats rows with aligned values; a label is omitted when it repeats the previous one. */
export function rowLines(rows: readonly ScreenRow[], { dim, cyan }: Paint): readonly string[] {
  return rows.map(([label, value], i) => {
    const shown = label === rows[i - 1]?.[0] ? "" : label;
    const text = escapeControls(value);
    return `${dim(shown.padEnd(LABEL_WIDTH))}${/^https?:/.test(text) ? cyan(text) : text}`;
  });
}
