/** A server that fails in several ways, and repeats the keys of each request in its responses. */
export interface KeyEcho extends Disposable {
  readonly port: number;
  /** Addresses that fail in different ways, with `key` in different parts of them. */
  addresses(key: string): readonly string[];
}

/** Delay of the response that never comes, milliseconds. */
const HANG_MS = 600_000;

/**
 * Starts the server. Its addresses refuse the connection, respond 401 with the request in the body
 * (twice), redirect, fail the TLS handshake, and never respond, in this order.
 */
export function startKeyEcho(): KeyEcho {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const said = `no access: ${request.url} ${[...request.headers].join(" ")}`;
      const { pathname } = new URL(request.url);
      if (pathname.startsWith("/hang/")) await Bun.sleep(HANG_MS);
      if (pathname.startsWith("/away/")) {
        return new Response(said, { status: 307, headers: { location: `/there?${said}` } });
      }
      if (request.headers.has("x-amz-date")) {
        const [, credential] = /Credential=(\w+)/.exec(said) ?? [];
        return new Response(`<Error><Code>${credential}</Code></Error>`, { status: 401 });
      }
      const error = { code: 401, message: said, data: said };
      const code = `StarknetErrorCode.${said.slice(-60)}`;
      return Response.json({ jsonrpc: "2.0", id: 1, error, code, message: said }, { status: 401 });
    },
  });
  const port = server.port ?? 0;
  const at = `127.0.0.1:${port}`;
  return {
    port,
    addresses: (key) => [
      `http://127.0.0.1:1/v3/${key}`,
      `http://${key}:${key}@${at}/echo`,
      `http://${at}/echo/v3/${key}?apikey=${key}`,
      `http://${at}/away/${key}`,
      `https://${at}/${key}?${key}`,
      `http://${at}/hang/${key}`,
    ],
    [Symbol.dispose]: () => void server.stop(true),
  };
}
