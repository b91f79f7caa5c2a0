import { join } from "node:path";
import { FULL_NODE } from "#app/node/threads/roles/full-node.ts";
import { SEQUENCER } from "#app/node/threads/roles/sequencer.ts";
import { MARGIN, pictureOf, WIDTH } from "./picture-of.ts";
import { PANEL_HEIGHT, rolePanel } from "./role-panel.ts";

const NODE = join(import.meta.dir, "../../../src/app/node");

/** Draws the threads of the roles, with the ports between them. */
export function threadsPicture(): string {
  const elements = [
    ...rolePanel(
      "Threads of a sequencer",
      SEQUENCER,
      { x: MARGIN, y: MARGIN, width: 600, columns: 3, columnGap: 40 },
      partOf,
    ),
    ...rolePanel(
      "Threads of a full node or standby",
      FULL_NODE,
      { x: 632, y: MARGIN, width: WIDTH - 632 - MARGIN, columns: 2, columnGap: 12 },
      partOf,
    ),
  ];
  return pictureOf("Threads of appchain", { elements, bottom: MARGIN + PANEL_HEIGHT });
}

/** Folder of `src/app/node` that has the entry of a thread. */
function partOf(kind: string): string {
  const [entry] = new Bun.Glob(`*/**/${kind}.thread.ts`).scanSync({ cwd: NODE });
  if (entry === undefined) throw new RangeError(`src/app/node has no ${kind}.thread.ts`);
  return entry.split("/").slice(0, -1).join("/");
}
