import { flagName } from "#app/options/index.ts";
import { isJsonObject, type JsonValue, parseJson, stringifyJson } from "#base/codec/index.ts";
import { DecodeError, NodeError } from "#base/errors/index.ts";
import { type Endpoint, endpointOf, postJson } from "#io/http/index.ts";
import type { CliContext } from "./command.ts";
import { wrongCommandLine } from "./option-errors.ts";
import { parseArguments } from "./parse-arguments.ts";
import { EXIT } from "./report.ts";
import { paramsOfWords, withBlockIds } from "./block-words.ts";
import { rpcErrorText } from "./rpc-error-text.ts";
import { RPC_CALL_WORDS, rpcCallOptions } from "./rpc-call-options.ts";

/** Maximum response size, bytes. */
const MAX_ANSWER_BYTES = 512 * 1024 * 1024;

/** Implements `appchain rpc call METHOD [PARAMS...]`. */
export async function runRpcCall(argv: readonly string[], context: CliContext): Promise<number> {
  const { options, positionals, sources } = parseArguments(
    rpcCallOptions,
    argv,
    context.environment,
    RPC_CALL_WORDS,
  );
  const [method = "", ...words] = positionals;
  const params =
    options.params === null
      ? await paramsOfWords(method, words.map(readWord))
      : paramsOfJson(options.params, words, flagName(sources, "params"));
  const endpoint = endpointOf(options.url, []);
  const answer = await post(endpoint, options.timeout, context.signal, {
    jsonrpc: "2.0",
    id: 1,
    // A bare name means one of the node's own methods.
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
    throw wrongCommandLine(name, "cannot be combined with words after the method");
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

/** Parses a word as JSON if possible, otherwise as text: `latest`, `0x1f`, `{"block_number":5}`, `17`. */
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
        `${name} redirects elsewhere (status ${answer.status}): use the address of the node itself`,
      );
    case "tooLong":
      throw bad(`the response of ${name} is longer than ${MAX_ANSWER_BYTES} bytes`);
    case "garbled":
      throw bad(`the response of ${name} has an encoding that was not requested`);
    case "stopped":
      throw new NodeError("NODE_STOPPED", "stopped on request");
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
