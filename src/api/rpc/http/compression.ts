import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from "hono/compress";
import { type BodyPieces, byteLength, isLongerThan } from "../batch.ts";
import { acceptedEncoding, ENCODERS, type Encoding } from "./encodings.ts";
import type { HttpReply, HttpRequest } from "./message.ts";

/** Bodies longer than this are compressed if the client accepts it. */
export const LONG_BODY_BYTES = 1_024;

/**
 * Maximum number of bodies compressed concurrently: each takes up to some MiB of state in addition to its
 * bytes.
 */
const MAX_RUNNING = 32;

/** Maximum bytes of all bodies compressed concurrently; a single larger one is still allowed. */
const MAX_RUNNING_BYTES = 32 << 20;

/**
 * Compresses long responses for clients that accept it, on zlib's own threads.
 *
 * Hono's compression takes the body of a real `Response` and returns a stream without a length, on this
 * thread, with its own copy and without a bound. Here, responses beyond the bounds are sent uncompressed:
 * clients cannot demand more compression than the node can do, and no response waits for another.
 */
export class ReplyCompressor {
  #running = 0;
  #runningBytes = 0;

  /** Returns the response in an encoding that the client accepts; never rejects. */
  compress(reply: HttpReply, request: HttpRequest): HttpReply | Promise<HttpReply> {
    const { body, headers, stream } = reply;
    const isLong = body === null ? stream !== undefined : isLongerThan(body, LONG_BODY_BYTES);
    if (!isLong || headers["content-encoding"] !== undefined) return reply;
    if (!COMPRESSIBLE_CONTENT_TYPE_REGEX.test(headers["content-type"] ?? "")) return reply;
    const varied = { ...reply, headers: withVary(headers) };
    // Streams are sent uncompressed: compression would delay their chunks.
    if (body === null) return varied;
    const accepted = request.headers.get("accept-encoding");
    const encoding = accepted === null ? undefined : acceptedEncoding(accepted);
    // A HEAD response reports the uncompressed length: compressing only for its length is not worth it.
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

/** @returns the compressed bytes; `undefined` if they would not be shorter */
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
