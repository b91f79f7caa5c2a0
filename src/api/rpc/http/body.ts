import type { HttpRequest } from "./message.ts";
import { type RequestBody, textOf } from "./request-body.ts";
import { type Decompressor, DECOMPRESSORS, type Unpacker } from "./unpacker.ts";

/** Reason not to read a body. */
export interface BodyRefusal {
  readonly kind: "refused";
  /** Response status: 400 if the bytes are not valid text, otherwise why the body is rejected. */
  readonly status: 400 | 403 | 413 | 415;
  readonly reason: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Text of a body, or the reason why it cannot be read. */
export type BodyReading =
  | {
      readonly kind: "text";
      readonly text: string;
      /** Must be called when the text is no longer needed. Idempotent. */
      readonly done: () => void;
    }
  | BodyRefusal;

const ACCEPTED = "gzip, deflate, identity";

/**
 * Reads the body of a request as text.
 *
 * @param maxBytes - limit of the bytes sent, and also of the bytes after decompression
 */
export function readBodyText(
  request: HttpRequest,
  maxBytes: number,
  unpacker: Unpacker,
): BodyReading | Promise<BodyReading> {
  const encoding = request.headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  const decompressor = DECOMPRESSORS.get(encoding);
  if (decompressor === undefined && encoding !== "" && encoding !== "identity") {
    const reason = `content-encoding: expected one of ${ACCEPTED}`;
    // RFC 9110, section 12.5.3: a 415 lists the encodings that are accepted.
    return { kind: "refused", status: 415, reason, headers: { "accept-encoding": ACCEPTED } };
  }
  const sent = request.readBody(maxBytes);
  const read = (body: RequestBody | undefined): BodyReading | Promise<BodyReading> => {
    if (body === undefined) return tooLong(`the body is longer than ${maxBytes} bytes`);
    if (decompressor === undefined) return decoded(body.text(), NOTHING_KEPT);
    return unpackedText(body.bytes(), encoding, decompressor, maxBytes, unpacker);
  };
  return sent instanceof Promise ? sent.then(read) : read(sent);
}

async function unpackedText(
  sent: Uint8Array,
  encoding: string,
  decompressor: Decompressor,
  maxBytes: number,
  unpacker: Unpacker,
): Promise<BodyReading> {
  const unpacked = await unpacker.unpack(decompressor, sent, maxBytes);
  switch (unpacked.kind) {
    case "unpacked":
      return decoded(textOf(unpacked.bytes), unpacked.done);
    case "too long":
      return tooLong(`the body is longer than ${maxBytes} bytes when it is unpacked`);
    case "broken":
      return broken(`the body is not whole ${encoding} data`);
  }
}

const NOTHING_KEPT = (): void => undefined;

/** @param text - `undefined` if the bytes are not valid text */
function decoded(text: string | undefined, done: () => void): BodyReading {
  if (text !== undefined) return { kind: "text", text, done };
  done();
  // Replacement characters could change a request's id, and the response would then carry a wrong one.
  return broken("the body is not UTF-8");
}

function tooLong(reason: string): BodyReading {
  // The rest of the body is not read: the connection cannot carry another request.
  return { kind: "refused", status: 413, reason, headers: { connection: "close" } };
}

function broken(reason: string): BodyReading {
  return { kind: "refused", status: 400, reason, headers: {} };
}
