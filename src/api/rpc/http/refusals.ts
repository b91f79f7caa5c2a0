import { invalidRequest, limitExceeded } from "../json-rpc.ts";
import { Caller } from "../limits/caller.ts";
import { IncomingRequest } from "./incoming.ts";
import { errorReply, type HttpReply } from "./message.ts";
import { RequestHead } from "./request-head.ts";

/** Most requests of one connection that wait behind the one that is answered. */
export const MAX_PIPELINED = 1_000;

/** The answer to one request more. */
export const TOO_MANY: HttpReply = errorReply(
  invalidRequest(`more than ${MAX_PIPELINED} requests are waiting on this connection`),
  429,
  { connection: "close" },
);

/** The answer to what is beyond a limit of the node, however long it waited. */
export const OVERLOADED: HttpReply = errorReply(
  limitExceeded("the node has no room for this request: try again later"),
  503,
  { "retry-after": "1", connection: "close" },
);

/** The status of what never became a request, by the code of the parser's error. */
export function statusOfBroken(code: string): number {
  return code === "HPE_HEADER_OVERFLOW" ? 431 : 400;
}

/** What could not be read has none. */
const NO_HEAD = new RequestHead({
  method: "GET",
  url: "/",
  rawHeaders: [],
  version: [1, 1],
  keepsAlive: false,
});

/** Stands in the row of requests for what could not be read. */
export function brokenRequest(reply: HttpReply): IncomingRequest {
  const request = new IncomingRequest(NO_HEAD, () => undefined, new Caller(undefined));
  request.refusal = reply;
  return request;
}
