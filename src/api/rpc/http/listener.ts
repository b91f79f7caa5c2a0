import { ConfigError, NodeError } from "#base/errors/index.ts";
import { errorReply, type HttpReply } from "./message.ts";

/** Listen address of a service; the names appear in messages. */
export interface ListenOptions {
  readonly hostname: string;
  /** 0 picks any free port. */
  readonly port: number;
  readonly service: string;
  readonly portOption: string;
  readonly hostOption: string;
}

/** Handler of a Bun server's requests. */
export interface RequestHandler {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** Creates the response when `fetch` throws. */
  readonly error: (error: Error) => Response;
}

/**
 * Listening address. A node binds it before anything else, so that an unavailable address is reported
 * immediately. It responds 503 until {@link serve}.
 */
export interface Listener {
  readonly hostname: string;
  readonly port: number;
  serve(handler: RequestHandler): void;
  /**
   * Stops accepting connections and lets requests finish for `graceMs`; then closes all that are still open,
   * even in the middle of a body.
   *
   * @param beforeClose - called if requests are still in flight when the time is over
   */
  stop(graceMs: number, beforeClose: () => void): Promise<void>;
}

/**
 * Idle time after which a connection is closed; a request may take longer than Bun's default of ten seconds.
 */
const IDLE_TIMEOUT_SECONDS = 120;

/** Closing a connection takes no time, whatever the client does. */
const CLOSE_TIMEOUT_MS = 200;

/**
 * Binds an address.
 *
 * @throws {NodeError} NODE_PORT_TAKEN when the port is in use or not allowed
 * @throws {ConfigError} when the machine has no such address
 */
export function openListener(options: ListenOptions): Listener {
  let handler: RequestHandler | undefined;
  const server = listen(options, {
    fetch: (request) => (handler === undefined ? starting() : handler.fetch(request)),
    error: (error) => handler?.error(error) ?? starting(),
  });
  return {
    hostname: server.hostname ?? options.hostname,
    port: server.port ?? options.port,
    serve: (next) => {
      handler = next;
    },
    async stop(graceMs, beforeClose) {
      if (!(await isInTime(server.stop(), graceMs))) beforeClose();
      await isInTime(server.stop(true), CLOSE_TIMEOUT_MS);
    },
  };
}

function listen(options: ListenOptions, handler: RequestHandler): Bun.Server<undefined> {
  const { hostname, port } = options;
  try {
    return Bun.serve({
      hostname,
      port,
      ...handler,
      development: false,
      // By default Bun shares ports outside of development: a second node would receive half of the requests.
      reusePort: false,
      idleTimeout: IDLE_TIMEOUT_SECONDS,
      // Handlers limit bodies with an error message; Bun's own limit closes the connection without one.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    });
  } catch (cause) {
    throw listenRefusal(options, cause);
  }
}

/** Creates the error for an unavailable address: the port is taken, or the machine has no such address. */
export function listenRefusal(options: ListenOptions, cause: unknown): NodeError | ConfigError {
  const { hostname, port, service, portOption, hostOption } = options;
  const meta = { hostname, port };
  if (!isOwnAddress(hostname)) {
    const message = `${service}: cannot listen on ${hostname}: it is not an address of this machine; choose one with ${hostOption}`;
    return new ConfigError(message, [], { cause, meta });
  }
  const { code } = cause as { code?: unknown };
  const reason =
    code === "EACCES" || code === "EPERM" ? "is not allowed for this user" : "is in use";
  const message = `${service}: port ${port} on ${hostname} ${reason}; choose another one with ${portOption}`;
  return new NodeError("NODE_PORT_TAKEN", message, { cause, meta });
}

/**
 * Whether any port of the address can be bound. The runtime's error code is unreliable: for a name that
 * does not resolve, it repeats the code of the previous failure.
 */
function isOwnAddress(hostname: string): boolean {
  try {
    void Bun.serve({ hostname, port: 0, fetch: starting }).stop(true);
    return true;
  } catch {
    return false;
  }
}

/** HTTP response of a listener whose handler is not set yet: the node is starting. */
export const STARTING_REPLY: HttpReply = errorReply(
  { code: -32603, message: "Internal error", data: "the node is starting" },
  503,
  { "retry-after": "1" },
);

function starting(): Response {
  const { status, headers } = STARTING_REPLY;
  return new Response(STARTING_REPLY.body as string, { status, headers });
}

/** Whether `work` settles within `timeoutMs`. */
export async function isInTime(work: Promise<void>, timeoutMs: number): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), timeoutMs);
  try {
    return await Promise.race([work.then(() => true), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
