import { JsonReader, type JsonReaderLimits, type StreamDecoder } from "#base/codec/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import { type Endpoint, postStreamed, type StreamedAnswer } from "#io/http/index.ts";
import { decodeAnswer, placeIn } from "./decode-answer.ts";
import { badAnswer, errorWithoutAnswer, noAnswer, requireLasting } from "./rpc-error.ts";

/** Limits of a response that is decoded while it arrives. */
export interface StreamLimits extends JsonReaderLimits {
  /** Maximum size of a response, in bytes both before and after decompression. */
  readonly maxAnswerBytes: number;
}

/**
 * Default limits, far above the traces of full blocks. `maxKeptBytes` holds some hundred thousand calls.
 * `maxAnswerBytes` takes a quarter of an hour to read. `maxTexts` felts fill half of the memory that a
 * machine can address. Unknown members of calls are small in all nodes.
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

/** Request to a node whose response is streamed. */
export interface StreamQuestion {
  readonly endpoint: Endpoint;
  readonly method: string;
  readonly body: string;
  /** Maximum wait for the head of the response, and then for more of it; milliseconds. */
  readonly timeoutMs: number;
  readonly streamLimits: StreamLimits;
  readonly signal: AbortSignal;
  readonly timer: Timer;
}

/**
 * Sends one request and decodes its result while it arrives.
 *
 * @throws {RpcRefusal} when the node responds with an error
 * @throws {NodeError} NODE_UNREACHABLE when the response is late or incomplete, NODE_BAD_ANSWER when it is
 *   invalid, NODE_STOPPED when the signal is aborted
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
      const message = `${theAnswer} is not in a requested encoding: it breaks ${where}`;
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
