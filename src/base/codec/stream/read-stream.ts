import { InvariantError } from "#base/errors/index.ts";
import type { JsonReader } from "./json-reader.ts";
import { arrived, type Reading } from "./pending.ts";
import type { StreamDecoder } from "./stream-decoder.ts";

/**
 * Decodes a byte stream that contains exactly one JSON value.
 *
 * @throws {DecodeError} when the bytes are not JSON, exceed a limit of the reader, or do not have the form
 *   that the decoder expects
 * @throws errors of the stream
 */
export async function readJsonStream<T>(
  chunks: AsyncIterable<Uint8Array>,
  reader: JsonReader,
  decoder: StreamDecoder<T>,
): Promise<T> {
  const reading = documentOf(reader, decoder);
  let step = reading.next();
  for await (const chunk of chunks) {
    reader.feed(chunk);
    step = reading.next();
  }
  reader.end();
  if (!step.done) step = reading.next();
  if (step.done) return step.value;
  throw new InvariantError("a JSON decoder waits for bytes after the end of its stream");
}

function* documentOf<T>(reader: JsonReader, decoder: StreamDecoder<T>): Reading<T> {
  const value = yield* decoder.read(reader);
  yield* arrived(() => reader.finish());
  return value;
}
