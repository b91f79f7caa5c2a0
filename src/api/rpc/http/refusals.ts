import { invalidRequest, limitExceeded } from "../json-rpc.ts";
import { Caller } from "../limits/caller.ts";
import { IncomingRequest } from "./incoming.ts";
import { errorReply, type HttpReply } from "./message.ts";
import { RequestHead } from "./request-head.ts";

/** Maximum number of queued requests per connection, in addition to the one being answered. */
export const MAX_PIPELINED = 1_000;

/** Reply to a request beyond {@link MAX_PIPELINED}. */
export const TOO_MANY: HttpReply = errorReply(
  invalidRequest(`more than ${MAX_PIPELINED} requests are waiting on this connection`),
  429,
  { connection: "close" },
);

/** Reply to a request beyond a limit of the node, however long it waited. */
export const OVERLOADED: HttpReply = errorReply(
  limitExceeded("the node has no room for this request: try again later"),
  503,
  { "retry-after": "1", connection: "close" },
);

/** Returns the HTTP status for a request that the parser refuses, by the parser's error code. */
export function statusOfBroken(code: string): number {
  return code === "HPE_HEADER_OVERFLOW" ? 431 : 400;
}

/** Placeholder head of a request that could not be parsed. */
const NO_HEAD = new RequestHead({
  method: "GET",
  url: "/",
  rawHeaders: [],
  version: [1, 1],
  keepsAlive: false,
});

/** Creates the queue entry of a request that could not be parsed. */
export function brokenRequest(reply: HttpReply): IncomingRequest {
  const request = new IncomingRequest(NO_HEAD, () => undefined, new Caller(undefined));
  request.refusal = reply;
  return request;
}
