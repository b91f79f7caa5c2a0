import { isJsonObject, type JsonValue, parseJson, stringifyJson } from "#base/codec/index.ts";
import { DecodeError, NodeError } from "#base/errors/index.ts";
import { type Endpoint, endpointOf, postJson } from "#io/http/index.ts";
import type { CliContext } from "./command.ts";
import { givenName, wrongCommandLine } from "./given.ts";
import { parseArguments } from "./parse-arguments.ts";
import { EXIT } from "./report.ts";
import { paramsOfWords, withBlockIds } from "./block-words.ts";
import { rpcErrorText } from "./rpc-error-text.ts";
import { RPC_CALL_WORDS, rpcCallOptions } from "./rpc-call-options.ts";

/** Longest answer that is read, bytes. */
const MAX_ANSWER_BYTES = 512 * 1024 * 1024;

/** `appchain rpc call METHOD [PARAMS...]`. */
export async function runRpcCall(argv: readonly string[], context: CliContext): Promise<number> {
  const { options, positionals, given } = parseArguments(
    rpcCallOptions,
    argv,
    context.environment,
    RPC_CALL_WORDS,
  );
  const [method = "", ...words] = positionals;
  const params =
    options.params === null
      ? await paramsOfWords(method, words.map(readWord))
      : paramsOfJson(options.params, words, givenName(given, "params"));
  const endpoint = endpointOf(options.url, []);
  const answer = await post(endpoint, options.timeout, context.signal, {
    jsonrpc: "2.0",
    id: 1,
    // A bare name means the node's own methods.
    method: method.includes("_") ? method : `chain_${method}`,
    params: await withBlockIds(method, params),
  });
  if (isJsonObject(answer) && answer["error"] !== undefined && answer["error"] !== null) {
    context.err(endpoint.masked(rpcErrorText(answer["error"] as JsonValue)));
    return EXIT.runtime;
  }
  if (!isJsonObject(answer) || !Object.hasOwn(answer, "result")) {
    throw new NodeError("NODE_BAD_ANSWER", `${endpoint.name} did not answer with JSON-RPC`);
  }
  context.out(stringifyJson(answer["result"] as JsonValue, 2));
  return EXIT.ok;
}

function paramsOfJson(json: string, words: readonly string[], name: string): JsonValue {
  if (words.length > 0) {
    throw wrongCommandLine(name, "give it or words after the method, not both");
  }
  let value: JsonValue | undefined;
  try {
    value = parseJson(json);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
  }
  if (value === undefined || typeof value !== "object" || value === null) {
    throw wrongCommandLine(name, "expected a JSON object or array");
  }
  return value;
}

/** JSON where it parses as JSON, else text: `latest`, `0x1f`, `{"block_number":5}`, `17`. */
function readWord(word: string): JsonValue {
  try {
    return parseJson(word);
  } catch (error) {
    if (error instanceof DecodeError) return word;
    throw error;
  }
}

async function post(
  endpoint: Endpoint,
  timeoutMs: number,
  signal: AbortSignal,
  request: JsonValue,
): Promise<JsonValue> {
  const { name } = endpoint;
  const body = stringifyJson(request);
  const maxAnswerBytes = MAX_ANSWER_BYTES;
  const answer = await postJson({ endpoint, body, maxAnswerBytes, timeoutMs, signal });
  switch (answer.kind) {
    case "elsewhere":
      throw bad(
        `${name} leads elsewhere (status ${answer.status}): give the address of the node itself`,
      );
    case "tooLong":
      throw bad(`the answer of ${name} is longer than ${MAX_ANSWER_BYTES} bytes`);
    case "garbled":
      throw bad(`the answer of ${name} is not in an encoding that was asked for`);
    case "stopped":
      throw new NodeError("NODE_STOPPED", "it was told to stop");
    case "timedOut":
      throw unreachable(`${name} did not answer in ${timeoutMs} ms`, answer.cause);
    case "unreachable":
      throw unreachable(
        `cannot reach ${name}: is a node running there? (another address: --url)`,
        answer.cause,
      );
    case "answered": {
      const { status, bytes } = answer;
      if (bytes.byteLength === 0 && status !== 200) {
        throw bad(`${name} answered with status ${status}`);
      }
      return parsed(new TextDecoder().decode(bytes), name);
    }
  }
}

function parsed(text: string, name: string): JsonValue {
  try {
    return parseJson(text, { maxLength: MAX_ANSWER_BYTES, maxDepth: 1024 });
  } catch (cause) {
    throw new NodeError("NODE_BAD_ANSWER", `${name} did not answer with JSON`, { cause });
  }
}

function bad(message: string): NodeError {
  return new NodeError("NODE_BAD_ANSWER", message);
}

function unreachable(message: string, cause: unknown): NodeError {
  return new NodeError("NODE_UNREACHABLE", message, { cause });
}
