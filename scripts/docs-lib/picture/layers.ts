/** Part of a layer: a node, or the place where an arrow passes the layer. */
export interface Slot {
  readonly name: string;
  readonly width: number;
  /** Centre, in pixels from the left edge of the picture. */
  x: number;
}

/** An arrow as the names of the slots that it passes, from its start down to its end. */
export type Path = readonly string[];

/** Nodes in layers, and the arrows between them. */
export interface Layers {
  /** From the highest layer to the lowest. */
  readonly rows: readonly (readonly Slot[])[];
  readonly paths: readonly Path[];
}

/** Graph to be drawn in layers. */
export interface LayeredGraph {
  /** Nodes from the highest layer to the lowest. */
  readonly rows: readonly (readonly string[])[];
  /** Each leads to a lower layer. */
  readonly arrows: readonly (readonly [from: string, to: string])[];
  readonly widthOf: (name: string) => number;
}

/** Width of the place where an arrow passes a layer, in pixels. */
const LANE = 10;
/** Distance between two slots of a layer, in pixels. */
const GAP = 18;
/** Passes over all layers; places no longer change after fewer. */
const PASSES = 24;

/**
 * Arranges a graph in layers: an arrow that skips layers gets a slot in each of them, the slots of a layer are
 * sorted by the mean position of their neighbours, then moved towards it without overlap.
 *
 * @param left - left edge of the area in pixels
 * @param width - width of the area in pixels
 */
export function layered(
  { rows: names, arrows, widthOf }: LayeredGraph,
  { left, width }: { readonly left: number; readonly width: number },
): Layers {
  const rows: Slot[][] = names.map((row) =>
    row.map((name) => ({ name, width: widthOf(name), x: 0 })),
  );
  const rowOf = new Map(names.flatMap((row, i) => row.map((name) => [name, i] as const)));
  const paths = arrows.map(([from, to]) => {
    const [start, end] = [rowOf.get(from) ?? 0, rowOf.get(to) ?? 0];
    const lanes = rows.slice(start + 1, end).map((row, i) => {
      const name = `${from}>${to}@${start + 1 + i}`;
      row.push({ name, width: LANE, x: 0 });
      return name;
    });
    return [from, ...lanes, to];
  });
  for (const row of rows) spread(row, { left, width });
  const neighbours = neighboursOf(rows.flat(), paths);
  for (let pass = 0; pass < PASSES; pass++) {
    const isDown = pass % 2 === 0;
    for (const row of isDown ? rows : rows.toReversed()) {
      const wanted = new Map(row.map((slot) => [slot, meanOf(slot, neighbours)] as const));
      if (pass < PASSES / 2) row.sort((a, b) => (wanted.get(a) ?? a.x) - (wanted.get(b) ?? b.x));
      for (const slot of row) slot.x = wanted.get(slot) ?? slot.x;
      separate(row, { left, width });
    }
  }
  stretch(rows.flat(), { left, width });
  return { rows, paths };
}

function neighboursOf(
  slots: readonly Slot[],
  paths: readonly Path[],
): ReadonlyMap<string, readonly Slot[]> {
  const byName = new Map(slots.map((slot) => [slot.name, slot] as const));
  const found = new Map<string, Slot[]>();
  for (const path of paths) {
    for (const [i, name] of path.entries()) {
      for (const other of [path[i - 1], path[i + 1]]) {
        const slot = byName.get(other ?? "");
        if (slot !== undefined) found.set(name, [...(found.get(name) ?? []), slot]);
      }
    }
  }
  return found;
}

function meanOf(slot: Slot, neighbours: ReadonlyMap<string, readonly Slot[]>): number {
  const others = neighbours.get(slot.name) ?? [];
  if (others.length === 0) return slot.x;
  return others.reduce((sum, { x }) => sum + x, 0) / others.length;
}

/** Places the slots of a layer from left to right at equal distances. */
function spread(row: readonly Slot[], { left, width }: { left: number; width: number }): void {
  for (const [i, slot] of row.entries()) slot.x = left + (width * (i + 1)) / (row.length + 1);
}

/** Stretches the drawing to the width of the area. */
function stretch(slots: readonly Slot[], { left, width }: { left: number; width: number }): void {
  const from = Math.min(...slots.map((slot) => slot.x - slot.width / 2));
  const to = Math.max(...slots.map((slot) => slot.x + slot.width / 2));
  for (const slot of slots) {
    const share = (slot.x - slot.width / 2 - from) / (to - from - slot.width);
    slot.x = left + slot.width / 2 + share * (width - slot.width);
  }
}

/** Moves overlapping slots apart, within the area. The order stays. */
function separate(row: readonly Slot[], { left, width }: { left: number; width: number }): void {
  let edge = left;
  for (const slot of row) {
    slot.x = Math.max(slot.x, edge + slot.width / 2);
    edge = slot.x + slot.width / 2 + GAP;
  }
  edge = left + width;
  for (const slot of row.toReversed()) {
    slot.x = Math.min(slot.x, edge - slot.width / 2);
    edge = slot.x - slot.width / 2 - GAP;
  }
}
