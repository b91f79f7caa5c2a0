import type { CorsPolicy } from "#base/primitives/index.ts";
import { ReplyCompressor } from "./compression.ts";
import { createHostCheck, type HostPolicy } from "./hosts.ts";
import { KnownRoutes } from "./known-routes.ts";
import { type HttpHandler, type HttpReply, textReply } from "./message.ts";
import { createOriginCheck } from "./origins.ts";
import { createPageRoutes, withHeadersOf } from "./pages.ts";
import { createRoutes, INTERNAL_ERROR, type RouteDeps } from "./routes.ts";
import { type Passage, replyFrom, requestForHono, type RouteAnswer } from "./routing.ts";

/** What requests are answered with. */
export interface HandlerDeps<C> extends Omit<RouteDeps<C>, "isOriginAllowed"> {
  readonly cors: CorsPolicy;
  readonly hosts: HostPolicy;
}

const FOREIGN_HOST = textReply(
  "This node answers to localhost, addresses in digits and the names of --rpc-allowed-hosts only.\n",
  403,
);

/**
 * Answers HTTP requests, apart from any server: the check of the host, the routes of
 * {@link createRoutes}, for pages those of {@link createPageRoutes}, and compression.
 *
 * What is done for every request stands here rather than in middleware: composing that takes Hono
 * longer than routing does.
 */
export function createHttpHandler<C>(deps: HandlerDeps<C>): HttpHandler {
  const { cors } = deps;
  const isHostAllowed = createHostCheck(deps.hosts);
  const isOriginAllowed = createOriginCheck(cors);
  const routes = createRoutes({ ...deps, isOriginAllowed });
  const pageRoutes = createPageRoutes(routes, cors, isOriginAllowed);
  const compressor = new ReplyCompressor();
  const known = new KnownRoutes();

  /** Pages take CORS with them, which makes headers of its own. */
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

  /** Who answers a request; Hono knows, and is asked once for each method and target. */
  const answerOf = (passage: Passage): RouteAnswer => {
    const { request } = passage;
    const before = known.get(request);
    if (before !== undefined) return before;
    // No route of ours waits for anything before it tells who answers.
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
