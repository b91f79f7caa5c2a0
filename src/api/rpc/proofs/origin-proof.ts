import { type JsonObject, type JsonValue, parseJson, stringifyJson } from "#base/codec/index.ts";
import { type BlockId, resolveBlock } from "../block-id.ts";
import type { QueryContext } from "../context.ts";

/** Storage proof of a fork's origin, in the form that all versions share. */
export interface OriginProof {
  readonly json: JsonValue;
}

/**
 * Returns the origin's proof for a block up to the fork block; `unproven` when the origin does not prove the
 * block, `undefined` for other blocks, and on a chain that is no fork.
 *
 * @param params - parameters of the request without its block id
 * @throws {OriginError} when the origin does not return it
 */
export function originProof(
  context: QueryContext,
  id: BlockId,
  params: JsonObject,
): OriginProof | "unproven" | undefined {
  const { fork } = context;
  if (fork === null) return undefined;
  const block = resolveBlock(context, id);
  if (block?.kind !== "accepted" || block.number > fork.forkBlock) return undefined;
  const paramsText = stringifyJson(params);
  const bytes = fork.ask({ kind: "proof", block: block.number, paramsText });
  return bytes === null ? "unproven" : { json: parseJson(new TextDecoder().decode(bytes)) };
}
