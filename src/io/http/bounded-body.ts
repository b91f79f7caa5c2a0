import { promisify } from "node:util";
import { gunzip } from "node:zlib";

/** A body within bounds, or why it is not had. */
export type BoundedBody =
  | { readonly kind: "whole"; readonly bytes: Uint8Array<ArrayBuffer> }
  /** It is longer than it may be; what is left of it was not read. */
  | { readonly kind: "tooLong" }
  /** It is not in the encoding that it claims, or in one that was not asked for. */
  | { readonly kind: "garbled" };

const unzip = promisify(gunzip);

/**
 * Reads a body to its end and undoes gzip. What is longer than `maxBytes` is not read on, and not
 * decompressed further: a short body can stand for gigabytes.
 *
 * @param response - as it came, not decompressed
 * @param maxBytes - before decompression and after
 * @param onChunk - told of each chunk that arrives, and of what decompression adds before it begins, in bytes
 * @param signal - is looked at before decompression
 * @throws what the stream ends with when the connection breaks or the request is aborted
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
  const saidBytes = claimedSize(raw);
  if (saidBytes === undefined) return { kind: "garbled" };
  const most = Math.min(maxBytes, saidBytes);
  onChunk(Math.max(0, most - raw.byteLength));
  signal.throwIfAborted();
  const text = await unzipped(raw, most);
  return text.kind === "tooLong" && saidBytes <= maxBytes ? { kind: "garbled" } : text;
}

/** Least bytes of something zipped, and where in the last of them its size stands (RFC 1952, ISIZE). */
const LEAST_ZIPPED = 18;
const SIZE_AT = 4;

/** How long zipped bytes say that they are; what is longer than it says is not taken. */
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

/** In memory of its own: a pooled buffer cannot be handed to another thread. */
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

/** What zlib calls an output above `maxOutputLength`. */
const TOO_LARGE = "ERR_BUFFER_TOO_LARGE";

/** The same bytes in memory of their own. */
function own(text: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = text;
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  return isWhole ? new Uint8Array(buffer) : joined([text], byteLength);
}
