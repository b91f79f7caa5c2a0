import type { Hono } from "hono";
import { cors } from "hono/cors";
import type { CorsPolicy } from "#base/primitives/index.ts";
import type { HttpReply } from "./message.ts";
import type { OriginCheck } from "./origins.ts";
import { createHono, METHODS_ALLOWED } from "./routes.ts";
import { headersOf, type HttpEnv } from "./routing.ts";

/** For browsers to remember the answer to a preflight: a day. */
const PREFLIGHT_SECONDS = 86_400;

/**
 * The routes for pages in browsers, with Hono's CORS around them. Other programs send no `Origin` and
 * take the routes without it.
 */
export function createPageRoutes(
  routes: Hono<HttpEnv>,
  policy: CorsPolicy,
  isOriginAllowed: OriginCheck,
): Hono<HttpEnv> {
  const app = createHono();
  app.use(
    cors({
      origin: policy === "all" ? "*" : (origin) => (isOriginAllowed(origin) ? origin : null),
      // Hono joins them without a blank.
      allowMethods: [METHODS_ALLOWED],
      maxAge: PREFLIGHT_SECONDS,
    }),
  );
  app.all("*", (context) => routes.fetch(context.req.raw, context.env));
  return app;
}

/** An answer of ours with the headers of what Hono made around it. */
export function withHeadersOf(reply: HttpReply, response: Response): HttpReply {
  return { ...reply, headers: { ...reply.headers, ...headersOf(response) } };
}
