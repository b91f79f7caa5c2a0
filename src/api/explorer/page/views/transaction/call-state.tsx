import type { CallNode } from "../../decode/call-tree.ts";
import { Badge } from "../../parts/basic.tsx";

/** What became of a call that did not simply succeed. */
export function CallState({ node: { state, isReverted } }: { readonly node: CallNode }) {
  if (isReverted) return <Badge tone="bad">reverted</Badge>;
  switch (state) {
    case "undone":
      return <Badge tone="warn">undone</Badge>;
    case "not run":
      return <Badge tone="neutral">not run</Badge>;
    case "uncertain":
      return <Badge tone="neutral">undone, failed or not run</Badge>;
    default:
      return null;
  }
}
