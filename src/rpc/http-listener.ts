import { createServer, type Server, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { HttpConnection } from "./http-connection.ts";
import type { HttpHandler } from "./http-message.ts";
import { isInTime, listenRefusal, type ListenOptions, STARTING_REPLY } from "./listener.ts";

/** How long a client may take. */
export interface HttpTimeouts {
  /** From the first byte of a request to the end of its headers. */
  readonly headersMs: number;
  /** From the first byte of a request to the end of its body. */
  readonly requestMs: number;
  /** Between two requests, and between two parts of a response that is read. */
  readonly idleMs: number;
}

/** Defaults: a declared class of 15 MiB passes at one megabit per second. */
export const DEFAULT_HTTP_TIMEOUTS: HttpTimeouts = {
  headersMs: 10_000,
  requestMs: 120_000,
  idleMs: 120_000,
};

/**
 * An address that JSON-RPC is served on. It is taken before a node does anything else, so that an
 * address that can not be had is told at once; until {@link serve} the answer is 503.
 */
export interface HttpListener {
  readonly hostname: string;
  readonly port: number;
  serve(handler: HttpHandler): void;
  /**
   * Takes no more connections and lets requests end for `graceMs`; then closes whatever is open, in
   * the middle of a body too.
   *
   * @param beforeClose - called when the time is over and requests are still under way
   */
  stop(graceMs: number, beforeClose?: () => void): Promise<void>;
}

/** Closing a connection takes no time, whatever the client does. */
const CLOSE_TIMEOUT_MS = 200;

/** Longest head of a request in bytes. */
const MAX_HEADER_BYTES = 16_384;

/**
 * Takes an address for HTTP/1.1.
 *
 * This is the server of `node:http` and not `Bun.serve`, which ends a connection without a byte
 * when a request arrives behind one that is still being answered (test/unit/rpc/runtime.test.ts
 * shows it), and has no limit for the time that a request takes to arrive.
 *
 * @throws {NodeError} NODE_PORT_TAKEN when the port is in use or not allowed
 * @throws {ConfigError} when the machine has no such address
 */
export async function openHttpListener(
  options: ListenOptions,
  given: Partial<HttpTimeouts> = {},
): Promise<HttpListener> {
  const { hostname, port } = options;
  const timeouts = { ...DEFAULT_HTTP_TIMEOUTS, ...given };
  let handler: HttpHandler = () => Promise.resolve(STARTING_REPLY);
  const connections = new WeakMap<object, HttpConnection>();
  let isStopping = false;
  const server = createServer({
    headersTimeout: timeouts.headersMs,
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.idleMs,
    connectionsCheckingInterval: Math.min(1_000, timeouts.headersMs),
    maxHeaderSize: MAX_HEADER_BYTES,
    // HttpConnection refuses in the order of the requests.
    requireHostHeader: false,
  });
  const connectionOf = (socket: object): HttpConnection => {
    let connection = connections.get(socket);
    if (connection === undefined) {
      connection = new HttpConnection(
        (request) => handler(request),
        () => isStopping,
      );
      connections.set(socket, connection);
    }
    return connection;
  };
  server.on("request", (request, response) => {
    connectionOf(request.socket).take(request, response);
  });
  server.on("checkContinue", (request, response) => {
    connectionOf(request.socket).take(request, response, "continue");
  });
  server.on("checkExpectation", (request, response) => {
    connectionOf(request.socket).take(request, response, "unknown");
  });
  server.timeout = timeouts.idleMs;
  // What can not be answered stands behind requests that are answered first.
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    connectionOf(socket).end(() => refuseConnection(STATUSES[error.code ?? ""] ?? 400, socket));
  });
  server.on("connect", (_request, socket) => {
    connectionOf(socket).end(() => refuseConnection(405, socket));
  });
  await listening(server, options);
  const address = server.address();
  return {
    hostname,
    port: typeof address === "object" && address !== null ? address.port : port,
    serve(served) {
      handler = served;
    },
    async stop(graceMs, beforeClose) {
      isStopping = true;
      const closed = closedOf(server);
      server.closeIdleConnections();
      if (!(await isInTime(closed, graceMs))) beforeClose?.();
      server.closeAllConnections();
      await isInTime(closed, CLOSE_TIMEOUT_MS);
    },
  };
}

function listening(server: Server, options: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => reject(listenRefusal(options, cause)));
    server.listen({ host: options.hostname, port: options.port }, resolve);
  });
}

/** Stops listening; a server that has done so before is an error that says nothing new. */
function closedOf(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

/** Statuses of what never became a request, by the code of the parser's error. */
const STATUSES: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

function refuseConnection(status: number, socket: Duplex): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`;
  socket.end(`${head}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}
