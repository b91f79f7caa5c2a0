import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import type { ConnectionLimits } from "../limits/connection-limit.ts";
import type { HeldBytes } from "../limits/held-bytes.ts";
import { BODY_CHECK_MS, BODY_BUDGET_BYTES, BodyBudget } from "./body-budget.ts";
import { ConnectionSlots, type ConnectionSlot } from "./connection-slots.ts";
import { HeldRequests, HOLD_LIMITS } from "./held-requests.ts";
import { KnownHeads, MAX_KNOWN_HEADS } from "./known-heads.ts";
import type { HttpHandler } from "./message.ts";
import type { HttpTimeouts } from "./timeouts.ts";
import { isInTime, listenRefusal, type ListenOptions } from "./listener.ts";
import { TurnWrites } from "./turn-writes.ts";
import { UNSENT_BUDGET_BYTES, UnsentBudget } from "./unsent-budget.ts";
import { UpgradeLimit } from "./upgrade-limit.ts";

/**
 * Address that serves JSON-RPC. A node binds it before anything else, so that an unavailable address is
 * reported immediately. Requests are held until {@link serve}, within {@link HOLD_LIMITS}.
 */
export interface HttpListener {
  readonly hostname: string;
  readonly port: number;
  /** Open connections, including those being refused. */
  readonly connections: number;
  serve(handler: HttpHandler): void;
  /**
   * Holds further requests until the next {@link serve}, and ends upgraded connections after their responses in
   * flight. Requests in progress are answered by the handler that has them.
   */
  hold(): void;
  /**
   * Stops accepting connections and lets requests finish for `graceMs`; then closes all that are still open,
   * even in the middle of a body.
   *
   * @param beforeClose - called if requests are still in flight when the time is over
   */
  stop(graceMs: number, beforeClose: () => void): Promise<void>;
}

/** Closing a connection takes no time, whatever the client does. */
const CLOSE_TIMEOUT_MS = 200;

/** Minimum and maximum interval between checks for expired waits. */
const CHECK_MS: readonly [number, number] = [50, 1_000];

/**
 * Binds an address for HTTP/1.1; memory that its connections hold is counted in `held`.
 *
 * The connections are our own implementation. `Bun.serve` closes a connection without a response when a
 * request arrives behind one that is still being answered (test/unit/api/rpc/http/runtime.test.ts shows it),
 * and cannot limit the time that a request takes to arrive. `node:http` takes more time per request, accepts
 * requests with ambiguous framing, and has no byte limits over all connections. docs/http.md compares the
 * three, with a test for each row.
 *
 * @throws {NodeError} NODE_PORT_TAKEN when the port is in use or not allowed
 * @throws {ConfigError} when the machine has no such address
 */
export async function openHttpListener(
  options: ListenOptions,
  timeouts: HttpTimeouts,
  limits: ConnectionLimits,
  held: HeldBytes,
): Promise<HttpListener> {
  const early = new HeldRequests(HOLD_LIMITS, SYSTEM_TIMER);
  const service = {
    handler: early.handle,
    timeouts,
    isStopping: false,
    isCrowded: false,
    held,
    budget: new BodyBudget(BODY_BUDGET_BYTES, held),
    unsent: new UnsentBudget(UNSENT_BUDGET_BYTES, held),
    writes: new TurnWrites(
      (flush) => void setImmediate(flush),
      () => performance.now(),
    ),
    upgrades: new UpgradeLimit(limits.max),
    heads: new KnownHeads(MAX_KNOWN_HEADS),
  };
  const connections: Connections = new Map();
  let emptied = (): void => undefined;
  const slots = new ConnectionSlots(limits, service);
  const listening = listen(options, slots, connections, () => emptied());
  const timer = setInterval(() => {
    const nowMs = performance.now();
    for (const { connection } of connections.values()) connection.checkTimes(nowMs);
  }, checkIntervalMs(timeouts));
  timer.unref();
  const bodyTimer = setInterval(() => service.budget.check(performance.now()), BODY_CHECK_MS);
  bodyTimer.unref();
  return {
    hostname: options.hostname,
    port: listening.port,
    get connections() {
      return connections.size;
    },
    serve(handler) {
      service.handler = handler;
      early.release(handler);
    },
    hold() {
      service.handler = early.handle;
      for (const { connection } of connections.values()) connection.endIfUpgraded();
    },
    async stop(graceMs, beforeClose) {
      service.isStopping = true;
      listening.stop();
      early.stop();
      const empty = new Promise<void>((resolve) => {
        const before = emptied;
        emptied = () => {
          before();
          resolve();
        };
      });
      for (const { connection } of connections.values()) connection.endIfIdle();
      if (connections.size === 0) emptied();
      if (!(await isInTime(empty, graceMs))) beforeClose();
      for (const socket of connections.keys()) socket.terminate();
      await isInTime(empty, CLOSE_TIMEOUT_MS);
      clearInterval(timer);
      clearInterval(bodyTimer);
    },
  };
}

/** Data attached to a socket; `undefined` if it was closed immediately. */
type SocketData = ConnectionSlot | undefined;

type Connections = Map<Bun.Socket<SocketData>, ConnectionSlot>;

/** @param emptied - called whenever the last connection is gone */
function listen(
  options: ListenOptions,
  slots: ConnectionSlots,
  connections: Connections,
  emptied: () => void,
): Bun.TCPSocketListener<SocketData> {
  const { hostname, port } = options;
  try {
    return Bun.listen<SocketData>({
      hostname,
      port,
      socket: {
        open(socket) {
          const slot = slots.take(socket);
          socket.data = slot;
          if (slot === undefined) socket.terminate();
          else connections.set(socket, slot);
        },
        data: (socket, bytes) => socket.data?.connection.receive(bytes),
        drain: (socket) => socket.data?.connection.drained(),
        close(socket) {
          if (!connections.delete(socket)) return;
          socket.data?.release();
          socket.data?.connection.closed();
          if (connections.size === 0) emptied();
        },
        error: (socket) => socket.terminate(),
      },
    });
  } catch (cause) {
    throw listenRefusal(options, cause);
  }
}

function checkIntervalMs({ headersMs, requestMs, idleMs }: HttpTimeouts): number {
  const [least, most] = CHECK_MS;
  return Math.max(least, Math.min(most, headersMs / 4, requestMs / 4, idleMs / 4));
}
