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
import { localPool, newCache, type FullContext } from "./serving.ts";

/** Public key and contract addresses that the feeder gateway of the sample chain reports. */
export const IDENTITY: FeederDeps["identity"] = {
  publicKey: () => 0x1234n,
  addresses: { starknet: 0xc0en, parentFeeToken: 0xe7n, nativeFeeToken: 0x57n },
  verifier: 0x4en,
};

/** Response of a gateway. */
export interface GatewayAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body as JSON; `null` if it is no JSON. */
  readonly json: JsonValue;
}

/** Dependencies of a {@link feederOf} that a test changes. */
export interface FeederParts extends Partial<FeederDeps> {
  readonly context?: FullContext;
}

/** Dependencies of a gateway with only these routes. */
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

/** A feeder gateway without a server; long responses are produced on this thread. */
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
    /** @param path - after `/feeder_gateway/` */
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
