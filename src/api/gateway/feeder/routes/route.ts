import { type HttpReply, type HttpRequest, textReply } from "#api/rpc/index.ts";
import { StorageError } from "#base/errors/index.ts";
import type { GatewayRoute } from "../../app.ts";
import { gatewayErrorReply } from "../../errors.ts";
import { GatewayFault } from "../fault.ts";
import { LongAnswerFault } from "../long-answer.ts";
import { Query } from "../query.ts";

/** Answers a request by its parameters; what it throws is answered by {@link feederRoute}. */
export type Answer = (request: HttpRequest, query: Query) => HttpReply | Promise<HttpReply>;

/** What is not there may be there soon. */
const UNCACHED = { "cache-control": "no-store" } as const;

/**
 * A route of the feeder gateway. Errors of the gateway are answered with status 400, as the network's own
 * does; what the node has no room for with 503; state that is not kept any more as a block that is not
 * there.
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

/** @throws what is no answer */
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
