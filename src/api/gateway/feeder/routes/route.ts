import { type HttpReply, type HttpRequest, textReply } from "#api/rpc/index.ts";
import { StorageError } from "#base/errors/index.ts";
import type { GatewayRoute } from "../../app.ts";
import { gatewayErrorReply } from "../../errors.ts";
import { GatewayFault } from "../fault.ts";
import { LongAnswerFault } from "../long-answer.ts";
import { Query } from "../query.ts";

/** Computes the response for a request; {@link feederRoute} handles its exceptions. */
export type Answer = (request: HttpRequest, query: Query) => HttpReply | Promise<HttpReply>;

/** A missing entity may exist soon. */
const UNCACHED = { "cache-control": "no-store" } as const;

/**
 * Creates a route of the feeder gateway. Gateway errors use status 400, like the public networks' gateway.
 * Lack of capacity is a 503. Pruned state is reported as BLOCK_NOT_FOUND.
 */
export function feederRoute(
  name: string,
  answer: Answer,
  method: GatewayRoute["method"] = "GET",
): GatewayRoute {
  return {
    method,
    path: `/feeder_gateway/${name}`,
    async answer({ request }) {
      try {
        return await answer(request, Query.of(request.url));
      } catch (error) {
        return faultReply(error);
      }
    },
  };
}

/**
 * Maps an exception to a response.
 *
 * @throws the exception itself if it has no response
 */
function faultReply(error: unknown): HttpReply {
  if (error instanceof GatewayFault) {
    return gatewayErrorReply(error.errorName, error.message, 400, UNCACHED);
  }
  if (error instanceof StorageError && error.code === "STORAGE_PRUNED") {
    return gatewayErrorReply("BLOCK_NOT_FOUND", error.message, 400, UNCACHED);
  }
  if (error instanceof LongAnswerFault) {
    const { message, retryAfterSeconds } = error;
    return retryAfterSeconds === undefined
      ? textReply(`${message}\n`, 500, UNCACHED)
      : textReply(`${message}\n`, 503, { ...UNCACHED, "retry-after": String(retryAfterSeconds) });
  }
  throw error;
}
