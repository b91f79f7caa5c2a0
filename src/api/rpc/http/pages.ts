import type { Hono } from "hono";
import { cors } from "hono/cors";
import type { CorsPolicy } from "#base/primitives/index.ts";
import type { HttpReply } from "./message.ts";
import type { OriginCheck } from "./origins.ts";
import { createHono, METHODS_ALLOWED } from "./routes.ts";
import { headersOf, type HttpEnv } from "./routing.ts";

/** Time for which browsers cache the result of a preflight: a day. */
const PREFLIGHT_SECONDS = 86_400;

/**
 * Creates the routes for browser pages: the plain routes behind Hono's CORS. Other programs send no `Origin`
 * and use the plain routes.
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
      // Hono joins the list without a space after the comma.
      allowMethods: [METHODS_ALLOWED],
      maxAge: PREFLIGHT_SECONDS,
    }),
  );
  app.all("*", (context) => routes.fetch(context.req.raw, context.env));
  return app;
}

/** Adds the headers that Hono created to a reply. */
export function withHeadersOf(reply: HttpReply, response: Response): HttpReply {
  return { ...reply, headers: { ...reply.headers, ...headersOf(response) } };
}
