/**
 * Orders nodes so that each follows its children. Within a cycle the order is that of a depth-first walk that
 * visits the last child first.
 *
 * Cost: linear in nodes and edges. It does not recurse, so a long program cannot overflow the stack. Source:
 * Sierra compiler, `reverse_topological_ordering`; the order inside cycles affects costs.
 *
 * @param roots - start nodes, in this order; unreachable nodes are omitted
 * @param count - nodes are 0 to `count - 1`
 * @param onCycle - called with a node of a cycle; if omitted, cycles are allowed
 */
export function reverseTopologicalOrder(
  roots: Iterable<number>,
  count: number,
  childrenOf: (node: number) => readonly number[],
  onCycle?: (node: number) => never,
): number[] {
  const order: number[] = [];
  const status = new Uint8Array(count);
  for (const root of roots) walk(root);
  return order;

  function walk(root: number): void {
    const stack = [root];
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (status[node] === NEW) {
        status[node] = OPEN;
        stack.push(node);
        for (const child of childrenOf(node)) {
          if (status[child] === NEW) stack.push(child);
          else if (status[child] === OPEN) onCycle?.(child);
        }
      } else if (status[node] === OPEN) {
        status[node] = DONE;
        order.push(node);
      }
    }
  }
}

const NEW = 0;
const OPEN = 1;
const DONE = 2;
