import type { QueryPool, RpcObserver } from "../context.ts";
import { createDispatcher } from "../dispatch.ts";
import type { HeldBytes } from "../limits/held-bytes.ts";
import { createHostCheck } from "../http/hosts.ts";
import { type HttpListener, openHttpListener } from "../http/http-listener.ts";
import { errorReply, type HttpHandler, textReply } from "../http/message.ts";
import { pathOf } from "../http/paths.ts";
import { answerPost } from "../http/rpc-route.ts";
import { HTTP_TIMEOUTS } from "../http/timeouts.ts";
import { Unpacker } from "../http/unpacker.ts";
import { invalidRequest, limitExceeded } from "../json-rpc.ts";
import { systemRateLimiter } from "../limits/rate-limiter.ts";
import { ResponseCache } from "../response-cache.ts";
import type { AdminContext } from "./admin-context.ts";
import { createAdminTable } from "./table.ts";
import type { AdminToken } from "./token.ts";

/** Admin clients need no larger batches. */
const MAX_BATCH_LENGTH = 100;

/** More than a batch of the longest responses takes. */
const MAX_RESPONSE_BYTES = 64 << 20;

/** Responses of admin methods are not cached. */
const NO_BYTES = 0;

/** No request of these methods is longer. */
const MAX_BODY_BYTES = 65_536;

/** Few connections with short idle times: clients without a token cannot lock others out. */
const CONNECTIONS = { max: 64, maxPerAddress: Infinity } as const;
const TIMEOUTS = { ...HTTP_TIMEOUTS, headersMs: 5_000, requestMs: 10_000, idleMs: 30_000 } as const;

/** Rate limit for logging wrong tokens, so that a flood of them does not fill the log. */
const WRONG_TOKENS = { perSecond: 1, burst: 20 } as const;

/** Options of the admin server. */
export interface AdminServerOptions {
  readonly listener: HttpListener;
  readonly token: AdminToken;
  readonly context: AdminContext;
  /** Runs long methods. */
  readonly queryPool: QueryPool;
  readonly observer: RpcObserver;
  /** Must be the instance that the listener uses. */
  readonly held: HeldBytes;
  /** Called for a request without the token. */
  readonly onRefused: (address: string) => void;
}

/**
 * Binds the address of the admin methods, on the loopback interface only; nothing is served yet.
 *
 * @throws {NodeError} when the port is in use or not allowed
 */
export function openAdminListener(port: number, held: HeldBytes): Promise<HttpListener> {
  const names = { service: "admin", portOption: "--rpc-admin-port", hostOption: "localhost" };
  return openHttpListener({ hostname: "127.0.0.1", port, ...names }, TIMEOUTS, CONNECTIONS, held);
}

/** Serves JSON-RPC POSTs to `/` that carry the token. Browser pages are refused. */
export function serveAdmin(options: AdminServerOptions): void {
  const { listener, token, context, observer, queryPool, held, onRefused } = options;
  const isHostAllowed = createHostCheck("local");
  const table = createAdminTable();
  const wrong = systemRateLimiter(WRONG_TOKENS);
  const route = {
    dispatcher: createDispatcher({
      context,
      observer,
      queryPool,
      limits: { maxBatchLength: MAX_BATCH_LENGTH, maxResponseBytes: MAX_RESPONSE_BYTES },
      cache: new ResponseCache(NO_BYTES),
      held,
    }),
    isOriginAllowed: () => false,
    maxBodyBytes: MAX_BODY_BYTES,
    unpacker: new Unpacker(),
    rateLimiter: null,
  };
  const handler: HttpHandler = (request) => {
    const { headers, method, url } = request;
    if (!isHostAllowed(headers.get("host"))) return textReply("Forbidden.\n", 403);
    const { address } = request.caller;
    if (!token.isIn(headers.get("authorization"))) {
      const waitSeconds = wrong.take(address);
      if (waitSeconds !== undefined) {
        const retry = { "retry-after": String(waitSeconds), connection: "close" };
        return errorReply(limitExceeded("too many calls without the token"), 429, retry);
      }
      onRefused(address);
      const challenge = { "www-authenticate": "Bearer", connection: "close" };
      return errorReply(invalidRequest("expected authorization: Bearer TOKEN"), 401, challenge);
    }
    if (headers.get("origin") !== null) return textReply("No pages.\n", 403);
    if (pathOf(url) !== "/") return textReply("Not found. JSON-RPC: POST /.\n", 404);
    if (method !== "POST") return textReply("Use POST.\n", 405, { allow: "POST" });
    return answerPost(route, table, { request, origin: null, answer: undefined });
  };
  listener.serve(handler);
}
