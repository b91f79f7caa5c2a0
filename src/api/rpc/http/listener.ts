import { ConfigError, NodeError } from "#base/errors/index.ts";
import { errorReply, type HttpReply } from "./message.ts";

/** What listens where; the names are for messages. */
export interface ListenOptions {
  readonly hostname: string;
  /** 0 takes any free one. */
  readonly port: number;
  /** What is served. */
  readonly service: string;
  readonly portOption: string;
  readonly hostOption: string;
}

/** Who answers requests. */
export interface RequestHandler {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** Answers when `fetch` throws. */
  readonly error: (error: Error) => Response;
}

/**
 * An address that is listened on. It is taken before a node does anything else, so that an address
 * that cannot be had is told at once; until {@link serve} the answer is 503.
 */
export interface Listener {
  readonly hostname: string;
  readonly port: number;
  serve(handler: RequestHandler): void;
  /**
   * Takes no more connections and lets requests end for `graceMs`; then closes whatever is open, in
   * the middle of a body too.
   *
   * @param beforeClose - called when the time is over and requests are still under way
   */
  stop(graceMs: number, beforeClose: () => void): Promise<void>;
}

/** A connection without traffic is closed after this; a request may take longer than Bun's ten. */
const IDLE_TIMEOUT_SECONDS = 120;

/** Closing a connection takes no time, whatever the client does. */
const CLOSE_TIMEOUT_MS = 200;

/**
 * Takes an address.
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
    serve: (given) => {
      handler = given;
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
      // Outside of development Bun shares ports: a second node would take half of the requests.
      reusePort: false,
      idleTimeout: IDLE_TIMEOUT_SECONDS,
      // Bodies are limited by who answers, with a message; Bun's own limit answers with nothing.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    });
  } catch (cause) {
    throw listenRefusal(options, cause);
  }
}

/** The error of an address that cannot be had: the port is taken, or the machine has no such address. */
export function listenRefusal(options: ListenOptions, cause: unknown): NodeError | ConfigError {
  const { hostname, port, service, portOption, hostOption } = options;
  const meta = { hostname, port };
  if (!isOwnAddress(hostname)) {
    const message = `${service}: cannot listen on ${hostname}: it is no address of this machine; choose one with ${hostOption}`;
    return new ConfigError(message, [], { cause, meta });
  }
  const { code } = cause as { code?: unknown };
  const reason =
    code === "EACCES" || code === "EPERM" ? "is not allowed for this user" : "is in use";
  const message = `${service}: port ${port} on ${hostname} ${reason}; choose another one with ${portOption}`;
  return new NodeError("NODE_PORT_TAKEN", message, { cause, meta });
}

/**
 * Whether any port of the address can be had. The runtime's code for a name that it cannot resolve is
 * that of whatever failed before.
 */
function isOwnAddress(hostname: string): boolean {
  try {
    void Bun.serve({ hostname, port: 0, fetch: starting }).stop(true);
    return true;
  } catch {
    return false;
  }
}

/** The answer until there is anything to serve. */
export const STARTING_REPLY: HttpReply = errorReply(
  { code: -32603, message: "Internal error", data: "the node is starting" },
  503,
  { "retry-after": "1" },
);

function starting(): Response {
  const { status, headers } = STARTING_REPLY;
  return new Response(STARTING_REPLY.body as string, { status, headers });
}

/** Whether `work` ends within `timeoutMs`. */
export async function isInTime(work: Promise<void>, timeoutMs: number): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), timeoutMs);
  try {
    return await Promise.race([work.then(() => true), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
