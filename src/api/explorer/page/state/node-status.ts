import type { JsonObject } from "../rpc/json.ts";
import { api, revision } from "./chain.ts";
import { Store } from "./store.ts";

/** Interval between requests while nothing happens on the chain, in milliseconds. */
const POLL_MS = 5_000;

/** Smallest pause between two requests, in milliseconds. */
const PAUSE_MS = 1_000;

/** State of the node, from `api/status`; `null` before the first response. */
export const nodeStatus = new Store<JsonObject | null>(null);

/** Keeps {@link nodeStatus} up to date: after changes of the chain, and every few seconds. */
export function followStatus(): void {
  let isBusy = false;
  let lastMs = -Infinity;
  const load = async (): Promise<void> => {
    if (isBusy || performance.now() - lastMs < PAUSE_MS) return;
    isBusy = true;
    lastMs = performance.now();
    try {
      nodeStatus.set(await api.get("status"));
    } catch {
      // The state of the connection is on screen; the last status stays on screen.
    }
    isBusy = false;
  };
  revision.observe(() => void load());
  setInterval(() => void load(), POLL_MS);
  void load();
}
