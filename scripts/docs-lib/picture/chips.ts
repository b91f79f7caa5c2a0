import { rectangle, textAt } from "./svg.ts";

/** A name in a frame. */
export interface Chip {
  readonly name: string;
  /** Whether the folder of this name exists. */
  readonly exists: boolean;
}

const HEIGHT = 24;
const GAP = 4;
const CHARACTER = 6.6;

/** Height of a row of chips with the gap below it, in pixels. */
export const CHIP_ROW: number = HEIGHT + 2 + GAP;

/** Draws chips from left to right, in as many rows as needed. @returns elements, and the number of rows */
export function chipRows(
  chips: readonly Chip[],
  { x, y, width }: { readonly x: number; readonly y: number; readonly width: number },
): { readonly elements: readonly string[]; readonly rows: number } {
  const elements: string[] = [];
  let [left, row] = [0, 0];
  for (const { name, exists } of chips) {
    const chipWidth = name.length * CHARACTER + 16;
    if (left > 0 && left + chipWidth > width) [left, row] = [0, row + 1];
    const place = { x: x + left, y: y + row * CHIP_ROW };
    elements.push(
      rectangle({ ...place, width: chipWidth, height: HEIGHT }, exists ? "chip" : "chip missing"),
      textAt({ x: place.x + 8, y: place.y + 16 }, name, "mono"),
    );
    left += chipWidth + GAP;
  }
  return { elements, rows: row + 1 };
}
