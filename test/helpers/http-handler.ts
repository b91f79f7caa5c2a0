import { createMethodTables, type ServerContext } from "#api/rpc/index.ts";
import { createHttpHandler, type HandlerDeps } from "#api/rpc/http/handler.ts";
import { IncomingRequest } from "#api/rpc/http/incoming.ts";
import { RequestHead } from "#api/rpc/http/request-head.ts";
import { Caller } from "#api/rpc/limits/caller.ts";
import { Unpacker } from "#api/rpc/http/unpacker.ts";
import type { HttpHandler, HttpReply, HttpRequest } from "#api/rpc/http/message.ts";
import type { BodyPieces } from "#api/rpc/batch.ts";
import { bodyText } from "./held-bytes.ts";

/** A request without a connection. */
export function httpRequest(
  method: string,
  url: string,
  headers: Readonly<Record<string, string>> = {},
  body: string | Uint8Array = "{}",
): HttpRequest {
  const rawHeaders = Object.entries(headers).flat();
  const request = new IncomingRequest(
    new RequestHead({ method, url, rawHeaders, version: [1, 1], keepsAlive: true }),
    () => undefined,
    new Caller("192.0.2.1"),
  );
  const bytes = Buffer.from(body);
  request.add(bytes, 0, bytes.byteLength);
  request.end();
  return request;
}

/** The handler of the server, over a dispatcher that responds to every body with `answer`. */
export function httpHandler<C extends ServerContext = ServerContext>(
  deps: Partial<HandlerDeps<C>> = {},
  answer: string | BodyPieces = '"answer"',
): HttpHandler {
  return createHttpHandler({
    dispatcher: { handle: () => Promise.resolve(answer) },
    tables: createMethodTables(),
    cors: "local",
    hosts: "local",
    readiness: () => ({ ready: true, blockNumber: 7, isInSync: true, lagBlocks: 0 }),
    maxBodyBytes: 1_000,
    unpacker: new Unpacker(),
    rateLimiter: null,
    webSockets: null,
    sideRoutes: [],
    ...deps,
  });
}

/** The body of a response as text. */
export function textOf({ body }: HttpReply): string {
  return bodyText(body);
}
