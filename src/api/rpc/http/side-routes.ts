import type { Hono } from "hono";
import type { RateLimiter } from "../limits/rate-limiter.ts";
import type { BodyReading } from "./body.ts";
import { type HttpReply, textReply } from "./message.ts";
import { type PostDeps, readPost, SHORT_REFUSED_BYTES } from "./read-post.ts";
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

/**
 * Path of another interface that takes a body by POST and no other method. Bodies have the limits of JSON-RPC, and
 * pages of other origins are refused as there.
 */
export interface PostRoute {
  readonly path: string;
  /** @param text - the body */
  readonly post: (passage: Passage, text: string) => HttpReply | Promise<HttpReply>;
  /** As in {@link SideRoute}. */
  readonly refuse: (message: string, waitSeconds: number) => HttpReply;
  /** Creates the reply to a body that cannot be read. */
  readonly refuseBody: (
    status: number,
    message: string,
    headers: Readonly<Record<string, string>>,
  ) => HttpReply;
}

/** Adds side routes to the routes of a server; calls have the rate limit of JSON-RPC. */
export function addSideRoutes(
  app: Hono<HttpEnv>,
  sideRoutes: readonly (SideRoute | PostRoute)[],
  deps: PostDeps,
): void {
  for (const side of sideRoutes) {
    if ("post" in side) {
      app.post(
        side.path,
        route((passage) => answerPost(side, deps, passage)),
      );
    } else {
      app.get(
        side.path,
        route((passage) => answerGet(side, deps.rateLimiter, passage)),
      );
    }
    const refusal = wrongMethod("post" in side ? "POST" : "GET");
    app.all(
      side.path,
      route(() => refusal),
    );
  }
}

function wrongMethod(allow: "GET" | "POST"): HttpReply {
  return textReply(`Method not allowed. Use ${allow}.\n`, 405, { allow });
}

function tooFast(waitSeconds: number): string {
  return `too many calls from this address: try again in ${waitSeconds} s`;
}

function answerGet(
  { answer, refuse }: SideRoute,
  rateLimiter: RateLimiter | null,
  passage: Passage,
): HttpReply | Promise<HttpReply> {
  const waitSeconds =
    refuse === null ? undefined : rateLimiter?.take(passage.request.caller.address);
  return refuse === null || waitSeconds === undefined
    ? answer(passage)
    : refuse(tooFast(waitSeconds), waitSeconds);
}

async function answerPost(
  { post, refuse, refuseBody }: PostRoute,
  deps: PostDeps,
  passage: Passage,
): Promise<HttpReply> {
  const { request } = passage;
  const waitSeconds = deps.rateLimiter?.take(request.caller.address);
  const maxBodyBytes =
    waitSeconds === undefined
      ? deps.maxBodyBytes
      : Math.min(deps.maxBodyBytes, SHORT_REFUSED_BYTES);
  const body: BodyReading = await readPost({ ...deps, maxBodyBytes }, passage);
  if (waitSeconds !== undefined) {
    const reply = refuse(tooFast(waitSeconds), waitSeconds);
    if (body.kind === "text") body.done();
    else return { ...reply, headers: { ...reply.headers, connection: "close" } };
    return reply;
  }
  if (body.kind === "refused") return refuseBody(body.status, body.reason, body.headers);
  try {
    return await post(passage, body.text);
  } finally {
    request.release();
    body.done();
  }
}
