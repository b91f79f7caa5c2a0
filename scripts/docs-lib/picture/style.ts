/** Colours of a picture. */
interface Theme {
  readonly page: string;
  readonly panel: string;
  readonly box: string;
  readonly main: string;
  readonly line: string;
  readonly ink: string;
  readonly soft: string;
  readonly edge: string;
  readonly back: string;
}

const LIGHT: Theme = {
  page: "#ffffff",
  panel: "#f6f8fa",
  box: "#ffffff",
  main: "#ddf4ff",
  line: "#8c959f",
  ink: "#1f2328",
  soft: "#59636e",
  edge: "#0969da",
  back: "#bc4c00",
};

const DARK: Theme = {
  page: "#0d1117",
  panel: "#151b23",
  box: "#0d1117",
  main: "#0c2d4d",
  line: "#656c76",
  ink: "#f0f6fc",
  soft: "#9198a1",
  edge: "#4493f8",
  back: "#db6d28",
};

/** Colours as plain values, because some renderers of SVG know no variables. */
const coloured = ({ page, panel, box, main, line, ink, soft, edge, back }: Theme): string =>
  `.page { fill: ${page} }
.panel { fill: ${panel}; stroke: ${line} }
.box, .chip { fill: ${box}; stroke: ${line} }
.main { fill: ${main} }
.edge { stroke: ${edge} }
.head { fill: ${edge} }
.back { stroke: ${back} }
.back-head { fill: ${back} }
text { fill: ${ink} }
.text, .part { fill: ${soft} }
`;

/** Style sheet of a picture, for light and dark pages. */
export const STYLE: string = `${coloured(LIGHT)}@media (prefers-color-scheme: dark) {
${coloured(DARK)}}
.panel { stroke-width: 0.5 }
.edge { fill: none; stroke-width: 1.5 }
text { font-family: ui-sans-serif, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif }
.title, .name { font-size: 13px; font-weight: 600 }
.label { font-size: 12px }
.text { font-size: 11px }
.part { font-size: 11px; font-weight: 400 }
.middle { text-anchor: middle }
.mono { font-size: 11px; font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
`;
