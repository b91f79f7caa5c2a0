import { createGatewayHandler, type GatewayHandlerDeps } from "#api/gateway/app.ts";
import {
  CandidateBook,
  createFeederRoutes,
  createFeederTable,
  type FeederDeps,
} from "#api/gateway/feeder/index.ts";
import { LiveFeed, readinessOf } from "#api/rpc/index.ts";
import { type JsonValue, parseJson } from "#base/codec/index.ts";
import { httpRequest, textOf } from "./http-handler.ts";
import { sampleContext } from "./sample-chain.ts";
import { localPool, newCache, type WholeContext } from "./serving.ts";

/** What a feeder gateway of the sample chain says about the chain. */
export const IDENTITY: FeederDeps["identity"] = {
  publicKey: () => 0x1234n,
  addresses: { starknet: 0xc0en, parentFeeToken: 0xe7n, nativeFeeToken: 0x57n },
  verifier: 0x4en,
};

/** An answer of a gateway. */
export interface GatewayAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body as JSON; `null` for a body that is none. */
  readonly json: JsonValue;
}

/** What a test wants to be special. */
export interface FeederParts extends Partial<FeederDeps> {
  readonly context?: WholeContext;
}

/** What a gateway with these routes and no others answers with. */
export function handlerDeps(deps: FeederDeps): GatewayHandlerDeps {
  return {
    routes: createFeederRoutes(deps),
    hosts: "any",
    rateLimiter: null,
    readiness: () => readinessOf(deps.context.chain, null),
    leads: () => true,
    observer: { answered: () => undefined, internalError: () => undefined },
  };
}

/** A feeder gateway without a server, whose long answers are made on this thread. */
export function feederOf(parts: FeederParts = {}) {
  const context = parts.context ?? sampleContext();
  const feed = new LiveFeed();
  const deps: FeederDeps = {
    queryPool: localPool(context, [createFeederTable()]),
    cache: newCache(),
    identity: IDENTITY,
    candidates: new CandidateBook(feed, () => performance.now()),
    ...parts,
    context,
  };
  const handler = createGatewayHandler(handlerDeps(deps));
  return {
    feed,
    deps,
    /** @param path - behind `/feeder_gateway/` */
    async ask(
      path: string,
      headers: Readonly<Record<string, string>> = {},
    ): Promise<GatewayAnswer> {
      const request = httpRequest("GET", `/feeder_gateway/${path}`, { host: "h", ...headers }, "");
      const reply = await handler(request);
      const text = textOf(reply);
      const isJson = reply.headers["content-type"] === "application/json";
      return {
        status: reply.status,
        headers: reply.headers,
        text,
        json: isJson ? parseJson(text) : null,
      };
    },
  };
}
