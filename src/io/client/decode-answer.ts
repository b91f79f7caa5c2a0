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

/** Who answers, and what was asked; for errors. */
export interface Answerer extends Pick<Endpoint, "name" | "masked"> {
  /** Name of the method on the wire. */
  readonly method: string;
}

/**
 * Decodes the result in a JSON-RPC answer that still arrives.
 *
 * @throws {RpcRefusal} when the answer is an error
 * @throws {NodeError} NODE_BAD_ANSWER when it is none of JSON-RPC, is over a limit of the reader, or its
 *   result has another form
 * @throws what the chunks throw
 */
export async function decodeAnswer<T>(
  answerer: Answerer,
  chunks: AsyncIterable<Uint8Array>,
  reader: JsonReader,
  decoder: StreamDecoder<T>,
): Promise<T> {
  try {
    return await readJsonStream(chunks, reader, envelopeOf(answerer, decoder));
  } catch (error) {
    throw error instanceof DecodeError ? refusedForm(answerer, error) : error;
  }
}

/** The error for an answer that is not JSON, over a limit, or has another form. */
function refusedForm({ name, method }: Answerer, cause: DecodeError): NodeError {
  const { meta, expected } = cause;
  const place = placeIn(cause.path);
  const what = `${place === "" ? "" : `${place}: `}expected ${expected}`;
  const theAnswer = `the answer of ${name} to ${method}`;
  if (meta["limit"] !== undefined) return badAnswer(`${theAnswer} is over a limit: ${what}`, cause);
  if (meta["json"] === "cut") return badAnswer(`${theAnswer} ends too early: ${what}`, cause);
  if (meta["json"] !== undefined) {
    return badAnswer(`${name} did not answer ${method} with JSON: ${what}`, cause);
  }
  return badAnswer(`${theAnswer} is not what the specification says: ${what}`, cause);
}

/** A path in an answer as messages show it: from its result on, as in the specification. */
export function placeIn(path: string): string {
  return path.replace(/^result(?:\.|(?=\[)|$)/, "");
}

const wholeError = streamWhole(json);

/** JSON-RPC's response; its members may come in any order. */
function envelopeOf<T>(
  { name, masked, method }: Answerer,
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
          // Nodes of JSON-RPC 1.0 answer with an error and `null` as the result.
        } else if (member !== "result" || kind === "null") yield* arrived(() => reader.skip());
        else if (result !== undefined) throw reader.twice();
        else result = { value: yield* decoder.read(reader) };
      }
      if (result === undefined) throw badAnswer(notRpc);
      return result.value;
    },
  };
}
