import { useState } from "hono/jsx/dom";
import type { CallNode } from "../../decode/call-tree.ts";
import { flameOf } from "../../decode/flame.ts";
import { functionOfNode } from "../../decode/named-calls.ts";
import { gasText } from "../../decode/amounts.ts";
import { Card, Empty, Loading } from "../../parts/basic.tsx";
import { visibleText } from "../../decode/visible-text.ts";
import type { Traced } from "./call-tree-view.tsx";

const ROW_REM = 1.6;

/** Gas of a transaction's calls: the width of a box is the share of the gas. */
export function FlameView({ of }: { readonly of: Traced }) {
  const { tree, trace, traceProblem } = of;
  if (trace === null) return <Loading what="gas of the calls" />;
  if (tree === null)
    return <Empty>The node has no trace of this transaction: {traceProblem}</Empty>;
  return (
    <>
      {tree.phases.map(({ name, root }) => (
        <Card key={name} title={name} more={gasText(root.gas)}>
          <div class="body">
            <Flame root={root} of={of} />
          </div>
        </Card>
      ))}
    </>
  );
}

function Flame({ root, of }: { readonly root: CallNode; readonly of: Traced }) {
  const [selected, select] = useState<CallNode>(root);
  const boxes = flameOf(root);
  const rows = Math.max(...boxes.map(({ depth }) => depth)) + 1;
  const nameOf = (node: CallNode): string =>
    visibleText(functionOfNode(of.abis, node)?.name ?? node.selector, 100);
  return (
    <>
      <div class="flame" style={{ height: `${rows * ROW_REM}rem` }}>
        {boxes.map(({ node, left, width, depth }) => (
          <button
            key={node.path}
            type="button"
            class={node.isReverted ? "reverted" : undefined}
            style={{
              left: `${(left * 100).toFixed(3)}%`,
              width: `${(width * 100).toFixed(3)}%`,
              top: `${depth * ROW_REM}rem`,
            }}
            title={`${nameOf(node)}: ${gasText(node.gas)}`}
            aria-pressed={node === selected ? "true" : "false"}
            onClick={() => select(node)}
          >
            {nameOf(node)}
          </button>
        ))}
      </div>
      <p>
        <code>{nameOf(selected)}</code>: {gasText(selected.gas)} with its inner calls,{" "}
        {gasText(selected.ownGas)} without them.
      </p>
    </>
  );
}
