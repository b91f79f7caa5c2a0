import type { CorsPolicy } from "#base/primitives/index.ts";
import { ReplyCompressor } from "./compression.ts";
import { createHostCheck, type HostPolicy } from "./hosts.ts";
import { type HttpHandler, type HttpReply, textReply } from "./message.ts";
import { createOriginCheck } from "./origins.ts";
import { createPageRoutes, withHeadersOf } from "./pages.ts";
import { createRoutes, INTERNAL_ERROR, type RouteDeps } from "./routes.ts";
import { type Passage, replyFrom, requestForHono } from "./routing.ts";

/** What requests are answered with. */
export interface HandlerDeps<C> extends Omit<RouteDeps<C>, "isOriginAllowed"> {
  readonly cors: CorsPolicy;
  readonly hosts: HostPolicy;
}

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

  return async (request) => {
    const { headers, method } = request;
    if (!isHostAllowed(headers.get("host"))) {
      return textReply("This node answers to localhost and addresses in digits only.\n", 403);
    }
    const origin = headers.get("origin");
    const passage: Passage = { request, origin, reply: undefined };
    const isPage = origin !== null || method === "OPTIONS";
    const app = isPage ? pageRoutes : routes;
    const fetched = app.fetch(requestForHono(request), passage);
    const response = fetched instanceof Promise ? await fetched : fetched;
    let reply: HttpReply;
    try {
      reply = await (passage.reply ?? replyFrom(response));
    } catch {
      reply = INTERNAL_ERROR;
    }
    return compressor.compress(isPage ? withHeadersOf(reply, response) : reply, request);
  };
}
