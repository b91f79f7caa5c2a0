import type { CallNode } from "../../decode/call-tree.ts";
import { Badge } from "../../parts/basic.tsx";

/** Badge of a call that was reverted, undone or not run; nothing for a call that succeeded. */
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
