import { necessaryArrows, type RoomGraph } from "../room-graph.ts";
import { connector, type Drawn, overpass, rectangle, textAt } from "./svg.ts";

const TITLE_HEIGHT = 36;
const PADDING = 16;
const LABEL_WIDTH = 100;
const CHIP_HEIGHT = 26;
const CHIP_GAP = 10;
/** Space above the chips of a floor without arrows between its rooms, in pixels. */
const HEADROOM = 14;
/** Additional height of a line for each chip that it passes, in pixels. */
const RISE = 5;
/** Width of a character of a name, in pixels. */
const CHARACTER = 7;

/** A floor of the program. */
export interface FloorRow {
  readonly floor: string;
  readonly rooms: readonly string[];
}

/**
 * Draws the floors of the program from the highest to the lowest, with the rooms of each from left to right.
 * A line over rooms leads from a room to one that it imports on its own floor, a line between the names of
 * floors from a floor to the next one that it imports. Lines that follow from others are omitted.
 */
export function floorsPanel(
  title: string,
  rows: readonly FloorRow[],
  program: RoomGraph,
  place: { readonly x: number; readonly y: number; readonly width: number },
): Drawn {
  const elements: string[] = [];
  const labelAt = new Map<string, number>();
  let y = place.y + TITLE_HEIGHT;
  for (const { floor, rooms } of rows) {
    const chips = chipsOf(rooms, place.x + PADDING + LABEL_WIDTH);
    const arrows = arrowsWithin(floor, rooms, program);
    const rise = (from: string, to: string): number =>
      HEADROOM + RISE * Math.abs(rooms.indexOf(from) - rooms.indexOf(to));
    const top = y + Math.max(HEADROOM, ...arrows.map(([from, to]) => rise(from, to)));
    for (const [from, to] of arrows) {
      const [start, end] = [chips.get(from), chips.get(to)];
      if (start === undefined || end === undefined) continue;
      const points = [
        { x: start.x + start.width / 2 - 6, y: top },
        { x: end.x + end.width / 2 + 6, y: top },
      ] as const;
      elements.push(overpass(...points, rise(from, to)));
    }
    for (const [name, { x, width }] of chips) {
      elements.push(
        rectangle({ x, y: top, width, height: CHIP_HEIGHT }, "chip"),
        textAt({ x: x + width / 2, y: top + 17 }, name, "mono middle"),
      );
    }
    labelAt.set(floor, top);
    elements.push(textAt({ x: place.x + PADDING + 36, y: top + 17 }, floor, "name middle"));
    y = top + CHIP_HEIGHT + 6;
  }
  const x = place.x + PADDING + 36;
  for (const [from, to] of necessaryArrows(floorGraph(program))) {
    const [start, end] = [labelAt.get(from), labelAt.get(to)];
    if (start === undefined || end === undefined) continue;
    elements.push(connector({ x, y: start + 24 }, { x, y: end + 2 }));
  }
  const height = y + 8 - place.y;
  return {
    elements: [
      rectangle({ ...place, height }, "panel"),
      textAt({ x: place.x + PADDING, y: place.y + 20 }, title, "title"),
      ...elements,
    ],
    bottom: place.y + height,
  };
}

/** Floors that each floor of the program imports. */
export function floorGraph(program: RoomGraph): RoomGraph {
  const floors = new Map<string, Set<string>>();
  for (const [room, targets] of program) {
    const floor = floorNameOf(room);
    const found = floors.get(floor) ?? new Set();
    for (const target of targets) if (floorNameOf(target) !== floor) found.add(floorNameOf(target));
    floors.set(floor, found);
  }
  return floors;
}

const floorNameOf = (room: string): string => room.split("/")[0] ?? room;

/** Arrows between the rooms of a floor that do not follow from others. */
function arrowsWithin(
  floor: string,
  rooms: readonly string[],
  program: RoomGraph,
): readonly (readonly [from: string, to: string])[] {
  const importedBy = (room: string) => program.get(`${floor}/${room}`) ?? new Set<string>();
  const within = rooms.map((room) => {
    const targets = rooms.filter((other) => importedBy(room).has(`${floor}/${other}`));
    return [room, new Set(targets)] as const;
  });
  return necessaryArrows(new Map(within));
}

/** Place and width of each chip, from left to right. */
function chipsOf(
  names: readonly string[],
  left: number,
): ReadonlyMap<string, { readonly x: number; readonly width: number }> {
  let x = left;
  return new Map(
    names.map((name) => {
      const width = name.length * CHARACTER + 18;
      const chip = { x, width };
      x += width + CHIP_GAP;
      return [name, chip] as const;
    }),
  );
}
