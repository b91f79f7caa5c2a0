import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { numberToHex } from "viem";
import { bodyOf, ProxyRules, type RuleInForce } from "./proxy-rules.ts";

/** A request to the proxy. */
export interface L1Request {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** A log as in a response. */
export interface RawLog {
  readonly blockNumber: string;
  readonly logIndex: string;
  readonly topics: readonly string[];
  readonly data: string;
}

/** A response. */
export interface L1Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** A request that a rule answers, and means to respond to it. */
export interface L1Occasion {
  readonly call: L1Request;
  /** Sends the request, or another one, to the honest endpoint. */
  honest(call?: L1Request): Promise<L1Response>;
  /** Honest `result` of a request. */
  result<T = unknown>(call?: L1Request): Promise<T>;
  /** For lies that write the response themselves. */
  readonly response: ServerResponse;
}

/**
 * A replacement of the honest response; `undefined` if it writes the response itself, or never
 * responds.
 */
export type L1Lie = (
  occasion: L1Occasion,
) => L1Response | undefined | Promise<L1Response | undefined>;

/** Selects requests and the lie for them. */
export interface L1Rule {
  /** Omitted for all methods. */
  readonly methods?: readonly string[];
  /** Maximum number of uses; omitted for no limit. */
  readonly times?: number;
  readonly lie: L1Lie;
}

/** An L1 endpoint that proxies an honest one, except where a rule applies. */
export interface L1Proxy extends AsyncDisposable {
  readonly url: string;
  /** URL of the honest endpoint; may be changed at any time. */
  upstream: string;
  /** All requests, in order. */
  readonly call: L1Request[];
  /** Adds a rule; the newest matching rule applies. */
  add(rule: L1Rule): RuleInForce;
  /** Removes all rules, and aborts pending responses. */
  honest(): void;
}

/**
 * Starts a proxy of an L1 endpoint on a free port of the local host; it forwards everything until a rule is
 * added.
 *
 * @param upstream - URL of the honest endpoint
 */
export async function startL1Proxy(upstream: string): Promise<L1Proxy> {
  const rules = new ProxyRules<L1Rule>();
  const silent = new Set<ServerResponse>();
  const server = createServer((incoming, response) => {
    void answer(incoming, response).catch(() => response.destroy());
  });
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method, params = [], id } = JSON.parse(await bodyOf(incoming));
    const call: L1Request = { method, params };
    proxy.call.push(call);
    const honest = (other = call): Promise<L1Response> => forward(proxy.upstream, other, id);
    const result = async <T>(other = call): Promise<T> =>
      JSON.parse((await honest(other)).text).result as T;
    const rule = rules.use(({ methods }) => methods === undefined || methods.includes(method));
    const reply = await (rule === undefined
      ? honest()
      : rule.lie({ call, honest, result, response }));
    if (reply === undefined) silent.add(response);
    if (reply === undefined || response.destroyed) return;
    response.writeHead(reply.status, reply.headers);
    response.end(reply.text);
  };
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const proxy: L1Proxy = {
    url: `http://127.0.0.1:${port}`,
    upstream,
    call: [],
    add: (rule) => rules.add(rule),
    honest() {
      rules.end();
      for (const response of silent) response.socket?.destroy();
      silent.clear();
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return proxy;
}

/** Response with a JSON-RPC `result`. */
export function resultResponse(result: unknown): L1Response {
  return jsonResponse({ jsonrpc: "2.0", id: 1, result });
}

/** Response with a JSON-RPC error. */
export function errorResponse(code: number, message: string, status = 200): L1Response {
  return { ...jsonResponse({ jsonrpc: "2.0", id: 1, error: { code, message } }), status };
}

/** Response with a status and without JSON-RPC, for example 429. */
export function statusResponse(
  status: number,
  headers: Readonly<Record<string, string>> = {},
): L1Response {
  return { status, headers, text: "" };
}

function jsonResponse(document: unknown): L1Response {
  const headers = { "content-type": "application/json" };
  return { status: 200, headers, text: JSON.stringify(document) };
}

/** Rules of an {@link L1Proxy} that imitate faults of L1 endpoints. */
export const L1_FAULTS = {
  /** Breaks every connection. */
  down: (): L1Rule => ({ lie: ({ response }) => void response.socket?.destroy() }),
  /** Accepts every request and never responds. */
  hang: (): L1Rule => ({ lie: () => undefined }),
  /** Responds with too many requests. */
  throttle: (retryAfter?: string): L1Rule => ({
    lie: () => statusResponse(429, retryAfter === undefined ? {} : { "retry-after": retryAfter }),
  }),
  nonsense: (text = "<html>502 Bad Gateway</html>"): L1Rule => ({
    lie: () => ({ status: 200, headers: {}, text }),
  }),
  /** Breaks the connection after the first half of each response. */
  half: (): L1Rule => ({
    lie: async ({ honest, response }) => {
      const { headers, text } = await honest();
      response.writeHead(200, { ...headers, "content-length": String(text.length) });
      response.write(text.slice(0, text.length / 2), () => response.socket?.destroy());
      return undefined;
    },
  }),
  /** Claims another chain id; everything else is honest. */
  otherChain: (chainId: number): L1Rule => ({
    methods: ["eth_chainId"],
    lie: () => resultResponse(numberToHex(chainId)),
  }),
  /** Has no block after this one. */
  staleHead: (headNumber: number): L1Rule => ({
    methods: ["eth_getBlockByNumber", "eth_blockNumber", "eth_getLogs"],
    lie: (occasion) => staleAnswer(occasion, headNumber),
  }),
  /** Changes the last word of each log. */
  forgeLogs: (): L1Rule => ({
    methods: ["eth_getLogs"],
    lie: async ({ result }) =>
      resultResponse(
        (await result<readonly RawLog[]>()).map((log) => ({
          ...log,
          data: `${log.data.slice(0, -2)}${log.data.endsWith("00") ? "01" : "00"}`,
        })),
      ),
  }),
  /** Omits logs, except those to keep. */
  omitLogs: (isKept: (log: RawLog, index: number) => boolean = () => false): L1Rule => ({
    methods: ["eth_getLogs"],
    lie: async ({ result }) => resultResponse((await result<readonly RawLog[]>()).filter(isKept)),
  }),
} as const;

async function staleAnswer(
  { call, honest, result }: L1Occasion,
  headNumber: number,
): Promise<L1Response> {
  const head = numberToHex(headNumber);
  if (call.method === "eth_blockNumber") return resultResponse(head);
  if (call.method === "eth_getLogs") {
    const logs = await result<readonly RawLog[]>();
    return resultResponse(logs.filter(({ blockNumber }) => Number(blockNumber) <= headNumber));
  }
  const [which, ...rest] = call.params;
  if (which === "latest") return honest({ ...call, params: [head, ...rest] });
  const block = await result<{ readonly number: string } | null>();
  return block !== null && Number(block.number) > headNumber
    ? resultResponse(null)
    : resultResponse(block);
}

async function forward(
  upstream: string,
  { method, params }: L1Request,
  id: unknown,
): Promise<L1Response> {
  const response = await fetch(upstream, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
  });
  const { status } = response;
  return { status, headers: { "content-type": "application/json" }, text: await response.text() };
}
