import { JsonReader, type JsonReaderLimits, type StreamDecoder } from "#base/codec/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import { type Endpoint, postStreamed, type StreamedAnswer } from "#io/http/index.ts";
import { decodeAnswer, placeIn } from "./decode-answer.ts";
import { badAnswer, errorWithoutAnswer, noAnswer, requireLasting } from "./rpc-error.ts";

/** Bounds of an answer that is decoded while it arrives. */
export interface StreamLimits extends JsonReaderLimits {
  /** Longest answer, bytes before decompression and after. */
  readonly maxAnswerBytes: number;
}

/**
 * Bounds that traces of full blocks stay far below: 512 MiB for what is kept of them, which are some
 * hundred thousand calls, and 64 GiB of text, which take a quarter of an hour to read. A list has no more
 * felts than fill half of the memory that a machine can address. Unknown members of calls are small in all
 * nodes.
 */
export const STREAM_LIMITS: StreamLimits = {
  maxAnswerBytes: 2 ** 36,
  maxKeptBytes: 512 << 20,
  maxTexts: 1 << 26,
  maxSkippedBytes: 256 << 20,
  maxTextBytes: 16 << 20,
  maxBlankBytes: 1 << 20,
  maxNumberLength: 1024,
  maxDepth: 1024,
};

/** A question to a node. */
export interface StreamQuestion {
  readonly endpoint: Endpoint;
  readonly method: string;
  /** The request, JSON. */
  readonly body: string;
  /** Longest wait for the head of the answer, and then for more of it; milliseconds. */
  readonly timeoutMs: number;
  readonly streamLimits: StreamLimits;
  readonly signal: AbortSignal;
  readonly timer: Timer;
}

/**
 * Asks once, and decodes the result while it arrives.
 *
 * @throws {RpcRefusal} when the node answers with an error
 * @throws {NodeError} NODE_UNREACHABLE when it does not answer in time or to the end, NODE_BAD_ANSWER when
 *   it answers with something else, NODE_STOPPED
 */
export async function streamAnswer<T>(
  question: StreamQuestion,
  decoder: StreamDecoder<T>,
): Promise<T> {
  const { endpoint, method, body, timeoutMs, streamLimits, signal, timer } = question;
  const reader = new JsonReader(streamLimits);
  const answer = await postStreamed<T>({
    endpoint,
    body,
    idleTimeoutMs: timeoutMs,
    maxAnswerBytes: streamLimits.maxAnswerBytes,
    signal,
    timer,
    async read(status, chunks) {
      requireLasting(endpoint.name, method, status);
      return await decodeAnswer({ ...endpoint, method }, chunks, reader, decoder);
    },
  });
  return answer.kind === "read" ? answer.value : failed(question, answer, reader);
}

function failed<T>(
  { endpoint: { name }, method, timeoutMs, streamLimits }: StreamQuestion,
  answer: Exclude<StreamedAnswer<T>, { readonly kind: "read" }>,
  reader: JsonReader,
): never {
  const theAnswer = `the answer of ${name} to ${method}`;
  const place = placeIn(reader.place);
  const where = `after ${reader.receivedBytes} bytes${place === "" ? "" : `, in ${place}`}`;
  switch (answer.kind) {
    case "tooLong":
      throw badAnswer(`${theAnswer} is longer than ${streamLimits.maxAnswerBytes} bytes`);
    case "garbled": {
      const message = `${theAnswer} is not in an encoding that was asked for: it breaks ${where}`;
      throw badAnswer(message, answer.cause);
    }
    case "idle":
      throw noAnswer(`${theAnswer} did not continue in ${timeoutMs} ms, ${where}`, answer.cause);
    case "broken":
      throw noAnswer(`${theAnswer} breaks off ${where}: the connection ended`, answer.cause);
    default:
      throw errorWithoutAnswer(name, method, timeoutMs, answer);
  }
}
