/** Colours of the eight that terminals have; `default` without one. */
export type AnsiColour =
  "default" | "black" | "red" | "green" | "yellow" | "blue" | "magenta" | "cyan" | "white";

/** Style of a run of text. */
export interface AnsiStyle {
  readonly colour: AnsiColour;
  readonly bold: boolean;
  readonly dim: boolean;
}

/** Text of one line in one style. */
export interface AnsiRun extends AnsiStyle {
  readonly text: string;
}

const PLAIN: AnsiStyle = { colour: "default", bold: false, dim: false };

const COLOURS: readonly AnsiColour[] = [
  "black",
  "red",
  "green",
  "yellow",
  "blue",
  "magenta",
  "cyan",
  "white",
];

/** Start of a control sequence. */
const START = "\u001b[";
/** Rest of a control sequence: its parameters and its last letter; then text. */
const SEQUENCE = /^([\d;]*)([A-Za-z])(.*)$/;

/**
 * Reads the output of a terminal into lines of styled runs. It knows bold, dim and the eight colours, normal
 * or bright. Other control sequences are dropped, and so are empty runs and the line end of the last line.
 */
export function ansiLines(output: string): readonly (readonly AnsiRun[])[] {
  const lines: AnsiRun[][] = [];
  let style = PLAIN;
  const text = output.replaceAll("\r\n", "\n").replace(/\n$/, "");
  for (const line of text.split("\n")) {
    const runs: AnsiRun[] = [];
    const add = (part: string): void => {
      if (part !== "") runs.push({ ...style, text: part });
    };
    const [first = "", ...others] = line.split(START);
    add(first);
    for (const other of others) {
      const [, parameters = "", letter, rest = ""] = SEQUENCE.exec(other) ?? [];
      if (letter === "m") style = parameters.split(";").map(Number).reduce(styledBy, style);
      add(rest);
    }
    lines.push(runs);
  }
  return lines;
}

/** Applies one parameter of a style sequence; an empty one is 0. */
function styledBy(style: AnsiStyle, code: number): AnsiStyle {
  if (code === 0) return PLAIN;
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 22) return { ...style, bold: false, dim: false };
  if (code === 39) return { ...style, colour: "default" };
  const colour = COLOURS[code >= 90 ? code - 90 : code - 30];
  return colour === undefined ? style : { ...style, colour };
}
