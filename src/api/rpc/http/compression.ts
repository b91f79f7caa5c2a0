import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from "hono/compress";
import { type BodyPieces, byteLength, isLongerThan } from "../batch.ts";
import { acceptedEncoding, ENCODERS, type Encoding } from "./encodings.ts";
import type { HttpReply, HttpRequest } from "./message.ts";

/** A body of more bytes than this is compressed when that is asked for. */
export const LONG_BODY_BYTES = 1_024;

/** Most bodies that are compressed at a time: each takes up to some MiB of state beside its bytes. */
const MAX_RUNNING = 32;

/** Most bytes of bodies that are compressed at a time, unless it is one alone. */
const MAX_RUNNING_BYTES = 32 << 20;

/**
 * Compresses long answers for whom asks for it, on zlib's own threads.
 *
 * Hono's compression takes the body of a real `Response` and gives a stream without a length, on this
 * thread, with a copy of its own; and it has no bound. Here what goes beyond the bounds is answered
 * as it is: a client can make the node compress no faster than it can, and nobody waits for others.
 */
export class ReplyCompressor {
  #running = 0;
  #runningBytes = 0;

  /** The answer as the client takes it; never rejects. */
  compress(reply: HttpReply, request: HttpRequest): HttpReply | Promise<HttpReply> {
    const { body, headers, stream } = reply;
    const isLong = body === null ? stream !== undefined : isLongerThan(body, LONG_BODY_BYTES);
    if (!isLong || headers["content-encoding"] !== undefined) return reply;
    if (!COMPRESSIBLE_CONTENT_TYPE_REGEX.test(headers["content-type"] ?? "")) return reply;
    const varied = { ...reply, headers: withVary(headers) };
    // A stream goes out as it is: compressing it would hold its pieces back.
    if (body === null) return varied;
    const accepted = request.headers.get("accept-encoding");
    const encoding = accepted === null ? undefined : acceptedEncoding(accepted);
    // A HEAD tells the length of the answer as it is: it is not worth making the other one.
    if (encoding === undefined || request.method === "HEAD") return varied;
    const size = byteLength(body);
    const isFull = this.#running >= MAX_RUNNING || this.#runningBytes + size > MAX_RUNNING_BYTES;
    if (isFull && this.#running > 0) return varied;
    return this.#run(varied, encoding, wholeOf(body));
  }

  async #run(reply: HttpReply, encoding: Encoding, bytes: Uint8Array): Promise<HttpReply> {
    this.#running++;
    this.#runningBytes += bytes.byteLength;
    const packed = await encode(encoding, bytes);
    this.#running--;
    this.#runningBytes -= bytes.byteLength;
    return packed === undefined
      ? { ...reply, body: bytes }
      : { ...reply, headers: { ...reply.headers, "content-encoding": encoding }, body: packed };
  }
}

function wholeOf(body: string | Uint8Array | BodyPieces): Uint8Array {
  if (typeof body === "string") return Buffer.from(body);
  if (body instanceof Uint8Array) return body;
  return Buffer.concat(body.map((piece) => wholeOf(piece)));
}

/** @returns `undefined` when it would not be shorter */
function encode(encoding: Encoding, bytes: Uint8Array): Promise<Uint8Array | undefined> {
  return new Promise((resolve) => {
    ENCODERS[encoding](bytes, bytes.byteLength - 1, (error, output) => {
      resolve(error === null ? output : undefined);
    });
  });
}

function withVary(headers: HttpReply["headers"]): Record<string, string> {
  const { vary } = headers;
  return { ...headers, vary: vary === undefined ? "accept-encoding" : `${vary}, accept-encoding` };
}
