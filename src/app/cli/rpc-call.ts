import { isJsonObject, type JsonValue, parseJson, stringifyJson } from "#base/codec/index.ts";
import { DecodeError, NodeError } from "#base/errors/index.ts";
import type { CliContext } from "./command.ts";
import { givenName, wrongCommandLine } from "./given.ts";
import { parseArguments } from "./parse-arguments.ts";
import { EXIT } from "./report.ts";
import { paramsOfWords, withBlockIds } from "./block-words.ts";
import { rpcErrorText } from "./rpc-error-text.ts";
import { RPC_CALL_WORDS, rpcCallOptions } from "./rpc-call-options.ts";

/** Longest answer that is read. */
const MAX_ANSWER_LENGTH = 512 * 1024 * 1024;

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
  const answer = await post(options.url, options.timeout, context.signal, {
    jsonrpc: "2.0",
    id: 1,
    // A bare name means the node's own methods.
    method: method.includes("_") ? method : `chain_${method}`,
    params: await withBlockIds(method, params),
  });
  if (isJsonObject(answer) && answer["error"] !== undefined && answer["error"] !== null) {
    context.err(rpcErrorText(answer["error"] as JsonValue));
    return EXIT.runtime;
  }
  if (!isJsonObject(answer) || !Object.hasOwn(answer, "result")) {
    throw new NodeError("NODE_BAD_ANSWER", `${options.url} did not answer with JSON-RPC`);
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
  url: string,
  timeoutMs: number,
  signal: AbortSignal,
  request: JsonValue,
): Promise<JsonValue> {
  const timeout = AbortSignal.timeout(timeoutMs);
  let text: string;
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: stringifyJson(request),
      signal: AbortSignal.any([timeout, signal]),
    });
    text = await response.text();
    if (text === "" && !response.ok) {
      throw new NodeError("NODE_BAD_ANSWER", `${url} answered with status ${response.status}`);
    }
  } catch (cause) {
    if (cause instanceof NodeError) throw cause;
    const reason = timeout.aborted
      ? `${url} did not answer in ${timeoutMs} ms`
      : `cannot reach ${url}: is a node running there? (another address: --url)`;
    throw new NodeError("NODE_UNREACHABLE", reason, { cause });
  }
  try {
    return parseJson(text, { maxLength: MAX_ANSWER_LENGTH, maxDepth: 1024 });
  } catch (cause) {
    throw new NodeError("NODE_BAD_ANSWER", `${url} did not answer with JSON`, { cause });
  }
}
