import type { HttpReply, HttpRequest, UpgradeDeps } from "../http/message.ts";
import type { RateLimiter } from "../limits/rate-limiter.ts";
import type { MainContext, WsRpcObserver } from "../context.ts";
import type { Dispatcher } from "../dispatch.ts";
import type { MethodTable } from "../table.ts";
import type { LiveFeed } from "./feed.ts";
import { SubscriptionHub } from "./hub.ts";
import { SLICE_MS, type WsLimits, type WsTimes } from "./limits.ts";
import { RpcSocket } from "./rpc-socket.ts";
import { UnsentBudget } from "../http/unsent-budget.ts";
import { WsConnection } from "./transport/connection.ts";
import { asksForWebSocket, handshakeReply } from "./transport/handshake.ts";

/** What WebSocket connections may take, and how long they may take for it. */
export interface WebSocketSettings {
  readonly limits: WsLimits;
  readonly times: WsTimes;
}

/** What WebSocket connections work with. */
export interface WebSocketOptions<C extends MainContext> extends WebSocketSettings {
  readonly dispatcher: Dispatcher<C>;
  readonly context: C;
  readonly observer: Pick<WsRpcObserver, "internalError" | "webSockets">;
  /** `null`: there is no limit. */
  readonly rateLimiter: RateLimiter | null;
  /** Tells what happens. */
  readonly feed: LiveFeed;
  /** As of bodies. */
  readonly maxMessageBytes: number;
}

/** Takes GETs over that ask for a WebSocket. */
export interface WebSocketService<C> {
  /** @returns `undefined` for a request that does not ask for one */
  readonly answer: (request: HttpRequest, table: MethodTable<C>) => HttpReply | undefined;
}

/** JSON-RPC and subscriptions over WebSocket, of all connections of a server. */
export function createWebSocketService<C extends MainContext>(
  options: WebSocketOptions<C>,
): WebSocketService<C> {
  const { context, dispatcher, observer, rateLimiter, maxMessageBytes, feed } = options;
  const { limits, times } = options;
  const hub = new SubscriptionHub({
    context,
    observer,
    sliceMs: SLICE_MS,
    later: (turn) => void setImmediate(turn),
    wantCandidates: (isWanted) => feed.want(isWanted),
  });
  feed.listen(hub);
  const unsent = new UnsentBudget(limits.maxAllWaitingBytes);
  let lastId = 0;
  const nextId = (): string => String(++lastId);
  const filters = { felts: 0 };
  const watch = observer.webSockets;
  const deps = { limits, filters, dispatcher, hub, rateLimiter, nextId, observer: watch };
  return {
    answer(request, table) {
      if (request.method !== "GET" || !asksForWebSocket(request)) return undefined;
      const reply = handshakeReply(request);
      if (reply.status !== 101) return reply;
      const upgrade = (upgradeDeps: UpgradeDeps): WsConnection => {
        const connection = new WsConnection(upgradeDeps, {
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
