import { existsSync } from "node:fs";
import { join } from "node:path";
import { FULL_NODE } from "#app/node/threads/roles/full-node.ts";
import { SEQUENCER } from "#app/node/threads/roles/sequencer.ts";
import { FLOORS, NODE_ORDER } from "../../lint/floors.ts";
import { CHIP_ROW, chipRows } from "./chips.ts";
import { PANEL_HEIGHT, rolePanel } from "./role-panel.ts";
import { STYLE } from "./style.ts";
import { rectangle, textAt } from "./svg.ts";

const SOURCES = join(import.meta.dir, "../../../src");
const WIDTH = 960;
const MARGIN = 16;
const LABEL_WIDTH = 84;

/** Draws threads and connections of the roles, the parts of a node, and the floors of `src`. */
export function architecturePicture(): string {
  const panels = [
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
  const parts = panel(
    "Parts of a node (src/app/node): each uses those before it",
    MARGIN + PANEL_HEIGHT + MARGIN,
    [["", NODE_ORDER.map((name) => `app/node/${name}`)]],
  );
  const floors = panel(
    "Floors of src: each room uses rooms below it, and those before it on its floor (dashed: not built yet)",
    parts.bottom + MARGIN,
    Object.entries(FLOORS)
      .toReversed()
      .map(([floor, names]) => [floor, names.map((name) => `${floor}/${name}`)]),
  );
  const height = floors.bottom + MARGIN;
  const elements = [
    `<rect class="page" width="${WIDTH}" height="${height}" rx="6"/>`,
    ...panels,
    ...parts.elements,
    ...floors.elements,
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img">
<title>Threads, parts and floors of appchain</title>
<!-- Written by \`bun scripts/docs.ts\` -->
<style>
${STYLE}</style>
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="head" d="M0 0 L8 4 L0 8 z"/></marker></defs>
${elements.join("\n")}
</svg>
`;
}

/** Folder of `src/app/node` that has the entry of a thread. */
function partOf(kind: string): string {
  const [entry] = new Bun.Glob(`*/**/${kind}.thread.ts`).scanSync({
    cwd: join(SOURCES, "app/node"),
  });
  if (entry === undefined) throw new RangeError(`src/app/node has no ${kind}.thread.ts`);
  return entry.split("/").slice(0, -1).join("/");
}

/** A panel with a labelled row of folders on each line. @returns its elements, and the y below it */
function panel(
  title: string,
  top: number,
  lines: readonly (readonly [label: string, paths: readonly string[]])[],
): { readonly elements: readonly string[]; readonly bottom: number } {
  const hasLabels = lines.some(([label]) => label !== "");
  const x = 2 * MARGIN + (hasLabels ? LABEL_WIDTH : 0);
  const elements: string[] = [];
  let y = top + 32;
  for (const [label, paths] of lines) {
    const chips = paths.map((path) => ({
      name: path.slice(path.lastIndexOf("/") + 1),
      exists: existsSync(join(SOURCES, path)),
    }));
    const drawn = chipRows(chips, { x, y, width: WIDTH - MARGIN - x - MARGIN });
    if (label !== "") elements.push(textAt({ x: 2 * MARGIN, y: y + 16 }, label, "name"));
    elements.push(...drawn.elements);
    y += drawn.rows * CHIP_ROW;
  }
  const height = y + 8 - top;
  return {
    elements: [
      rectangle({ x: MARGIN, y: top, width: WIDTH - 2 * MARGIN, height }, "panel"),
      textAt({ x: 2 * MARGIN, y: top + 20 }, title, "title"),
      ...elements,
    ],
    bottom: top + height,
  };
}
