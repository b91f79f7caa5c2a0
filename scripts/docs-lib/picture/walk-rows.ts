import type { Walk } from "../layouts.ts";
import { type Drawn, overpass, rectangle, straight, textAt } from "./svg.ts";

const TITLE_HEIGHT = 34;
const PADDING = 16;
const LABEL_WIDTH = 158;
const ROW_HEIGHT = 40;
const CHIP_HEIGHT = 24;
const ARROW_WIDTH = 20;
/** Width of a character of a room's name, in pixels. */
const CHARACTER = 6.4;

/**
 * Draws walks as rows of rooms. An arrow leads to the next room; a curved arrow in another colour is a step
 * back.
 */
export function walkRows(
  title: string,
  walks: readonly Walk[],
  place: { readonly x: number; readonly y: number; readonly width: number },
): Drawn {
  const elements = walks.flatMap((walk, row) => {
    const y = place.y + TITLE_HEIGHT + row * ROW_HEIGHT + 12;
    return walkRow(walk, { x: place.x + PADDING, y });
  });
  const height = TITLE_HEIGHT + walks.length * ROW_HEIGHT + 8;
  return {
    elements: [
      rectangle({ ...place, height }, "panel"),
      textAt({ x: place.x + PADDING, y: place.y + 20 }, title, "title"),
      ...elements,
    ],
    bottom: place.y + height,
  };
}

function walkRow(
  { heading, steps, stepsBack }: Walk,
  { x, y }: { readonly x: number; readonly y: number },
): readonly string[] {
  const back = stepsBack === 1 ? "1 step back" : `${stepsBack} steps back`;
  const elements = [
    textAt({ x, y: y + 11 }, heading, "label"),
    textAt({ x, y: y + 25 }, back, "text"),
  ];
  let left = x + LABEL_WIDTH;
  for (const [i, { room, isBack }] of steps.entries()) {
    const name = room.slice(room.indexOf("/") + 1);
    const width = name.length * CHARACTER + 12;
    if (i > 0) {
      const [from, to] = [left - ARROW_WIDTH, left];
      elements.push(
        isBack
          ? overpass({ x: from - 8, y }, { x: to + 10, y }, 10, "back")
          : straight({ x: from, y: y + CHIP_HEIGHT / 2 }, { x: to, y: y + CHIP_HEIGHT / 2 }),
      );
    }
    elements.push(
      rectangle(
        { x: left, y, width, height: CHIP_HEIGHT },
        room.includes("/") ? "chip" : "chip main",
      ),
      textAt({ x: left + width / 2, y: y + 16 }, name, "mono middle"),
    );
    left += width + ARROW_WIDTH;
  }
  return elements;
}
