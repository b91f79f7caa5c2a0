/** A rectangle of a picture, in pixels. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A point of a picture, in pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Elements of a part of a picture, and where it ends. */
export interface Drawn {
  readonly elements: readonly string[];
  /** Lower edge, in pixels. */
  readonly bottom: number;
}

/** Escapes text for XML. */
export function xmlText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** A text at its baseline; the class sets font and colour. */
export function textAt({ x, y }: Point, text: string, style: string): string {
  return `<text class="${style}" x="${rounded(x)}" y="${rounded(y)}">${xmlText(text)}</text>`;
}

/** A rectangle with round corners. */
export function rectangle({ x, y, width, height }: Rectangle, style: string): string {
  const [left, top] = [rounded(x), rounded(y)];
  return `<rect class="${style}" x="${left}" y="${top}" width="${rounded(width)}" height="${rounded(height)}" rx="6"/>`;
}

/** A curved arrow; `lean` is the direction in which it leaves and arrives, in pixels. */
export function arrow(from: Point, to: Point, lean: { readonly from: Point; readonly to: Point }) {
  const points = [
    { x: from.x + lean.from.x, y: from.y + lean.from.y },
    { x: to.x + lean.to.x, y: to.y + lean.to.y },
    to,
  ];
  return pathOf(`M${pair(from)} C${points.map(pair).join(", ")}`, "edge");
}

/** Style of an arrow: `back` is one against the usual direction. */
export type EdgeStyle = "edge" | "back";

/** An arrow that leaves and arrives vertically. */
export function connector(from: Point, to: Point, style: EdgeStyle = "edge"): string {
  return pathOf(bend(from, to), style);
}

/** A line that leaves and arrives vertically, and continues straight down to a height. */
export function passage(from: Point, to: Point, bottom: number): string {
  return `<path class="edge" d="${bend(from, to)} V${rounded(bottom)}"/>`;
}

/** A straight arrow. */
export function straight(from: Point, to: Point): string {
  return pathOf(`M${pair(from)} L${pair(to)}`, "edge");
}

/** An arrow between two points of one height that passes above what is between them; `rise` in pixels. */
export function overpass(from: Point, to: Point, rise: number, style: EdgeStyle = "edge"): string {
  const top = from.y - (rise * 4) / 3;
  const points = [{ x: from.x, y: top }, { x: to.x, y: top }, to];
  return pathOf(`M${pair(from)} C${points.map(pair).join(", ")}`, style);
}

function bend(from: Point, to: Point): string {
  const middle = (from.y + to.y) / 2;
  const points = [{ x: from.x, y: middle }, { x: to.x, y: middle }, to];
  return `M${pair(from)} C${points.map(pair).join(", ")}`;
}

function pathOf(shape: string, style: EdgeStyle): string {
  const head = style === "edge" ? "head" : "back-head";
  const classes = style === "edge" ? "edge" : "edge back";
  return `<path class="${classes}" d="${shape}" marker-end="url(#${head})"/>`;
}

/** Breaks a text into lines of at most `width` characters. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

const pair = ({ x, y }: Point): string => `${rounded(x)} ${rounded(y)}`;

function rounded(value: number): string {
  return String(Math.round(value * 10) / 10);
}
