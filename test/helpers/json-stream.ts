import {
  json,
  JsonReader,
  type JsonReaderLimits,
  type JsonValue,
  readJsonStream,
  type StreamDecoder,
  streamWhole,
} from "#base/codec/index.ts";

/** Reader limits that no test reaches, for tests of other features. */
export const ROOMY_LIMITS: JsonReaderLimits = {
  maxDepth: 128,
  maxTextBytes: 1 << 20,
  maxNumberLength: 1024,
  maxBlankBytes: 1 << 20,
  maxTexts: 1 << 20,
  maxSkippedBytes: 1 << 20,
  maxKeptBytes: 64 << 20,
};

/** Bytes in chunks of one length. */
export async function* inChunks(
  bytes: Uint8Array,
  chunkBytes: number,
): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes.byteLength; at += chunkBytes) {
    yield bytes.subarray(at, at + chunkBytes);
  }
}

/** Reads one JSON value from chunks of one length. */
export function readInChunks<T>(
  text: string | Uint8Array,
  chunkBytes: number,
  decoder: StreamDecoder<T>,
  limits: Partial<JsonReaderLimits> = {},
): Promise<T> {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const reader = new JsonReader({ ...ROOMY_LIMITS, ...limits });
  return readJsonStream(inChunks(bytes, chunkBytes), reader, decoder);
}

/** Stream decoder of any JSON value, which it reads as a whole. */
export const anyJson: StreamDecoder<JsonValue> = streamWhole(json);
