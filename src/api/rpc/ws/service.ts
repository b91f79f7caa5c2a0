/**
 * WebSocket: JSON-RPC and subscriptions, on the main thread.
 *
 * A connection is *open*; *full* while 16 of its requests are under way or its client has much to read:
 * nothing is read from it then; *stopping* when the node ends: requests under way are answered, then it
 * is closed with 1001; *ended*, by either side.
 *
 * A subscription is one of:
 *
 * - *made*: `Session` has given it an id. It begins when the response with the id is in flight. Its notifications
 *   are buffered for another 5 ms (`Gate`), because many clients drop those that they read together with the response.
 * - *catching up*: a walk of its own (`CatchUp`) tells what there is since the block that it begins with,
 *   at the pace at which its client reads. It joins the others in a turn in which both have told
 *   everything. A status of a transaction has no such walk: it joins at once, and is told the present
 *   one.
 * - *live*: `Broadcaster` goes along the chain once for all, in slices of 4 ms; what is said to many is
 *   written once for each form.
 * - *closed*: by unsubscribing, with its connection, or by a fault of the node, which ends the
 *   connection.
 *
 * What holds: everything that was asked for is told once and in order, from older blocks over to those
 * that come. Not so for what is not in the chain: candidates are left out where more than 10 000 wait to
 * be told, and that a transaction was received may come late, or not after it was executed.
 *
 * What survives:
 *
 * - A revert of the chain: connections and subscriptions. Versions that know it tell `subscriptionReorg`
 *   with the accepted blocks that are gone; what comes above the newest block that is left is told as
 *   new, what was not told and is gone is left out.
 * - A restart, a kill, an error that ends the node: nothing. Clients connect and subscribe again, from
 *   the last block that they saw.
 *
 * Bounds (`WS_LIMITS`, `WS_TIMES`): 1024 subscriptions by default and 8 192 felts in filters a
 * connection, 262 144 for all; 4 MiB that wait for a client, 256 MiB for all; 1024 blocks back; 30 s
 * between pings and 30 s for the answer. Who is beyond them is refused, or closed with code 1008.
 */
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
import { ReadTurns } from "./transport/read-turns.ts";
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
  /** Counts what clients make the process hold. */
  readonly held: HeldBytes;
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
  const { context, dispatcher, observer, rateLimiter, maxMessageBytes, feed, held } = options;
  const { limits, times } = options;
  const hub = new SubscriptionHub({
    context,
    observer,
    sliceMs: SLICE_MS,
    later: (turn) => void setImmediate(turn),
    wantUnexecuted: (isWanted) => feed.want(isWanted),
  });
  feed.listen(hub);
  const turns = new ReadTurns({
    later: (turn) => void setImmediate(turn),
    nowMs: () => performance.now(),
  });
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
