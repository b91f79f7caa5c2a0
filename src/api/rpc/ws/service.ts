import type { HttpReply, HttpRequest, UpgradeDeps } from "../http/message.ts";
import type { RateLimiter } from "../limits/rate-limiter.ts";
import type { RpcContext, RpcObserver } from "../context.ts";
import type { Dispatcher } from "../dispatch.ts";
import type { MethodTable } from "../table.ts";
import type { LiveFeed } from "./feed.ts";
import { SubscriptionHub } from "./hub.ts";
import { DEFAULT_WS_LIMITS, DEFAULT_WS_TIMES, type WsLimits, type WsTimes } from "./limits.ts";
import { RpcSocket } from "./rpc-socket.ts";
import { UnsentBudget } from "../http/unsent-budget.ts";
import { WsConnection } from "./transport/connection.ts";
import { asksForWebSocket, handshakeReply } from "./transport/handshake.ts";

/** What WebSocket connections work with. */
export interface WebSocketOptions {
  readonly dispatcher: Dispatcher;
  readonly context: RpcContext;
  readonly observer: Pick<RpcObserver, "internalError" | "webSockets"> | undefined;
  readonly rateLimiter: RateLimiter | undefined;
  /** Tells what happens; without it, subscriptions are told of nothing new. */
  readonly feed: LiveFeed | undefined;
  /** As of bodies. */
  readonly maxMessageBytes: number;
  readonly limits?: Partial<WsLimits>;
  readonly times?: Partial<WsTimes>;
}

/** Takes GETs over that ask for a WebSocket. */
export interface WebSocketService {
  /** @returns `undefined` for a request that does not ask for one */
  answer(request: HttpRequest, table: MethodTable): HttpReply | undefined;
}

/** JSON-RPC and subscriptions over WebSocket, of all connections of a server. */
export function createWebSocketService(options: WebSocketOptions): WebSocketService {
  const { context, dispatcher, observer, rateLimiter, maxMessageBytes, feed } = options;
  const limits = { ...DEFAULT_WS_LIMITS, ...options.limits };
  const times = { ...DEFAULT_WS_TIMES, ...options.times };
  const wantCandidates = (isWanted: boolean): void => feed?.want(isWanted);
  const hub = new SubscriptionHub({ context, observer, wantCandidates });
  feed?.listen(hub);
  const unsent = new UnsentBudget(limits.maxAllWaitingBytes);
  let lastId = 0;
  const nextId = (): string => String(++lastId);
  const filters = { felts: 0 };
  const watch = observer?.webSockets;
  const deps = { limits, filters, dispatcher, hub, rateLimiter, nextId, observer: watch };
  return {
    answer(request, table) {
      if (request.method !== "GET" || !asksForWebSocket(request)) return undefined;
      const reply = handshakeReply(request);
      if (reply.status !== 101) return reply;
      const upgrade = (upgradeParts: UpgradeDeps): WsConnection => {
        const connection = new WsConnection(upgradeParts, {
          ...limits,
          maxMessageBytes,
          times,
          unsent,
          observer: watch,
        });
        // It hears of messages through the connection, which keeps it.
        void new RpcSocket(deps, connection, table, request.caller);
        return connection;
      };
      return { ...reply, upgrade };
    },
  };
}
