import { gunzip, inflate, type InputType, type ZlibOptions } from "node:zlib";
import { errorReply, type HttpReply, type HttpRequest } from "./message.ts";
import { invalidRequest, parseFailure } from "../json-rpc.ts";

/** The text of a body, or the reply that says why there is none. */
export type BodyReading =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "refused"; readonly reply: HttpReply };

type Decompressor = (
  input: InputType,
  options: ZlibOptions & { maxOutputLength: number },
  done: (error: Error | null, output: Uint8Array) => void,
) => void;

/** `Content-Encoding` values (RFC 9110, section 8.4.1); `null` stands for bytes as they are. */
const ENCODINGS: ReadonlyMap<string, Decompressor | null> = new Map([
  ["identity", null],
  ["gzip", gunzip as Decompressor],
  ["x-gzip", gunzip as Decompressor],
  ["deflate", inflate as Decompressor],
]);

const ACCEPTED = "gzip, deflate, identity";

/**
 * Reads the body of a request as text.
 *
 * @param maxBytes - the limit of what is sent, and again of what it is after decompression
 */
export function readBodyText(
  request: HttpRequest,
  maxBytes: number,
): BodyReading | Promise<BodyReading> {
  const encoding = request.headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  const decompressor = encoding === "" ? null : ENCODINGS.get(encoding);
  if (decompressor === undefined) {
    const error = invalidRequest(`content-encoding: expected one of ${ACCEPTED}`);
    // RFC 9110, section 12.5.3: a 415 names the encodings that would have been taken.
    return refused(errorReply(error, 415, { "accept-encoding": ACCEPTED }));
  }
  const sent = request.readBody(maxBytes);
  return sent instanceof Promise
    ? sent.then((late) => textOf(late, encoding, decompressor, maxBytes))
    : textOf(sent, encoding, decompressor, maxBytes);
}

function textOf(
  sent: Uint8Array | undefined,
  encoding: string,
  decompressor: Decompressor | null,
  maxBytes: number,
): BodyReading | Promise<BodyReading> {
  if (sent === undefined) return tooLong(`the body is longer than ${maxBytes} bytes`);
  return decompressor === null
    ? decoded(sent)
    : unpackedText(sent, encoding, decompressor, maxBytes);
}

async function unpackedText(
  sent: Uint8Array,
  encoding: string,
  decompressor: Decompressor,
  maxBytes: number,
): Promise<BodyReading> {
  const unpacked = await unpack(decompressor, sent, maxBytes);
  if (unpacked === "too long") {
    return tooLong(`the body is longer than ${maxBytes} bytes when it is unpacked`);
  }
  if (unpacked === "broken") {
    return refused(errorReply(parseFailure(`the body is not whole ${encoding} data`), 400));
  }
  return decoded(unpacked);
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decoded(bytes: Uint8Array): BodyReading {
  try {
    return { kind: "text", text: utf8.decode(bytes) };
  } catch {
    // Reading on with replacement characters could answer with another id than was sent.
    return refused(errorReply(parseFailure("the body is not UTF-8"), 400));
  }
}

/** Runs on zlib's own threads and stops at the limit, however much a bomb holds. */
function unpack(
  decompress: Decompressor,
  bytes: Uint8Array,
  maxBytes: number,
): Promise<Uint8Array | "too long" | "broken"> {
  return new Promise((resolve) => {
    decompress(bytes, { maxOutputLength: maxBytes }, (error, output) => {
      if (error === null) resolve(output);
      else {
        const { code } = error as { code?: unknown };
        resolve(code === "ERR_BUFFER_TOO_LARGE" ? "too long" : "broken");
      }
    });
  });
}

function tooLong(reason: string): BodyReading {
  // The rest of the body is not read: the connection cannot carry another request.
  return refused(errorReply(invalidRequest(reason), 413, { connection: "close" }));
}

function refused(reply: HttpReply): BodyReading {
  return { kind: "refused", reply };
}
