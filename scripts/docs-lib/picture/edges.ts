import { arrow, type Point, type Rectangle } from "./svg.ts";

/** Side of a box at which an edge leaves or arrives. */
type Side = "left" | "right" | "top" | "bottom";

/** An edge between two boxes, with the sides that it connects. */
interface SidedEdge {
  readonly from: string;
  readonly to: string;
  readonly sides: readonly [Side, Side];
}

const LEAN = 34;

const LEANS: Readonly<Record<Side, Point>> = {
  left: { x: -LEAN, y: 0 },
  right: { x: LEAN, y: 0 },
  top: { x: 0, y: -LEAN },
  bottom: { x: 0, y: LEAN },
};

/**
 * Draws arrows between boxes. Neighbours in a row are connected at their sides, other boxes of a row over
 * their tops, and boxes of different rows from bottom to top. Edges of a side are spread evenly.
 */
export function edgesBetween(
  boxes: ReadonlyMap<string, Rectangle>,
  edges: readonly (readonly [from: string, to: string])[],
): readonly string[] {
  const boxOf = (name: string): Rectangle => {
    const box = boxes.get(name);
    if (box === undefined) throw new RangeError(`no box for ${name}`);
    return box;
  };
  const sided = edges.map(([from, to]) => ({
    from,
    to,
    sides: sidesOf(boxOf(from), boxOf(to), boxes),
  }));
  return sided.map((edge) => {
    const [start, end] = edge.sides;
    return arrow(
      anchorOf(edge.from, start, edge, sided, boxOf),
      anchorOf(edge.to, end, edge, sided, boxOf),
      { from: LEANS[start], to: LEANS[end] },
    );
  });
}

function sidesOf(
  from: Rectangle,
  to: Rectangle,
  boxes: ReadonlyMap<string, Rectangle>,
): readonly [Side, Side] {
  if (from.y < to.y) return ["bottom", "top"];
  if (from.y > to.y) return ["top", "bottom"];
  const [left, right] = from.x < to.x ? [from, to] : [to, from];
  const isApart = [...boxes.values()].some(({ x, y }) => y === from.y && x > left.x && x < right.x);
  if (isApart) return ["top", "top"];
  return from.x < to.x ? ["right", "left"] : ["left", "right"];
}

/** Point of an edge at a side of a box: all edges of the side in the order of their other ends. */
function anchorOf(
  name: string,
  side: Side,
  edge: SidedEdge,
  all: readonly SidedEdge[],
  boxOf: (name: string) => Rectangle,
): Point {
  const otherX = ({ from, to }: SidedEdge): number => boxOf(from === name ? to : from).x;
  const here = all
    .filter(
      ({ from, to, sides }) =>
        (from === name && sides[0] === side) || (to === name && sides[1] === side),
    )
    .toSorted((a, b) => otherX(a) - otherX(b));
  const share = (here.indexOf(edge) + 1) / (here.length + 1);
  const { x, y, width, height } = boxOf(name);
  if (side === "top" || side === "bottom") {
    return { x: x + width * share, y: side === "top" ? y : y + height };
  }
  return { x: side === "left" ? x : x + width, y: y + height * share };
}
