import { STYLE } from "./style.ts";
import { type Drawn, xmlText } from "./svg.ts";

/** Width of a picture of the documents, in pixels. */
export const WIDTH = 960;

/** Distance of panels from the edge of a picture, in pixels. */
export const MARGIN = 16;

/** A picture as an SVG file. */
export function pictureOf(title: string, { elements, bottom }: Drawn): string {
  const height = bottom + MARGIN;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img">
<title>${xmlText(title)}</title>
<!-- Written by \`bun scripts/docs.ts\` -->
<style>
${STYLE}</style>
<defs>${marker("head")}${marker("back-head")}</defs>
<rect class="page" width="${WIDTH}" height="${height}" rx="6"/>
${elements.join("\n")}
</svg>
`;
}

/** Head of an arrow; its name is also the class of its colour. */
function marker(name: string): string {
  return `<marker id="${name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="${name}" d="M0 0 L8 4 L0 8 z"/></marker>`;
}
