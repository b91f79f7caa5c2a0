/**
 * Addresses of the node, relative to the page: they stay right behind a reverse proxy that serves the node under
 * a prefix.
 */
export interface NodeUrls {
  /** JSON-RPC, version 0.10. */
  readonly rpc: string;
  readonly webSocket: string;
  /** Data of the explorer, with a slash at the end. */
  readonly api: string;
}

/** @param page - address of the page, `…/explorer/`, with or without a fragment */
export function nodeUrls(page: string): NodeUrls {
  const rpc = new URL("../rpc/v0_10", page);
  rpc.hash = "";
  const webSocket = new URL(rpc);
  webSocket.protocol = rpc.protocol === "https:" ? "wss:" : "ws:";
  return { rpc: rpc.href, webSocket: webSocket.href, api: new URL("api/", page).href };
}
