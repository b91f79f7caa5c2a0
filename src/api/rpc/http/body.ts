import type { HttpRequest } from "./message.ts";
import { type RequestBody, textOf } from "./request-body.ts";
import { type Decompressor, DECOMPRESSORS, type Unpacker } from "./unpacker.ts";

/** Why a body is not read. */
export interface BodyRefusal {
  readonly kind: "refused";
  /** What to answer: 400 to what is no text, else to what is not taken. */
  readonly status: 400 | 403 | 413 | 415;
  readonly reason: string;
  /** To be sent with the answer. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The text of a body, or why there is none. */
export type BodyReading =
  | {
      readonly kind: "text";
      readonly text: string;
      /** To be called once the text is not needed any more; may be called again. */
      readonly done: () => void;
    }
  | BodyRefusal;

const ACCEPTED = "gzip, deflate, identity";

/**
 * Reads the body of a request as text.
 *
 * @param maxBytes - the limit of what is sent, and again of what it is after decompression
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
    // RFC 9110, section 12.5.3: a 415 names the encodings that would have been taken.
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

/** @param text - `undefined`: the bytes are no text */
function decoded(text: string | undefined, done: () => void): BodyReading {
  if (text !== undefined) return { kind: "text", text, done };
  done();
  // Reading on with replacement characters could answer with another id than was sent.
  return broken("the body is not UTF-8");
}

function tooLong(reason: string): BodyReading {
  // The rest of the body is not read: the connection cannot carry another request.
  return { kind: "refused", status: 413, reason, headers: { connection: "close" } };
}

function broken(reason: string): BodyReading {
  return { kind: "refused", status: 400, reason, headers: {} };
}
