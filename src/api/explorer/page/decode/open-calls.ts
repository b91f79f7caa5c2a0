import { type CallNode, nodesOf } from "./call-tree.ts";

/** Most calls that are open at first: more would freeze the page and hide what matters. */
const MOST_OPEN = 100;

/**
 * Returns the paths of the calls of a tree that are shown open at first: reverted ones, then those near the root.
 *
 * @param depth - number of levels below which no other call is open
 */
export function openCallsOf(root: CallNode, depth: number): ReadonlySet<string> {
  const nodes = nodesOf(root);
  const reverted = nodes.filter((node) => node.isReverted);
  const near = nodes.filter((node) => node.depth < depth);
  return new Set([...reverted, ...near].slice(0, MOST_OPEN).map(({ path }) => path));
}
