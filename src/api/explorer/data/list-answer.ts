import { type Caller, isResult } from "#api/rpc/index.ts";
import { isJsonObject, type JsonValue, parseJson, stringifyJson } from "#base/codec/index.ts";
import { ExplorerFault } from "./fault.ts";
import type { ExplorerData } from "./port.ts";
import { DAMAGED, EXPLORER_TABLE, type ExplorerWork } from "./works.ts";

/** Length of the prefix of a query thread's result; a closing brace follows the value. */
const HEAD_BYTES = '{"result":'.length;

/** JSON-RPC error code of a query that was rejected for lack of capacity. */
const NO_ROOM = -32005;

const REBUILDING = "the explorer's index was damaged and is built again: try again later";

/**
 * Computes a list on a query thread, where clients take turns.
 *
 * @returns UTF-8 JSON
 * @throws {ExplorerFault} when there is no answer
 */
export async function listAnswer(
  { queryPool, damaged }: Pick<ExplorerData, "queryPool" | "damaged">,
  caller: Caller,
  work: ExplorerWork,
  params: readonly JsonValue[],
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
  const { code, data } = isJsonObject(error) ? error : {};
  const reason = typeof data === "string" ? data : "the node could not compute the answer";
  return new ExplorerFault(code === NO_ROOM ? 429 : 503, reason);
}
