import {
  arrived,
  json,
  type JsonReader,
  type Reading,
  readJsonStream,
  type StreamDecoder,
  streamWhole,
} from "#base/codec/index.ts";
import { DecodeError, type NodeError } from "#base/errors/index.ts";
import type { Endpoint } from "#io/http/index.ts";
import { badAnswer, refusalOf } from "./rpc-error.ts";

/** Node and method of a response, for error messages. */
export interface ResponseSource extends Pick<Endpoint, "name" | "masked"> {
  /** Full method name. */
  readonly method: string;
}

/**
 * Decodes the result of a JSON-RPC response while it arrives.
 *
 * @throws {RpcRefusal} when the response is an error
 * @throws {NodeError} NODE_BAD_ANSWER when it is not JSON-RPC, exceeds a limit of the reader, or its result
 *   has another shape
 * @throws what the chunks throw
 */
export async function decodeAnswer<T>(
  source: ResponseSource,
  chunks: AsyncIterable<Uint8Array>,
  reader: JsonReader,
  decoder: StreamDecoder<T>,
): Promise<T> {
  try {
    return await readJsonStream(chunks, reader, envelopeOf(source, decoder));
  } catch (error) {
    throw error instanceof DecodeError ? refusedForm(source, error) : error;
  }
}

/** Creates the error for a response that is not JSON, exceeds a limit, or has another shape. */
function refusedForm({ name, method }: ResponseSource, cause: DecodeError): NodeError {
  const { meta, expected } = cause;
  const place = placeIn(cause.path);
  const what = `${place === "" ? "" : `${place}: `}expected ${expected}`;
  const theAnswer = `the answer of ${name} to ${method}`;
  if (meta["limit"] !== undefined) return badAnswer(`${theAnswer} is over a limit: ${what}`, cause);
  if (meta["json"] === "cut") return badAnswer(`${theAnswer} ends too early: ${what}`, cause);
  if (meta["json"] !== undefined) {
    return badAnswer(`${name} did not answer ${method} with JSON: ${what}`, cause);
  }
  return badAnswer(`${theAnswer} does not match the specification: ${what}`, cause);
}

/**
 * Strips the leading `result` from the path of an invalid value in a JSON-RPC response: messages name its
 * place from the result on, as the specification does.
 */
export function placeIn(path: string): string {
  return path.replace(/^result(?:\.|(?=\[)|$)/, "");
}

const wholeError = streamWhole(json);

/** Decodes a JSON-RPC response; its members may come in any order. */
function envelopeOf<T>(
  { name, masked, method }: ResponseSource,
  decoder: StreamDecoder<T>,
): StreamDecoder<T> {
  return {
    describe: decoder.describe,
    *read(reader): Reading<T> {
      const notRpc = `${name} did not answer ${method} with JSON-RPC`;
      if ((yield* arrived(() => reader.kind())) !== "object") throw badAnswer(notRpc);
      yield* arrived(() => reader.open("object", ""));
      let result: { readonly value: T } | undefined;
      for (;;) {
        const member = yield* arrived(() => reader.member());
        if (member === undefined) break;
        const kind = yield* arrived(() => reader.kind());
        if (member === "error") {
          const refusal = refusalOf(method, yield* wholeError.read(reader), masked);
          if (refusal !== undefined) throw refusal;
          // Nodes with JSON-RPC 1.0 send a `null` result along with an error.
        } else if (member !== "result" || kind === "null") yield* arrived(() => reader.skip());
        else if (result !== undefined) throw reader.twice();
        else result = { value: yield* decoder.read(reader) };
      }
      if (result === undefined) throw badAnswer(notRpc);
      return result.value;
    },
  };
}
