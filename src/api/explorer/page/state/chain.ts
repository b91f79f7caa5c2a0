import { ApiClient } from "../rpc/api-client.ts";
import { HeadFeed } from "../rpc/head-feed.ts";
import { type JsonObject, numberOf } from "../rpc/json.ts";
import { RpcClient } from "../rpc/rpc-client.ts";
import { nodeUrls } from "../rpc/urls.ts";
import { Store } from "./store.ts";

/** Absent outside of a browser. */
const { location } = globalThis as { readonly location?: { readonly href: string } };
const urls = nodeUrls(location?.href ?? "http://localhost/explorer/");

/** JSON-RPC client that all views share; it calls the node that served the page. */
export const rpc = new RpcClient(urls.rpc);

/** Client of the explorer's own routes (`api/`, below the page's address), shared by all views. */
export const api = new ApiClient(urls.api);

/** State of the subscription to new blocks. */
export type Connection = "connecting" | "open" | "lost";

/** Revert of the chain that the page was notified of. */
export interface Reorg {
  readonly from: number;
  readonly to: number;
  readonly atUnixMs: number;
}

/** Header of the newest block that the node announced; `null` before the first. */
export const head = new Store<JsonObject | null>(null);
/** State of the page's subscription to new blocks: `connecting` until the first attempt ends. */
export const connection = new Store<Connection>("connecting");
/** Latest revert since the page was opened; `null` if none. */
export const lastReorg = new Store<Reorg | null>(null);
/**
 * Count of changes of the chain since the page was opened. Views that show live data observe it and load
 * again.
 */
export const revision = new Store(0);

/** Longest pause between a block and the loads that follow, in milliseconds: many open pages spread theirs over it. */
const MAX_SPREAD_MS = 300;

/** Connects to the node, and follows its chain from now on. */
export function followChain(): void {
  const changed = (): void => revision.set(revision.value + 1);
  let isPausing = false;
  new HeadFeed(urls.webSocket, {
    head: (header) => {
      head.set(header);
      if (isPausing) return;
      isPausing = true;
      setTimeout(() => {
        isPausing = false;
        changed();
      }, Math.random() * MAX_SPREAD_MS);
    },
    reorg: (range) => {
      const from = numberOf(range["starting_block_number"]) ?? 0;
      const to = numberOf(range["ending_block_number"]) ?? from;
      lastReorg.set({ from, to, atUnixMs: Date.now() });
      // The announced block is gone; the next request asks for the newest.
      head.set(null);
      changed();
    },
    connected: (isOpen) => {
      connection.set(isOpen ? "open" : "lost");
      // A node that was away may have another head.
      if (isOpen) head.set(null);
      if (isOpen) changed();
    },
  }).start();
}
