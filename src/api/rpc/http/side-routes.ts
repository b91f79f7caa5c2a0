import type { Hono } from "hono";
import type { RateLimiter } from "../limits/rate-limiter.ts";
import { type HttpReply, textReply } from "./message.ts";
import { type HttpEnv, type Passage, route } from "./routing.ts";

/** Path of another interface on the JSON-RPC port. It is only read: other methods than GET are refused. */
export interface SideRoute {
  /** Contains no path parameters, so the router uses a lookup table. */
  readonly path: string;
  readonly answer: (passage: Passage) => HttpReply | Promise<HttpReply>;
  /**
   * Creates the reply to an address that has used up its rate limit. `null` if requests do not count as calls,
   * as those of a page's files.
   */
  readonly refuse: ((message: string, waitSeconds: number) => HttpReply) | null;
}

const WRONG_METHOD: HttpReply = textReply("Method not allowed. Use GET.\n", 405, { allow: "GET" });

/** Adds side routes to the routes of a server; calls have the rate limit of JSON-RPC. */
export function addSideRoutes(
  app: Hono<HttpEnv>,
  sideRoutes: readonly SideRoute[],
  rateLimiter: RateLimiter | null,
): void {
  for (const { path, answer, refuse } of sideRoutes) {
    app.get(
      path,
      route((passage) => {
        const waitSeconds =
          refuse === null ? undefined : rateLimiter?.take(passage.request.caller.address);
        if (refuse === null || waitSeconds === undefined) return answer(passage);
        const message = `too many calls from this address: try again in ${waitSeconds} s`;
        return refuse(message, waitSeconds);
      }),
    );
    app.all(
      path,
      route(() => WRONG_METHOD),
    );
  }
}
