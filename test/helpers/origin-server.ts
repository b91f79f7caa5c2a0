import type { ChainReader } from "#engine/state/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import type { ClassCompiler, OriginObserver, OriginRemoteOptions } from "#io/origin/index.ts";
import { tableOf, VERSIONS } from "./rpc.ts";
import { emptyContext } from "./sample-chain.ts";
import { answerText, dispatcherOf } from "./serving.ts";

/** A call of a request. */
export interface SentCall {
  readonly id: number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A request that a server received. */
export interface SentRequest {
  readonly calls: readonly SentCall[];
  readonly isBatch: boolean;
  readonly headers: Headers;
  readonly path: string;
}

/** Responds in place of a server; `undefined` lets the server respond. */
export type Instead = (
  request: SentRequest,
) => Response | undefined | Promise<Response | undefined>;

/** A running JSON-RPC server. */
export interface OriginServer extends AsyncDisposable {
  readonly url: string;
  /** Scheme, host and port. */
  readonly name: string;
  readonly requests: SentRequest[];
  /** Replaced by tests. */
  instead: Instead;
}

/** Starts a server that responds with the results of `answer`, one per call, or with `instead`. */
export function serveOrigin(
  answer: (body: string) => Promise<string> | string,
  port = 0,
): OriginServer {
  const server = Bun.serve({
    port,
    hostname: "127.0.0.1",
    async fetch(request) {
      const body = await request.text();
      const document = JSON.parse(body) as SentCall | SentCall[];
      const isBatch = Array.isArray(document);
      const calls = isBatch ? document : [document];
      const path = new URL(request.url).pathname;
      const sent = { calls, isBatch, headers: request.headers, path };
      origin.requests.push(sent);
      const instead = await origin.instead(sent);
      return instead ?? new Response(await answer(body));
    },
  });
  const name = `http://127.0.0.1:${server.port}`;
  const origin: OriginServer = {
    url: `${name}/rpc`,
    name,
    requests: [],
    instead: () => undefined,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
  return origin;
}

/** Serves a chain in a version of the specification: `0.8`, `0.9` or `0.10`. */
export function serveChain(
  chain: ChainReader,
  chainId: Felt,
  version: string,
  port = 0,
): OriginServer {
  const dispatcher = dispatcherOf(emptyContext({ chain, chainId }));
  const table = tableOf(VERSIONS.find((each) => each.startsWith(`${version}.`)) ?? "");
  return serveOrigin((body) => answerText(dispatcher, body, table), port);
}

/** Serves fixed results by method, without the prefix; others are unknown methods. */
export function serveResults(
  results: Readonly<Record<string, (params: SentCall["params"]) => unknown>>,
): OriginServer {
  const answerTo = ({ id, method, params }: SentCall): unknown => {
    const result = results[method.replace("starknet_", "")];
    if (result !== undefined) return { jsonrpc: "2.0", id, result: result(params) };
    return { jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } };
  };
  return serveOrigin((body) => {
    const document = JSON.parse(body) as SentCall | SentCall[];
    const answers = Array.isArray(document) ? document.map(answerTo) : answerTo(document);
    return JSON.stringify(answers);
  });
}

/** A response with one error for each call. */
export function errorResponse(calls: readonly SentCall[], code: number, message: string): Response {
  const answers = calls.map(({ id }) => ({ jsonrpc: "2.0", id, error: { code, message } }));
  return Response.json(answers.length === 1 ? answers[0] : answers);
}

/** Counts of an observed origin. */
export interface ObservedCounts {
  requests: number;
  calls: number;
  limited: number;
  fromCache: number;
  fromOrigin: number;
  readonly states: string[];
  readonly storeFailures: unknown[];
  storeRecoveries: number;
}

/** An observer that counts. */
export function countingObserver(): { observer: OriginObserver; counts: ObservedCounts } {
  const counts: ObservedCounts = {
    requests: 0,
    calls: 0,
    limited: 0,
    fromCache: 0,
    fromOrigin: 0,
    states: [],
    storeFailures: [],
    storeRecoveries: 0,
  };
  const observer: OriginObserver = {
    value(source) {
      if (source === "cache") counts.fromCache++;
      else counts.fromOrigin++;
    },
    waited: () => undefined,
    requested(calls) {
      counts.requests++;
      counts.calls += calls;
    },
    received: () => undefined,
    limited: () => void counts.limited++,
    stateChanged: ({ kind }) => void counts.states.push(kind),
    storeFailed: (error) => void counts.storeFailures.push(error),
    storeRecovered: () => void counts.storeRecoveries++,
  };
  return { observer, counts };
}

/** {@link ClassCompiler} for tests that compiles no class. */
export const NO_COMPILER: ClassCompiler = { compile: () => Promise.resolve(undefined) };

/** Settings of a remote for tests. */
export function remoteOptions(
  urls: readonly string[],
  more: Partial<OriginRemoteOptions> = {},
): OriginRemoteOptions {
  return {
    urls,
    headers: {},
    concurrency: 4,
    maxBatch: 50,
    maxAnswerBytes: 8 << 20,
    timeoutMs: 5000,
    timer: SYSTEM_TIMER,
    unixMs: Date.now,
    signal: new AbortController().signal,
    observer: countingObserver().observer,
    compiler: NO_COMPILER,
    ...more,
  };
}
