import { JsonReader, type StreamDecoder } from "#base/codec/index.ts";
import { decodeAnswer } from "#io/client/decode-answer.ts";
import { STREAM_LIMITS } from "#io/client/index.ts";
import { inChunks } from "./json-stream.ts";

/** Length of the chunks; a prime, so that they split tokens everywhere. */
const CHUNK_BYTES = 509;

/** Decodes the result of a method from its JSON, which arrives in small chunks. */
export function streamedAnswer<T>(
  method: string,
  resultJson: string,
  decoder: StreamDecoder<T>,
): Promise<T> {
  const answerer = { name: "the node", masked: (text: string) => text, method };
  const answer = new TextEncoder().encode(`{"jsonrpc":"2.0","id":1,"result":${resultJson}}`);
  const chunks = inChunks(answer, CHUNK_BYTES);
  return decodeAnswer(answerer, chunks, new JsonReader(STREAM_LIMITS), decoder);
}
