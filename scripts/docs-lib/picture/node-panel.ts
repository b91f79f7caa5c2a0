import { floorOf, necessaryArrows, type RoomGraph } from "../room-graph.ts";
import { layered, type Slot } from "./layers.ts";
import { connector, passage, type Drawn, rectangle, textAt } from "./svg.ts";

const BOX_HEIGHT = 28;
const ROW_HEIGHT = 66;
const TITLE_HEIGHT = 34;
const PADDING = 16;
const LABEL_WIDTH = 60;
/** Width of a character of a name, in pixels. */
const CHARACTER = 7.4;

/**
 * Draws rooms on the floors of their graph, with the arrows that do not follow from others. Lines lead down,
 * from a room to those that it imports; imports upwards have another colour.
 */
export function nodePanel(
  title: string,
  graph: RoomGraph,
  place: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    /** Imports that lead upwards, in addition to those of the graph. */
    readonly upward?: readonly (readonly [from: string, to: string])[];
  },
): Drawn {
  const rooms = [...graph.keys()];
  const floors = Math.max(...rooms.map((room) => floorOf(graph, room)));
  const rows = Array.from({ length: floors }, (_, i) =>
    rooms.filter((room) => floorOf(graph, room) === floors - i),
  );
  const layers = layered(
    {
      rows,
      arrows: necessaryArrows(graph),
      widthOf: (name) => name.length * CHARACTER + 20,
    },
    { left: place.x + PADDING + LABEL_WIDTH, width: place.width - 2 * PADDING - LABEL_WIDTH },
  );
  const topOf = (row: number): number => place.y + TITLE_HEIGHT + row * ROW_HEIGHT;
  const slots = new Map(
    layers.rows.flatMap((row, i) => row.map((slot) => [slot.name, { slot, y: topOf(i) }] as const)),
  );
  const steps = layers.paths.flatMap((path) =>
    path.slice(1).map((to, i) => ({ from: path[i] ?? "", to })),
  );
  const isRoom = (name: string): boolean => graph.has(name);
  const xOf = (name: string): number => slots.get(name)?.slot.x ?? 0;
  /** Point at the lower or upper side of a slot: all lines of a side in the order of their other ends. */
  const anchor = (name: string, other: string, side: "from" | "to"): number => {
    const { slot } = slots.get(name) as { slot: Slot };
    if (!isRoom(name)) return slot.x;
    const otherSide = side === "from" ? "to" : "from";
    const others = steps
      .filter((step) => step[side] === name)
      .map((step) => step[otherSide])
      .toSorted((a, b) => xOf(a) - xOf(b));
    const share = (others.indexOf(other) + 1) / (others.length + 1);
    return slot.x - slot.width / 2 + slot.width * share;
  };
  const lines = steps.map(({ from, to }) => {
    const fromY = (slots.get(from)?.y ?? 0) + BOX_HEIGHT;
    const toY = slots.get(to)?.y ?? 0;
    const start = { x: anchor(from, to, "from"), y: fromY };
    const end = { x: anchor(to, from, "to"), y: toY };
    return isRoom(to) ? connector(start, end) : passage(start, end, toY + BOX_HEIGHT);
  });
  const upward = (place.upward ?? []).map(([from, to]) => {
    const [low, high] = [slots.get(from), slots.get(to)];
    const start = { x: (low?.slot.x ?? 0) + 24, y: low?.y ?? 0 };
    return connector(
      start,
      { x: (high?.slot.x ?? 0) + 24, y: (high?.y ?? 0) + BOX_HEIGHT },
      "back",
    );
  });
  const boxes = layers.rows.flatMap((row, i) =>
    row
      .filter(({ name }) => isRoom(name))
      .flatMap(({ name, width, x }) => [
        rectangle({ x: x - width / 2, y: topOf(i), width, height: BOX_HEIGHT }, "box"),
        textAt({ x, y: topOf(i) + 18 }, name, "name middle"),
      ]),
  );
  const labels = rows.map((_, i) =>
    textAt({ x: place.x + PADDING, y: topOf(i) + 18 }, `floor ${floors - i}`, "text"),
  );
  const height = TITLE_HEIGHT + (floors - 1) * ROW_HEIGHT + BOX_HEIGHT + PADDING;
  return {
    elements: [
      rectangle({ x: place.x, y: place.y, width: place.width, height }, "panel"),
      textAt({ x: place.x + PADDING, y: place.y + 20 }, title, "title"),
      ...labels,
      ...lines,
      ...upward,
      ...boxes,
    ],
    bottom: place.y + height,
  };
}
