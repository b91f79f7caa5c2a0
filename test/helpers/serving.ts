import { executeQuery } from "#test/helpers/execute-query.ts";
import {
  createMethodTables,
  type ConnectionLimits,
  type MethodLimits,
  type MethodTable,
  type QueryContext,
  type QueryPool,
  RESPONSE_CACHE_BYTES,
  ResponseCache,
  type RpcObserver,
  type ServerContext,
  WS_LIMITS,
  WS_TIMES,
  type WsRpcObserver,
} from "#api/rpc/index.ts";
import {
  createDispatcher,
  type DispatchLimits,
  type DispatchOptions,
  type Dispatcher,
} from "#api/rpc/dispatch.ts";
import type { ResponseNotes } from "#api/rpc/response-notes.ts";
import type { HttpLimits } from "#api/rpc/http/server.ts";
import { Caller } from "#api/rpc/limits/caller.ts";
import type { WebSocketSettings } from "#api/rpc/ws/service.ts";
import { bodyText, roomyBytes } from "./held-bytes.ts";

/** Context of all methods of the specification, for all threads of a node. */
export type FullContext = ServerContext & QueryContext;

/** Default limits of methods in tests. */
export const METHOD_LIMITS: MethodLimits = {
  maxEventsChunk: 1_024,
  maxEventKeys: 1_024,
  maxTransactions: 100,
  maxProofKeys: 100,
};

/** Default limits of bodies and their responses in tests. */
export const DISPATCH_LIMITS: DispatchLimits = { maxBatchLength: 500, maxResponseBytes: 64 << 20 };

/** Default limits of HTTP servers in tests. */
export const HTTP_LIMITS: HttpLimits = { ...DISPATCH_LIMITS, maxBodyBytes: 15 << 20 };

/** Default limits of connections in tests. */
export const CONNECTION_LIMITS: ConnectionLimits = { max: 1_000, maxPerAddress: Infinity };

/** Default settings of WebSockets in tests. */
export const WEB_SOCKETS: WebSocketSettings = {
  limits: { ...WS_LIMITS, maxSubscriptions: 1_024 },
  times: WS_TIMES,
};

/** Observer that ignores everything. */
export const SILENT: RpcObserver = {
  started: () => undefined,
  finished: () => undefined,
  internalError: () => undefined,
};

/** WebSocket observer that ignores everything. */
export const SILENT_WS: WsRpcObserver = {
  ...SILENT,
  webSockets: {
    opened: () => undefined,
    closed: () => undefined,
    droppedSlow: () => undefined,
    subscriptions: () => ({
      opened: () => undefined,
      closed: () => undefined,
      sent: () => undefined,
      written: () => undefined,
    }),
  },
};

/** Placeholder of an unneeded dependency: any use of it fails. */
export function unused<T extends object>(what: string): T {
  return new Proxy({} as T, {
    get() {
      throw new TypeError(`this test has no ${what}`);
    },
  });
}

/** Runs the jobs of query threads on this thread. */
export function localPool(
  context: QueryContext,
  tables: readonly MethodTable[] = createMethodTables(),
  observer: Pick<RpcObserver, "internalError"> = SILENT,
): QueryPool {
  return {
    run(version, method, paramsText) {
      const table = tables.find(({ spec }) => spec.version === version);
      if (table === undefined) throw new RangeError(`version ${version} is not served`);
      return executeQuery(table, context, method, paramsText, observer);
    },
  };
}

/** An empty cache of the same size as in nodes. */
export function newCache(): ResponseCache {
  return new ResponseCache(RESPONSE_CACHE_BYTES);
}

/** Settings of a dispatcher test. */
export interface DispatcherParts<C extends FullContext> extends Partial<
  Omit<DispatchOptions<C>, "context" | "limits">
> {
  readonly limits?: Partial<DispatchLimits>;
}

/** A dispatcher whose queries run on this thread, with the same context. */
export function dispatcherOf<C extends FullContext>(
  context: C,
  { limits, ...parts }: DispatcherParts<C> = {},
): Dispatcher<C> {
  const observer = parts.observer ?? SILENT;
  return createDispatcher({
    context,
    queryPool: localPool(context, createMethodTables(), observer),
    observer,
    cache: newCache(),
    held: roomyBytes(),
    limits: { ...DISPATCH_LIMITS, ...limits },
    ...parts,
  });
}

/** Transport notes of a body without a waiting client. */
export function notesOf(parts: Partial<ResponseNotes> = {}): ResponseNotes {
  return {
    retryAfterSeconds: undefined,
    bodyConsumed: () => undefined,
    batchRead: () => undefined,
    hasTurn: false,
    takeRest: undefined,
    caller: new Caller(undefined),
    ...parts,
  };
}

/** Text of a response; empty if there is no response. */
export async function answerText<C>(
  dispatcher: Dispatcher<C>,
  body: string,
  table: MethodTable<C>,
): Promise<string> {
  const answer = await dispatcher.handle(body, table, notesOf());
  return bodyText(answer);
}
