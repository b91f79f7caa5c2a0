import { NotServedError } from "#api/rpc/index.ts";
import type { AdminAccessDeps } from "./admin-access.ts";

/** What a full node does not do for whoever runs it: its blocks and its mempool are the sequencer's. */
export const OF_SEQUENCERS: Pick<AdminAccessDeps, "admission" | "orders" | "revert"> = {
  admission: {
    // Nothing waits here.
    list: () => Promise.resolve({ waiting: 0, inFlight: 0, transactions: [] }),
    drop: refuse("dropTransaction"),
    flush: refuse("flushMempool"),
  },
  orders: { close: refuse("closeBlock"), addMessage: refuse("addL1HandlerMessage") },
  revert: { to: refuse("revertTo") },
};

function refuse(method: string): () => Promise<never> {
  const message = `a full node follows its gateway: ask the sequencer for ${method}`;
  return () => Promise.reject(new NotServedError(message));
}
