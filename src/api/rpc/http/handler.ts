import type { CorsPolicy } from "#base/primitives/index.ts";
import { ReplyCompressor } from "./compression.ts";
import { createHostCheck, type HostPolicy } from "./hosts.ts";
import { KnownRoutes } from "./known-routes.ts";
import { type HttpHandler, type HttpReply, textReply } from "./message.ts";
import { createOriginCheck } from "./origins.ts";
import { createPageRoutes, withHeadersOf } from "./pages.ts";
import { createRoutes, INTERNAL_ERROR, type RouteDeps } from "./routes.ts";
import { type Passage, replyFrom, requestForHono, type RouteAnswer } from "./routing.ts";

/** Dependencies of the HTTP handler. */
export interface HandlerDeps<C> extends Omit<RouteDeps<C>, "isOriginAllowed"> {
  readonly cors: CorsPolicy;
  readonly hosts: HostPolicy;
}

const FOREIGN_HOST = textReply(
  "This node accepts only localhost, numeric addresses and the names of --rpc-allowed-hosts.\n",
  403,
);

/**
 * Creates the HTTP handler, independent of any server: the check of the `Host` header, the routes of
 * {@link createRoutes} (for browser pages those of {@link createPageRoutes}), and compression.
 *
 * Per-request steps are here and not in middleware: Hono takes longer to compose middleware than to route.
 */
export function createHttpHandler<C>(deps: HandlerDeps<C>): HttpHandler {
  const { cors } = deps;
  const isHostAllowed = createHostCheck(deps.hosts);
  const isOriginAllowed = createOriginCheck(cors);
  const routes = createRoutes({ ...deps, isOriginAllowed });
  const pageRoutes = createPageRoutes(routes, cors, isOriginAllowed);
  const compressor = new ReplyCompressor();
  const known = new KnownRoutes();

  /** Answers browser pages: CORS creates its own headers. */
  const answerPage = async (passage: Passage): Promise<HttpReply> => {
    const response = await pageRoutes.fetch(requestForHono(passage.request), passage);
    let reply: HttpReply;
    try {
      reply = await (passage.answer?.(passage) ?? replyFrom(response));
    } catch {
      reply = INTERNAL_ERROR;
    }
    return compressor.compress(withHeadersOf(reply, response), passage.request);
  };

  /**
   * Finds the handler of a request. Hono's routing runs once for each method and target; then the result is
   * cached.
   */
  const answerOf = (passage: Passage): RouteAnswer => {
    const { request } = passage;
    const before = known.get(request);
    if (before !== undefined) return before;
    // All routes set `passage.answer` synchronously.
    void routes.fetch(requestForHono(request), passage);
    const answer = passage.answer ?? (() => INTERNAL_ERROR);
    known.set(request, answer);
    return answer;
  };

  const failed = (): HttpReply => INTERNAL_ERROR;

  return (request) => {
    const { headers, method } = request;
    if (!isHostAllowed(headers.get("host"))) {
      return FOREIGN_HOST;
    }
    const origin = headers.get("origin");
    const passage: Passage = { request, origin, answer: undefined };
    if (origin !== null || method === "OPTIONS") return answerPage(passage);
    let reply: HttpReply | Promise<HttpReply>;
    try {
      reply = answerOf(passage)(passage);
    } catch {
      reply = INTERNAL_ERROR;
    }
    return reply instanceof Promise
      ? reply.catch(failed).then((late) => compressor.compress(late, request))
      : compressor.compress(reply, request);
  };
}
