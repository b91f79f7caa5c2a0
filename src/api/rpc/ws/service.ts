/**
 * WebSocket: JSON-RPC and subscriptions, on the main thread.
 *
 * States of a connection: *open*; *full* while 16 of its requests or 65 536 of their characters are in flight,
 * a long request waits for another one, or its client has much unread output (nothing is read from it then);
 * *stopping* when the node stops (requests in flight are answered, then it is closed with 1001); *ended*, by
 * either side.
 *
 * States of a subscription:
 * - *made*: `Session` has given it an id. It starts when the response with the id is in flight. Its
 *   notifications are buffered for another 5 ms (`Gate`), because many clients drop those that they read
 *   together with the response.
 * - *catching up*: its own walk (`CatchUp`) reports the chain from its first block, at the pace at which its
 *   client reads. It joins the others in a turn in which both have reported everything. Transaction status
 *   subscriptions have no such walk: they join immediately, and get the current status.
 * - *live*: `Broadcaster` walks along the chain once for all, in slices of 4 ms; each notification is encoded
 *   once per form.
 * - *closed*: by unsubscribing, with its connection, or by an internal error, which ends the connection.
 *
 * Guarantees: everything that a client subscribed to is sent once and in order, from older blocks to new
 * ones. This excludes events outside the chain: candidates are dropped if more than 10000 are queued, and the
 * receipt of a transaction may be reported late, or not at all after its execution.
 *
 * Persistence:
 * - A reorg of the chain keeps connections and subscriptions. Versions that specify it send
 *   `subscriptionReorg` with the accepted blocks that are gone. Blocks above the newest remaining one are
 *   reported as new; unreported blocks that are gone are skipped.
 * - A restart, a kill or a fatal error keeps nothing. Clients connect and subscribe again, from the last
 *   block that they saw.
 *
 * Bounds (`WS_LIMITS`, `WS_TIMES`): by default 1024 subscriptions and 8192 filter felts per connection,
 * 262144 felts for all; 4 MiB of unsent bytes per client, 256 MiB for all; 32 MiB of received bytes that wait
 * for a turn (`ReadAhead`); 1024 blocks back; 30 s between pings and 30 s for the pong. A client that exceeds them is refused, or closed with code 1008.
 */
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import type { HttpReply, HttpRequest, UpgradeDeps } from "../http/message.ts";
import type { HeldBytes } from "../limits/held-bytes.ts";
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
import { LoopTurns } from "./transport/loop-turns.ts";
import { READ_AHEAD_BYTES, ReadAhead } from "./transport/read-ahead.ts";
import { ReadTurns } from "./transport/read-turns.ts";
import { asksForWebSocket, handshakeReply } from "./transport/handshake.ts";

/** Limits and times of WebSocket connections. */
export interface WebSocketSettings {
  readonly limits: WsLimits;
  readonly times: WsTimes;
}

/** Dependencies of the WebSocket service. */
export interface WebSocketOptions<C extends MainContext> extends WebSocketSettings {
  readonly dispatcher: Dispatcher<C>;
  readonly context: C;
  readonly observer: Pick<WsRpcObserver, "internalError" | "webSockets">;
  /** `null` for no limit. */
  readonly rateLimiter: RateLimiter | null;
  /** Source of chain and mempool events. */
  readonly feed: LiveFeed;
  /** Counts the memory that clients make the process hold. */
  readonly held: HeldBytes;
  /** Same limit as for request bodies. */
  readonly maxMessageBytes: number;
}

/** Upgrades GET requests to WebSockets. */
export interface WebSocketService<C> {
  /** @returns `undefined` if the request is not a WebSocket upgrade */
  readonly answer: (request: HttpRequest, table: MethodTable<C>) => HttpReply | undefined;
}

/** Creates the service for all WebSocket connections of a server. */
export function createWebSocketService<C extends MainContext>(
  options: WebSocketOptions<C>,
): WebSocketService<C> {
  const { context, dispatcher, observer, rateLimiter, maxMessageBytes, feed, held } = options;
  const { limits, times } = options;
  const later = (turn: () => void): void => void setImmediate(turn);
  const hub = new SubscriptionHub({
    context,
    observer,
    sliceMs: SLICE_MS,
    later,
    wantUnexecuted: (isWanted) => feed.want(isWanted),
  });
  feed.listen(hub);
  const ahead = new ReadAhead({ maxBytes: READ_AHEAD_BYTES, later, timer: SYSTEM_TIMER });
  const loop = new LoopTurns(later);
  const turns = new ReadTurns({ later, nowMs: () => performance.now() });
  const unsent = new UnsentBudget(limits.maxAllWaitingBytes, held);
  let lastId = 0;
  const nextId = (): string => String(++lastId);
  const filters = { felts: 0 };
  const watch = observer.webSockets;
  const deps = { limits, filters, turns, dispatcher, hub, rateLimiter, nextId, observer: watch };
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
          turns,
          ahead,
          loop,
          observer: watch,
        });
        // The connection keeps it as its listener.
        void new RpcSocket(deps, connection, table, request.caller);
        return connection;
      };
      return { ...reply, upgrade };
    },
  };
}
