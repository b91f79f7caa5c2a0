import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { bodyOf, ProxyRules, type RuleInForce } from "./proxy-rules.ts";

/** A request to the proxy. */
export interface ProxiedRequest {
  readonly method: string;
  /** Path and query as received. */
  readonly target: string;
  /** The last part of the path, for example `get_block`. */
  readonly route: string;
  readonly query: URLSearchParams;
  /** `undefined` without a number in the query. */
  readonly blockNumber: number | undefined;
  readonly body: string;
}

/** A response; the status with all headers. */
export interface ProxiedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Request that a rule of the proxy answers, with the honest response and the means to respond. */
export interface Occasion {
  readonly request: ProxiedRequest;
  /** Forwards the request, or another path and query, to the honest gateway. */
  honest(target?: string): Promise<ProxiedResponse>;
  /** For lies that write the response themselves. */
  readonly response: ServerResponse;
}

/**
 * A replacement of the honest response; `undefined` if it writes the response itself, or never
 * responds.
 */
export type Lie = (occasion: Occasion) => Promise<ProxiedResponse | undefined>;

/** Rule of a proxy: the requests that it applies to, how often, and the response that it gives. */
export interface Rule {
  /** Omitted for all routes. */
  readonly routes?: readonly string[];
  /** Omitted for all blocks, and for requests without one. */
  readonly blockNumber?: number;
  /** Maximum number of uses; omitted for no limit. */
  readonly times?: number;
  readonly lie: Lie;
}

/** A gateway that proxies an honest one, except where a rule applies. */
export interface GatewayProxy extends AsyncDisposable {
  readonly url: string;
  /** URL of the honest gateway; may be changed at any time. */
  upstream: string;
  /** Requested routes, in order, with repetitions. */
  readonly routes: string[];
  /** Adds a rule; the newest matching rule applies. */
  add(rule: Rule): RuleInForce;
}

const NO_BODY = new Set(["GET", "HEAD"]);
const FORWARDED_HEADERS = ["content-type", "etag", "cache-control", "retry-after"];

/**
 * Starts a proxy of a gateway on a free port of the local host; it forwards everything until a rule is added.
 *
 * @param upstream - URL of the honest gateway
 */
export async function startGatewayProxy(upstream: string): Promise<GatewayProxy> {
  const rules = new ProxyRules<Rule>();
  const server = createServer((incoming, response) => {
    void answer(incoming, response).catch(() => response.destroy());
  });
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = requestOf(incoming, await bodyOf(incoming));
    proxy.routes.push(request.route);
    const rule = rules.use((each) => isFor(each, request));
    const occasion: Occasion = {
      request,
      response,
      honest: (target = request.target) => forward(proxy.upstream, incoming, request, target),
    };
    const reply = await (rule === undefined ? occasion.honest() : rule.lie(occasion));
    if (reply === undefined || response.destroyed) return;
    response.writeHead(reply.status, reply.headers);
    response.end(reply.text);
  };
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const proxy: GatewayProxy = {
    url: `http://127.0.0.1:${port}`,
    upstream,
    routes: [],
    add: (rule) => rules.add(rule),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return proxy;
}

function isFor(
  { routes, blockNumber: wanted }: Rule,
  { route, blockNumber }: ProxiedRequest,
): boolean {
  if (routes !== undefined && !routes.includes(route)) return false;
  return wanted === undefined || wanted === blockNumber;
}

function requestOf(
  { method = "GET", url: target = "/" }: IncomingMessage,
  body: string,
): ProxiedRequest {
  const { pathname, searchParams: query } = new URL(target, "http://gateway");
  const number = query.get("blockNumber") ?? "";
  return {
    method,
    target,
    route: pathname.slice(pathname.lastIndexOf("/") + 1),
    query,
    blockNumber: /^\d+$/.test(number) ? Number(number) : undefined,
    body,
  };
}

async function forward(
  upstream: string,
  incoming: IncomingMessage,
  { method, body }: ProxiedRequest,
  target: string,
): Promise<ProxiedResponse> {
  const { "content-type": type, "if-none-match": known } = incoming.headers;
  const response = await fetch(upstream + target, {
    method,
    redirect: "manual",
    headers: {
      ...(type === undefined ? {} : { "content-type": type }),
      ...(known === undefined ? {} : { "if-none-match": known }),
    },
    ...(NO_BODY.has(method) ? {} : { body }),
  });
  const headers = Object.fromEntries(
    [...response.headers].filter(([name]) => FORWARDED_HEADERS.includes(name)),
  );
  return { status: response.status, headers, text: await response.text() };
}
