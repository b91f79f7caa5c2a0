import type { AnswerStream } from "../answer-stream.ts";
import type { BodyPieces } from "../batch.ts";
import { refuse } from "../dispatch.ts";
import type { Caller } from "../limits/caller.ts";
import type { Client } from "../limits/fair-queue.ts";
import type { RpcErrorObject } from "../spec/version.ts";
import type { BodyBudget } from "./body-budget.ts";
import type { RequestBody } from "./request-body.ts";
import type { HttpSocket } from "./socket.ts";

/** Fields of a request head. */
export interface RequestHeaders {
  /** @param name - case-insensitive */
  get(name: string): string | null;
}

/** Request as the routes see it, independent of any server: see {@link HttpHandler}. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query, or an absolute URL. */
  readonly url: string;
  readonly headers: RequestHeaders;
  /**
   * Reads the body, as it was sent.
   *
   * @returns `undefined` if it is longer than `maxBytes`; the rest is discarded
   */
  readBody(maxBytes: number): RequestBody | undefined | Promise<RequestBody | undefined>;
  readonly caller: Caller;
  /** The body has been processed, so its budget is free for others. Sending the response implies it. */
  release(): void;
}

/** HTTP response. */
export interface HttpReply {
  readonly status: number;
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | BodyPieces | null;
  /**
   * Body that is sent while it is produced; requires `body` to be `null`. The connection closes the stream if
   * it is not sent to its end. Not allowed with an upgrade or with a status that has no body (204, 304).
   */
  readonly stream?: AnswerStream;
  /** Only with status 101: takes over the connection after this response. */
  readonly upgrade?: (deps: UpgradeDeps) => UpgradedConnection;
}

/** Parts of an HTTP connection that the upgraded protocol uses. */
export interface UpgradeDeps {
  readonly socket: HttpSocket;
  /** Budget for long messages, shared with request bodies. */
  readonly budget: BodyBudget;
  readonly client: Client;
  readonly messageMs: number;
}

/** Connection that was upgraded to another protocol; receives the events of its socket. */
export interface UpgradedConnection {
  receive(bytes: Uint8Array): void;
  /** The socket accepts more bytes. */
  drained(): void;
  closed(): void;
  stop(): void;
  /** Ends operations that take too long. Called periodically. */
  checkTimes(nowMs: number): void;
}

/** Answers one request; must not throw or reject. */
export type HttpHandler = (request: HttpRequest) => HttpReply | Promise<HttpReply>;

const JSON_HEADERS = { "content-type": "application/json" } as const;
const TEXT_HEADERS = { "content-type": "text/plain;charset=utf-8" } as const;

/** Creates a reply from JSON text. */
export function jsonReply(
  body: string | Uint8Array | BodyPieces,
  status: number,
  headers?: Readonly<Record<string, string>>,
): HttpReply {
  return {
    status,
    headers: headers === undefined ? JSON_HEADERS : { ...JSON_HEADERS, ...headers },
    body,
  };
}

/** Creates a reply whose JSON is produced while it is sent. */
export function jsonStreamReply(stream: AnswerStream): HttpReply {
  return { status: 200, headers: JSON_HEADERS, body: null, stream };
}

/** Creates a reply with a JSON-RPC error for a request whose body was not processed. */
export function errorReply(
  error: RpcErrorObject,
  status: number,
  headers?: Readonly<Record<string, string>>,
): HttpReply {
  return jsonReply(refuse(error), status, headers);
}

/** Creates a plain-text reply for people. */
export function textReply(
  body: string,
  status: number,
  headers?: Readonly<Record<string, string>>,
): HttpReply {
  return { status, headers: { ...TEXT_HEADERS, ...headers }, body };
}

/** Creates the reply to an invalid or refused request; the connection ends. */
export function rawReply(status: number): HttpReply {
  return emptyReply(status, { connection: "close" });
}

/** Creates a reply without a body. */
export function emptyReply(
  status: number,
  headers: Readonly<Record<string, string>> = {},
): HttpReply {
  return { status, headers, body: null };
}
