import { FLOORS } from "../../lint/floors.ts";
import { NODE_SOURCE, PROGRAM_SOURCE, roomGraph } from "../room-graph.ts";
import { type FloorRow, floorsPanel } from "./floors-panel.ts";
import { nodePanel } from "./node-panel.ts";
import { MARGIN, pictureOf, WIDTH } from "./picture-of.ts";

/** Draws the rooms of a node and the floors of `src`, with the direction of imports. */
export function architecturePicture(): string {
  const width = WIDTH - 2 * MARGIN;
  const node = nodePanel(
    "Rooms of a node (src/app/node): each imports rooms below it",
    roomGraph(NODE_SOURCE),
    { x: MARGIN, y: MARGIN, width },
  );
  const rows: readonly FloorRow[] = Object.entries(FLOORS)
    .toReversed()
    .map(([floor, rooms]) => ({ floor, rooms }));
  const floors = floorsPanel(
    "Floors of src: each imports floors below it, and a room those to its left",
    rows,
    roomGraph(PROGRAM_SOURCE),
    { x: MARGIN, y: node.bottom + MARGIN, width },
  );
  return pictureOf("Floors and rooms of appchain", {
    elements: [...node.elements, ...floors.elements],
    bottom: floors.bottom,
  });
}
