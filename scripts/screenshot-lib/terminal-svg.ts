import { xmlText } from "../docs-lib/picture/svg.ts";
import { type AnsiColour, ansiLines, type AnsiRun } from "./ansi.ts";

const CELL_WIDTH = 7.8;
const LINE_HEIGHT = 18;
const PADDING = 16;

/** Colours on a dark window, which is readable on light and dark pages. */
const COLOURS: Readonly<Record<AnsiColour, string>> = {
  default: "#e6edf3",
  black: "#6e7681",
  red: "#ff7b72",
  green: "#3fb950",
  yellow: "#d29922",
  blue: "#58a6ff",
  magenta: "#bc8cff",
  cyan: "#39c5cf",
  white: "#f0f6fc",
};
const DIM = "#9198a1";
const WINDOW = "#0d1117";
const BORDER = "#6e7681";

/**
 * Draws the output of a terminal as SVG. Each run of text has the width of its cells, whatever font the
 * viewer has. The same output gives the same picture.
 *
 * @param title - description for readers who do not see the picture
 */
export function terminalSvg(output: string, title: string): string {
  const lines = ansiLines(output);
  const columns = Math.max(0, ...lines.map(columnsOf));
  const width = Math.ceil(columns * CELL_WIDTH + 2 * PADDING);
  const height = lines.length * LINE_HEIGHT + 2 * PADDING;
  const texts = lines.flatMap((runs, row) => runsAt(runs, row));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>${xmlText(title)}</title>
<style>
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre }
.bold { font-weight: 700 }
</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" fill="${WINDOW}" stroke="${BORDER}"/>
${texts.join("\n")}
</svg>
`;
}

function runsAt(runs: readonly AnsiRun[], row: number): readonly string[] {
  let column = 0;
  const y = PADDING + (row + 0.75) * LINE_HEIGHT;
  return runs.flatMap((run) => {
    const start = column;
    column += run.text.length;
    // Trailing and leading blanks show nothing.
    const text = run.text.trim();
    if (text === "") return [];
    const blanks = run.text.length - run.text.trimStart().length;
    const x = pixels(PADDING + (start + blanks) * CELL_WIDTH);
    const length = pixels(text.length * CELL_WIDTH);
    const style = run.bold ? ' class="bold"' : "";
    return [
      `<text${style} x="${x}" y="${y}" fill="${colourOf(run)}" textLength="${length}" xml:space="preserve">${xmlText(text)}</text>`,
    ];
  });
}

function colourOf({ colour, dim }: AnsiRun): string {
  return dim && colour === "default" ? DIM : COLOURS[colour];
}

const columnsOf = (runs: readonly AnsiRun[]): number =>
  runs.reduce((sum, { text }) => sum + text.length, 0);

const pixels = (value: number): number => Math.round(value * 10) / 10;
