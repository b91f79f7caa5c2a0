import { type Layout, layoutImports, walksThrough } from "../layouts.ts";
import { floorOf } from "../room-graph.ts";
import { nodePanel } from "./node-panel.ts";
import { MARGIN, pictureOf, WIDTH } from "./picture-of.ts";
import { walkRows } from "./walk-rows.ts";

/** Draws a layout of the node: its rooms with their imports, and the five walks through them. */
export function layoutPicture(layout: Layout): string {
  const imports = layoutImports(layout);
  const { graph, upward } = imports;
  const arrows = [...graph.values()].reduce((sum, { size }) => sum + size, 0) + upward.length;
  const floors = Math.max(...[...graph.keys()].map((room) => floorOf(graph, room)));
  const counts = [
    `${graph.size} rooms`,
    `${floors} floors`,
    `${arrows} arrows`,
    `${upward.length} upward`,
  ];
  const place = { x: MARGIN, width: WIDTH - 2 * MARGIN };
  const rooms = nodePanel(`${layout.title} (${counts.join(", ")})`, graph, {
    ...place,
    y: MARGIN,
    upward,
  });
  const walks = walksThrough(layout, imports);
  const stepsBack = walks.reduce((sum, walk) => sum + walk.stepsBack, 0);
  const rows = walkRows(
    `Walks: ${stepsBack} steps back (blue: rooms of the node; white: other rooms of src)`,
    walks,
    {
      ...place,
      y: rooms.bottom + MARGIN,
    },
  );
  return pictureOf(layout.title, {
    elements: [...rooms.elements, ...rows.elements],
    bottom: rows.bottom,
  });
}
