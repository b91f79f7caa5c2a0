import { type Caller, isResult, RPC_ERRORS } from "#api/rpc/index.ts";
import { isJsonObject, type JsonValue, parseJson, stringifyJson } from "#base/codec/index.ts";
import { ExplorerFault } from "./fault.ts";
import type { ExplorerData } from "./port.ts";
import { DAMAGED, EXPLORER_TABLE, type ExplorerWork } from "./works.ts";

/** Length of the prefix of a query thread's result; a closing brace follows the value. */
const HEAD_BYTES = '{"result":'.length;

/** JSON-RPC error code of a query that was rejected for lack of capacity. */
const NO_ROOM = -32005;

const INVALID_PARAMS = -32602;

const NOT_FOUND: ReadonlySet<number> = new Set(
  (["CONTRACT_NOT_FOUND", "BLOCK_NOT_FOUND", "CLASS_HASH_NOT_FOUND"] as const).map(
    (name) => RPC_ERRORS[name].code,
  ),
);

const REBUILDING = "the explorer's index was damaged and is built again: try again later";

/**
 * Computes an answer on a query thread, where clients take turns.
 *
 * @returns UTF-8 JSON
 * @throws {ExplorerFault} when there is no answer
 */
export async function listAnswer(
  { queryPool, damaged }: Pick<ExplorerData, "queryPool" | "damaged">,
  caller: Caller,
  work: ExplorerWork,
  params: JsonValue,
): Promise<Uint8Array> {
  const outcome = await queryPool.run(EXPLORER_TABLE, work, stringifyJson(params), caller);
  if (!isResult(outcome)) throw faultOf(parseJson(new TextDecoder().decode(outcome)));
  const bytes = outcome.subarray(HEAD_BYTES, -1);
  if (bytes.byteLength > DAMAGED_TEXT.length || new TextDecoder().decode(bytes) !== DAMAGED_TEXT) {
    return bytes;
  }
  damaged();
  throw new ExplorerFault(503, REBUILDING);
}

const DAMAGED_TEXT = JSON.stringify(DAMAGED);

function faultOf(outcome: JsonValue): ExplorerFault {
  const error = isJsonObject(outcome) ? outcome["error"] : undefined;
  const { code, message, data } = isJsonObject(error) ? error : {};
  if (code === INVALID_PARAMS && isJsonObject(data)) {
    return new ExplorerFault(
      400,
      `${textOf(data["path"]) ?? "body"}: expected ${textOf(data["expected"]) ?? "another value"}`,
    );
  }
  // Errors of the specification are about the request.
  if (typeof code === "number" && code > 0) {
    const status = NOT_FOUND.has(code) ? 404 : 400;
    return new ExplorerFault(status, textOf(data) ?? textOf(message) ?? "not found");
  }
  const reason = textOf(data) ?? "the node could not compute the answer";
  return new ExplorerFault(code === NO_ROOM ? 429 : 503, reason);
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
