import { objectIn } from "../abi/read-entry.ts";
import { callNodeOf, type CallNode, type CallTree } from "./call-tree.ts";

/**
 * Adds the calls of a reverted execution to its trace, which has none. Their events and messages are left away: they were
 * undone.
 *
 * @param answer - of `api/trace`
 */
export function withRevertedCalls(tree: CallTree, answer: unknown): CallTree {
  const { invocation } = objectIn(objectIn(answer)["reverted"]);
  const call = objectIn(invocation);
  if (call["contract_address"] === undefined) return tree;
  const isMessage = call["entry_point_type"] === "L1_HANDLER";
  const name = isMessage ? "L1 handler" : "Execution";
  const others = tree.phases.filter((phase) => phase.name !== name);
  const position = others.filter((phase) => phase.name !== "Fee transfer").length;
  const root = undone(callNodeOf(call, String(position), 0));
  return { ...tree, phases: others.toSpliced(position, 0, { name, root }) };
}

function undone(node: CallNode): CallNode {
  return { ...node, events: [], messages: [], calls: node.calls.map(undone) };
}
