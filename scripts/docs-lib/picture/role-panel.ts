import type { Role } from "#app/node/threads/roles/role.ts";
import { THREADS, type ThreadBox } from "../data/threads.ts";
import { edgesBetween } from "./edges.ts";
import { type Rectangle, rectangle, textAt, wrapped } from "./svg.ts";

const BOX_HEIGHT = 86;
const MAIN_HEIGHT = 74;
const ROW_GAP = 64;
const TITLE_HEIGHT = 30;
const PADDING = 16;
/** Width of a character of the summaries, in pixels. */
const CHARACTER = 6;

/** Space between the box of the main thread and the first row, in pixels. */
const MAIN_GAP = 46;

/** Height of a panel with two rows of threads, in pixels. */
export const PANEL_HEIGHT: number =
  TITLE_HEIGHT + MAIN_HEIGHT + MAIN_GAP + 2 * BOX_HEIGHT + ROW_GAP + PADDING;

/** Place and grid of a panel. */
export interface PanelPlace {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly columns: number;
  readonly columnGap: number;
}

/** Draws the threads of a role with the connections of its plan. `partOf` names the part of a thread. */
export function rolePanel(
  title: string,
  { threads }: Pick<Role, "threads">,
  place: PanelPlace,
  partOf: (kind: string) => string,
): readonly string[] {
  const { x, y, width } = place;
  const main = { x: x + PADDING, y: y + TITLE_HEIGHT, width: width - 2 * PADDING };
  const mainBox = { ...main, height: MAIN_HEIGHT };
  const planned = threads.start.flat().map((kind) => threadBoxOf(kind));
  const boxes = new Map(planned.map((box) => [box.kind, rectangleOf(box, place)] as const));
  return [
    rectangle({ x, y, width, height: PANEL_HEIGHT }, "panel"),
    textAt({ x: x + PADDING, y: y + 20 }, title, "title"),
    rectangle(mainBox, "box main"),
    ...boxTexts(mainBox, "main", "", `${mainOwns()}; has a port to each thread`),
    ...edgesBetween(boxes, threads.edges),
    ...planned.flatMap((box) => {
      const area = boxes.get(box.kind) as Rectangle;
      return [
        rectangle(area, "box"),
        ...boxTexts(area, box.kind, otherThan(box.kind, partOf(box.kind)), box.summary),
      ];
    }),
  ];
}

/** The box of a kind of thread. @throws {RangeError} if the table of threads has none */
export function threadBoxOf(kind: string): ThreadBox {
  const box = THREADS.find((thread) => thread.box?.kind === kind)?.box;
  if (box === undefined)
    throw new RangeError(`scripts/docs-lib/data/threads.ts: no box for ${kind}`);
  return box;
}

function rectangleOf({ column, row }: ThreadBox, place: PanelPlace): Rectangle {
  const { x, y, width, columns, columnGap } = place;
  const inner = width - 2 * PADDING;
  const boxWidth = (inner - (columns - 1) * columnGap) / columns;
  return {
    x: x + PADDING + Math.min(column, columns - 1) * (boxWidth + columnGap),
    y: y + TITLE_HEIGHT + MAIN_HEIGHT + MAIN_GAP + row * (BOX_HEIGHT + ROW_GAP),
    width: boxWidth,
    height: BOX_HEIGHT,
  };
}

function boxTexts(
  { x, y, width }: Pick<Rectangle, "x" | "y" | "width">,
  name: string,
  part: string,
  summary: string,
): readonly string[] {
  const heading = `<text class="name" x="${x + 10}" y="${y + 19}">${name}<tspan class="part" dx="8">${part}</tspan></text>`;
  const lines = wrapped(summary, Math.floor((width - 16) / CHARACTER));
  return [
    heading,
    ...lines.map((line, i) => textAt({ x: x + 10, y: y + 36 + i * 14 }, line, "text")),
  ];
}

/** Name of a part, unless the thread has the same name. */
function otherThan(kind: string, part: string): string {
  return part === kind ? "" : part;
}

function mainOwns(): string {
  return THREADS.find(({ name }) => name === "main")?.owns ?? "";
}
