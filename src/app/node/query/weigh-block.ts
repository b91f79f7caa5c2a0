import type { TraceAccess, TracedBlock } from "#api/rpc/index.ts";
import { BlockReplay } from "#engine/execution/index.ts";
import type { BlockTracerDeps } from "./block-tracer.ts";

/** Returns the weight of a block by re-executing its transactions; caches nothing. */
export function weighBlock(
  { vm, contextOf, cancellation }: Pick<BlockTracerDeps, "vm" | "contextOf" | "cancellation">,
  block: TracedBlock,
): ReturnType<TraceAccess["weighBlock"]> {
  const { info, before, after } = block;
  const replay = new BlockReplay(vm, { block: contextOf(info), before, after });
  const { transactions, receipts } = block.contents();
  for (const [index, transaction] of transactions.entries()) {
    const receipt = receipts[index];
    if (receipt === undefined) return { kind: "differs", index, reason: "it has no receipt" };
    if (cancellation.isStopped()) return { kind: "cancelled", done: index };
    const step = replay.next(transaction, receipt, 0);
    if (step.kind === "cancelled") {
      cancellation.noted(step);
      return { kind: "cancelled", done: index };
    }
    if (step.kind === "differs") return { kind: "differs", index, reason: step.reason };
  }
  return { kind: "ok", weights: replay.weights };
}
