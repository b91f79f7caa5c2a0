import type { CallNode } from "./call-tree.ts";

/** Rectangle of the flame view; positions are shares of the whole, from 0 to 1. */
export interface FlameBox {
  readonly node: CallNode;
  readonly left: number;
  readonly width: number;
  readonly depth: number;
}

/** Narrower boxes are not drawn. */
const MIN_WIDTH = 0.001;

/**
 * Lays out a tree: the width of a call is its share of the gas, with its inner calls below it in order. Calls that share
 * no gas have equal widths.
 */
export function flameOf(root: CallNode): readonly FlameBox[] {
  const boxes: FlameBox[] = [];
  place(root, 0, 1, root.depth, boxes);
  return boxes;
}

function place(node: CallNode, left: number, width: number, top: number, boxes: FlameBox[]): void {
  if (width < MIN_WIDTH) return;
  boxes.push({ node, left, width, depth: node.depth - top });
  const { calls } = node;
  const inner = calls.reduce((sum, call) => sum + call.gas, 0);
  // A trace whose inner calls have more gas than the call itself would leave the parent's box.
  const whole = Math.max(node.gas, inner);
  let at = left;
  for (const call of calls) {
    const share = width * (whole === 0 ? 1 / calls.length : call.gas / whole);
    place(call, at, share, top, boxes);
    at += share;
  }
}
