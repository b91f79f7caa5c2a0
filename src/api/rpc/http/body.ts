import { errorReply, type HttpReply, type HttpRequest } from "./message.ts";
import { invalidRequest, parseFailure } from "../json-rpc.ts";
import { type Decompressor, DECOMPRESSORS, type Unpacker } from "./unpacker.ts";

/** The text of a body, or the reply that says why there is none. */
export type BodyReading =
  | {
      readonly kind: "text";
      readonly text: string;
      /** To be called once the text is not needed any more; may be called again. */
      readonly done: () => void;
    }
  | { readonly kind: "refused"; readonly reply: HttpReply };

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
    const error = invalidRequest(`content-encoding: expected one of ${ACCEPTED}`);
    // RFC 9110, section 12.5.3: a 415 names the encodings that would have been taken.
    return refused(errorReply(error, 415, { "accept-encoding": ACCEPTED }));
  }
  const sent = request.readBody(maxBytes);
  const read = (bytes: Uint8Array | undefined): BodyReading | Promise<BodyReading> => {
    if (bytes === undefined) return tooLong(`the body is longer than ${maxBytes} bytes`);
    if (decompressor === undefined) return decoded(bytes, () => undefined);
    return unpackedText(bytes, encoding, decompressor, maxBytes, unpacker);
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
      return decoded(unpacked.bytes, unpacked.done);
    case "too long":
      return tooLong(`the body is longer than ${maxBytes} bytes when it is unpacked`);
    case "broken":
      return refused(errorReply(parseFailure(`the body is not whole ${encoding} data`), 400));
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decoded(bytes: Uint8Array, done: () => void): BodyReading {
  try {
    return { kind: "text", text: utf8.decode(bytes), done };
  } catch {
    done();
    // Reading on with replacement characters could answer with another id than was sent.
    return refused(errorReply(parseFailure("the body is not UTF-8"), 400));
  }
}

function tooLong(reason: string): BodyReading {
  // The rest of the body is not read: the connection cannot carry another request.
  return refused(errorReply(invalidRequest(reason), 413, { connection: "close" }));
}

function refused(reply: HttpReply): BodyReading {
  return { kind: "refused", reply };
}
