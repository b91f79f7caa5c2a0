/** Mode of an {@link openOriginProxy}: it forwards requests, or refuses connections. */
export type ProxyMode = "forward" | "refuse";

/** A node behind a proxy that delays and counts requests. */
export interface OriginProxy extends AsyncDisposable {
  readonly url: string;
  /** Answers all further requests so. */
  setMode(mode: ProxyMode): void;
  /** Returns the numbers since the previous call: requests, and the JSON-RPC calls in them. */
  take(): { readonly requests: number; readonly calls: number };
}

/**
 * Opens a proxy of a JSON-RPC node.
 *
 * @param target - URL of the node
 * @param delayMs - time that each response takes in addition to the node's
 */
export function openOriginProxy(target: string, delayMs: number): OriginProxy {
  let mode: ProxyMode = "forward";
  let counts = { requests: 0, calls: 0 };
  const headers = { "content-type": "application/json" };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const body = await request.text();
      const parsed: unknown = JSON.parse(body);
      counts.requests++;
      counts.calls += Array.isArray(parsed) ? parsed.length : 1;
      await Bun.sleep(delayMs);
      if (mode === "refuse") return new Response("lost", { status: 503 });
      const { pathname } = new URL(request.url);
      const response = await fetch(new URL(pathname, target), { method: "POST", headers, body });
      // The body is decompressed by now.
      return new Response(await response.arrayBuffer(), { status: response.status, headers });
    },
  });
  return {
    url: server.url.href,
    setMode(next) {
      mode = next;
    },
    take() {
      const taken = counts;
      counts = { requests: 0, calls: 0 };
      return taken;
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}
