import { promisify } from "node:util";
import { gunzip } from "node:zlib";

/** Body within its limits, or the reason why it was rejected. */
export type BoundedBody =
  | { readonly kind: "whole"; readonly bytes: Uint8Array<ArrayBuffer> }
  /** Exceeds the limit; the rest was not read. */
  | { readonly kind: "tooLong" }
  /** Not in its declared encoding, or in one that was not requested. */
  | { readonly kind: "garbled" };

const unzip = promisify(gunzip);

/**
 * Reads a body to its end and decompresses gzip. Reading and decompression stop at `maxBytes`: a short body
 * can expand to gigabytes.
 *
 * @param response - as received, not decompressed
 * @param maxBytes - limit both before and after decompression
 * @param onChunk - called with the size of each chunk in bytes, and before decompression with the size it
 *   adds
 * @param signal - checked before decompression
 * @throws the stream's error when the connection breaks or the request is aborted
 */
export async function readBounded(
  response: Response,
  maxBytes: number,
  onChunk: (sizeBytes: number) => void,
  signal: AbortSignal,
): Promise<BoundedBody> {
  const raw = await readRaw(response, maxBytes, onChunk);
  if (raw === undefined) return { kind: "tooLong" };
  const encoding = response.headers.get("content-encoding")?.trim().toLowerCase() ?? "identity";
  if (encoding === "identity" || encoding === "") return { kind: "whole", bytes: raw };
  if (encoding !== "gzip" && encoding !== "x-gzip") return { kind: "garbled" };
  const declaredBytes = claimedSize(raw);
  if (declaredBytes === undefined) return { kind: "garbled" };
  const limitBytes = Math.min(maxBytes, declaredBytes);
  onChunk(Math.max(0, limitBytes - raw.byteLength));
  signal.throwIfAborted();
  const text = await unzipped(raw, limitBytes);
  return text.kind === "tooLong" && declaredBytes <= maxBytes ? { kind: "garbled" } : text;
}

/** Minimum size of gzip data, and distance of its size field from the end (RFC 1952, ISIZE). */
const LEAST_ZIPPED = 18;
const SIZE_AT = 4;

/** Declared size of the decompressed data; longer output is rejected. */
function claimedSize(raw: Uint8Array): number | undefined {
  if (raw.byteLength < LEAST_ZIPPED) return undefined;
  const view = new DataView(raw.buffer, raw.byteOffset + raw.byteLength - SIZE_AT, SIZE_AT);
  return view.getUint32(0, true);
}

async function readRaw(
  response: Response,
  maxBytes: number,
  onChunk: (sizeBytes: number) => void,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (response.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body as ReadableStream<Uint8Array>) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the stream.
    if (bytes > maxBytes) return undefined;
    chunks.push(chunk);
    onChunk(chunk.byteLength);
  }
  return joined(chunks, bytes);
}

/** Copies chunks to a new buffer: a pooled one cannot be transferred to another thread. */
function joined(chunks: readonly Uint8Array[], sizeBytes: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(sizeBytes);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}

async function unzipped(raw: Uint8Array, maxBytes: number): Promise<BoundedBody> {
  try {
    const text = await unzip(raw, { maxOutputLength: Math.max(1, maxBytes) });
    return { kind: "whole", bytes: own(text) };
  } catch (cause) {
    const isOver = cause instanceof Error && "code" in cause && cause.code === TOO_LARGE;
    return { kind: isOver ? "tooLong" : "garbled" };
  }
}

/** Error code of zlib for output above `maxOutputLength`. */
const TOO_LARGE = "ERR_BUFFER_TOO_LARGE";

/** Returns the bytes in a buffer that holds nothing else. */
function own(text: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = text;
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  return isWhole ? new Uint8Array(buffer) : joined([text], byteLength);
}
