import { NotServedError } from "#api/rpc/index.ts";
import { NOTHING_LISTED } from "#services/admission/index.ts";
import type { AdminAccessDeps } from "./admin-access.ts";

/** Admin operations that a full node refuses: its blocks and its mempool are the sequencer's. */
export const REFUSED_ON_FULL_NODE: Pick<AdminAccessDeps, "admission" | "orders" | "revert"> = {
  admission: {
    // A full node's mempool is empty.
    list: () => Promise.resolve(NOTHING_LISTED),
    drop: refuse("dropTransaction"),
    flush: refuse("flushMempool"),
  },
  orders: { close: refuse("closeBlock"), addMessage: refuse("addL1HandlerMessage") },
  revert: { to: refuse("revertTo") },
};

/** Refuses reverts on a chain with published blocks: other nodes have them and build on them. */
export const REFUSED_WHEN_SHARED: Pick<AdminAccessDeps, "revert"> = {
  revert: {
    to: () =>
      Promise.reject(
        new NotServedError(
          "the blocks are published in the object store of --publish-gate, and others have them: they are not reverted",
        ),
      ),
  },
};

function refuse(method: string): () => Promise<never> {
  const message = `a full node follows its gateway: ask the sequencer for ${method}`;
  return () => Promise.reject(new NotServedError(message));
}
