import { fail, JsonText, type QueryContext } from "#api/rpc/index.ts";
import type { JsonValue } from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { writeGatewayClass } from "#io/feeder/index.ts";
import { casmClassCodec, type ContractClass } from "#protocol/chain/index.ts";

/** Requested class. */
export interface ClassRequest {
  readonly hash: Felt;
  /** Latest accepted block that may declare it; `null` for any block, accepted or not. */
  readonly upTo: number | null;
}

/**
 * Computes the response of get_class_by_hash.
 *
 * @throws {RpcFault} CLASS_HASH_NOT_FOUND
 */
export function contractClass(context: QueryContext, request: ClassRequest): JsonValue | JsonText {
  const { hash, upTo } = request;
  const declared = context.chain.declaredClass(hash);
  if (declared !== undefined && declared.declaredAtBlock <= (upTo ?? Infinity)) {
    return written(declared.contractClass);
  }
  const unaccepted = upTo === null ? context.pending()?.declaredClass?.(hash) : undefined;
  return written(unaccepted ?? fail("CLASS_HASH_NOT_FOUND"));
}

/** A Cairo 0 class is sent as the text it was declared with: its hash depends on that text. */
function written(contractClass: ContractClass): JsonValue | JsonText {
  return contractClass.kind === "legacy"
    ? new JsonText(contractClass.json)
    : writeGatewayClass(contractClass);
}

/**
 * Computes the response of get_compiled_class_by_class_hash. Cairo 0 classes have no compiled class.
 *
 * @throws {RpcFault} CLASS_HASH_NOT_FOUND
 */
export function compiledClass(context: QueryContext, { hash, upTo }: ClassRequest): JsonValue {
  const { chain } = context;
  const latest = chain.stateAt(chain.latestNumber() ?? -1);
  const state = upTo === null ? (context.pending()?.state ?? latest) : latest;
  if (upTo !== null && (chain.declaredClass(hash)?.declaredAtBlock ?? Infinity) > upTo) {
    return fail("CLASS_HASH_NOT_FOUND");
  }
  return casmClassCodec.encode(state.executableClass(hash)?.casm ?? fail("CLASS_HASH_NOT_FOUND"));
}
