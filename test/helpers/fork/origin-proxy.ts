import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { bodyOf, ProxyRules, type RuleInForce } from "../proxy-rules.ts";

/** A JSON-RPC call of a request. */
export interface OriginCall {
  readonly id: unknown;
  /** Without the prefix `starknet_`. */
  readonly method: string;
  readonly params: unknown;
}

/** A response. */
export interface OriginResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** A request that a rule answers, and means to respond to it. */
export interface OriginOccasion {
  readonly calls: readonly OriginCall[];
  readonly isBatch: boolean;
  /** Forwards the request, by default to the node. */
  honest(upstream?: string): Promise<OriginResponse>;
  /** For faults that write the response themselves. */
  readonly response: ServerResponse;
}

/**
 * A replacement of the honest response; `undefined` if it writes the response itself, or never
 * responds.
 */
export type OriginLie = (
  occasion: OriginOccasion,
) => OriginResponse | undefined | Promise<OriginResponse | undefined>;

/** Selects requests and the response to them. */
export interface OriginRule {
  /** Methods without prefix, one of which is in the request; omitted for all requests. */
  readonly methods?: readonly string[];
  /** Maximum number of uses; omitted for no limit. */
  readonly times?: number;
  readonly lie: OriginLie;
}

/** A JSON-RPC endpoint that proxies a node, except where a rule applies. */
export interface OriginProxy extends AsyncDisposable {
  /** URL without a path; a request's path is forwarded. */
  readonly url: string;
  /** Scheme, host and port, as errors name the origin. */
  readonly name: string;
  /** URL of the node; may be changed at any time. */
  upstream: string;
  /** All requests, as lists of their calls. */
  readonly requests: (readonly OriginCall[])[];
  /** Adds a rule; the newest matching rule applies. */
  add(rule: OriginRule): RuleInForce;
  /** Removes all rules, and aborts pending responses. */
  honest(): void;
}

/**
 * Starts a proxy on a port of the local host; it forwards everything until a rule is added.
 *
 * @param upstream - URL of the node
 * @param port - default a free one
 */
export async function startOriginProxy(upstream: string, port = 0): Promise<OriginProxy> {
  const rules = new ProxyRules<OriginRule>();
  const silent = new Set<ServerResponse>();
  const server = createServer((incoming, response) => {
    void answer(incoming, response).catch(() => response.destroy());
  });
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(incoming);
    const { calls, isBatch } = callsOf(body);
    proxy.requests.push(calls);
    const honest = (node = proxy.upstream) => forward(node + (incoming.url ?? "/"), body);
    const methods = calls.map(({ method }) => method);
    const rule = rules.use((each) => each.methods?.some((one) => methods.includes(one)) ?? true);
    const reply = await (rule === undefined
      ? honest()
      : rule.lie({ calls, isBatch, honest, response }));
    if (reply === undefined) silent.add(response);
    if (reply === undefined || response.destroyed) return;
    response.writeHead(reply.status, reply.headers);
    response.end(reply.text);
  };
  await new Promise<void>((listening) => server.listen(port, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const proxy: OriginProxy = {
    url,
    name: url,
    upstream,
    requests: [],
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

function callsOf(body: string): {
  readonly calls: readonly OriginCall[];
  readonly isBatch: boolean;
} {
  const document = JSON.parse(body) as OriginCall | readonly OriginCall[];
  const isBatch = Array.isArray(document);
  const calls = (isBatch ? document : [document]) as readonly OriginCall[];
  return {
    isBatch,
    calls: calls.map((call) => ({ ...call, method: call.method.replace("starknet_", "") })),
  };
}

async function forward(url: string, body: string): Promise<OriginResponse> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body });
  return { status: response.status, headers, text: await response.text() };
}
