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

/** What a node has for the methods of the specification, on all of its threads. */
export type WholeContext = ServerContext & QueryContext;

/** Limits of methods that tests take unless they are about others. */
export const METHOD_LIMITS: MethodLimits = {
  maxEventsChunk: 1_024,
  maxEventKeys: 1_024,
  maxTransactions: 100,
  maxProofKeys: 100,
};

/** The same of bodies and their answers. */
export const DISPATCH_LIMITS: DispatchLimits = { maxBatchLength: 500, maxResponseBytes: 64 << 20 };

/** The same of a server over HTTP. */
export const HTTP_LIMITS: HttpLimits = { ...DISPATCH_LIMITS, maxBodyBytes: 15 << 20 };

/** The same of its connections. */
export const CONNECTION_LIMITS: ConnectionLimits = { max: 1_000, maxPerAddress: Infinity };

/** The same of WebSocket connections. */
export const WEB_SOCKETS: WebSocketSettings = {
  limits: { ...WS_LIMITS, maxSubscriptions: 1_024 },
  times: WS_TIMES,
};

/** Watches nothing. */
export const SILENT: RpcObserver = {
  started: () => undefined,
  finished: () => undefined,
  internalError: () => undefined,
};

/** Watches nothing over WebSocket. */
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

/** Stands for what a test has no need of: it fails where that is used. */
export function unused<T extends object>(what: string): T {
  return new Proxy({} as T, {
    get() {
      throw new TypeError(`this test has no ${what}`);
    },
  });
}

/** Does what query threads do, on this one. */
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

/** A cache as nodes have it, with nothing in it. */
export function newCache(): ResponseCache {
  return new ResponseCache(RESPONSE_CACHE_BYTES);
}

/** What a test of a dispatcher wants to be special. */
export interface DispatcherParts<C extends WholeContext> extends Partial<
  Omit<DispatchOptions<C>, "context" | "limits">
> {
  readonly limits?: Partial<DispatchLimits>;
}

/** A dispatcher whose queries run on this thread, with the same context. */
export function dispatcherOf<C extends WholeContext>(
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

/** What a transport tells of a body that nobody waits for. */
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

/** The text of an answer; empty when there is none. */
export async function answerText<C>(
  dispatcher: Dispatcher<C>,
  body: string,
  table: MethodTable<C>,
): Promise<string> {
  const answer = await dispatcher.handle(body, table, notesOf());
  return bodyText(answer);
}
