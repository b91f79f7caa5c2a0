import type { AnswerStream } from "../answer-stream.ts";
import type { BodyPieces } from "../batch.ts";
import { refuse } from "../dispatch.ts";
import type { Caller } from "../limits/caller.ts";
import type { Client } from "../limits/fair-queue.ts";
import type { RpcErrorObject } from "../spec/version.ts";
import type { BodyBudget } from "./body-budget.ts";
import type { RequestBody } from "./request-body.ts";
import type { HttpSocket } from "./socket.ts";

/** The fields of a head. */
export interface RequestHeaders {
  /** @param name - in any case */
  get(name: string): string | null;
}

/** What the routes look at of a request, apart from any server: see {@link HttpHandler}. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query, or an absolute URL. */
  readonly url: string;
  readonly headers: RequestHeaders;
  /**
   * The body, as it was sent.
   *
   * @returns `undefined` when there are more than `maxBytes`; the rest is not kept
   */
  readBody(maxBytes: number): RequestBody | undefined | Promise<RequestBody | undefined>;
  /** Who waits for the answer. */
  readonly caller: Caller;
  /** What the body says is taken in: others may come. An answer says so, too. */
  release(): void;
}

/** A response: what the constructor of `Response` takes. */
export interface HttpReply {
  readonly status: number;
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | BodyPieces | null;
  /**
   * The body where `body` is `null`, sent while it is made. The connection closes it when it is not sent to its
   * end. Not with an upgrade, nor with a status that has no body (204, 304).
   */
  readonly stream?: AnswerStream;
  /** Of a 101: takes the connection over behind this answer. */
  readonly upgrade?: (deps: UpgradeDeps) => UpgradedConnection;
}

/** What a connection of another protocol is given of the one that it was asked for on. */
export interface UpgradeDeps {
  readonly socket: HttpSocket;
  /** Of long messages, shared with the bodies of requests. */
  readonly budget: BodyBudget;
  /** Who sends the messages. */
  readonly client: Client;
  /** How long a message may take to arrive. */
  readonly messageMs: number;
}

/** A connection that speaks another protocol from now on; hears what its socket tells. */
export interface UpgradedConnection {
  /** The next bytes. */
  receive(bytes: Uint8Array): void;
  /** The socket takes more. */
  drained(): void;
  /** The connection is gone. */
  closed(): void;
  /** The listener stops. */
  stop(): void;
  /** Ends what takes too long. Called again and again. */
  checkTimes(nowMs: number): void;
}

/** Answers one request; must not throw or reject. */
export type HttpHandler = (request: HttpRequest) => HttpReply | Promise<HttpReply>;

const JSON_HEADERS = { "content-type": "application/json" } as const;
const TEXT_HEADERS = { "content-type": "text/plain;charset=utf-8" } as const;

/** JSON text as a reply. */
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

/** JSON as a reply that is made while it is read. */
export function jsonStreamReply(stream: AnswerStream): HttpReply {
  return { status: 200, headers: JSON_HEADERS, body: null, stream };
}

/** An error of JSON-RPC for a request that is not looked into. */
export function errorReply(
  error: RpcErrorObject,
  status: number,
  headers?: Readonly<Record<string, string>>,
): HttpReply {
  return jsonReply(refuse(error), status, headers);
}

/** A line for people. */
export function textReply(
  body: string,
  status: number,
  headers?: Readonly<Record<string, string>>,
): HttpReply {
  return { status, headers: { ...TEXT_HEADERS, ...headers }, body };
}

/** An answer to what is no request, or none for this server; the connection ends. */
export function rawReply(status: number): HttpReply {
  return emptyReply(status, { connection: "close" });
}

/** A reply without a body. */
export function emptyReply(
  status: number,
  headers: Readonly<Record<string, string>> = {},
): HttpReply {
  return { status, headers, body: null };
}
