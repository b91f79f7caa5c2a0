import { fail, JsonText, type QueryContext } from "#api/rpc/index.ts";
import type { JsonValue } from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { writeGatewayClass } from "#io/feeder/index.ts";
import { casmClassCodec, type ContractClass } from "#protocol/chain/index.ts";

/** A class that is asked for. */
export interface AskedClass {
  readonly hash: Felt;
  /** It is declared in this accepted block or before; `null`: in any block, accepted or not. */
  readonly upTo: number | null;
}

/**
 * The answer to get_class_by_hash.
 *
 * @throws {RpcFault} CLASS_HASH_NOT_FOUND
 */
export function contractClass(context: QueryContext, asked: AskedClass): JsonValue | JsonText {
  const { hash, upTo } = asked;
  const declared = context.chain.declaredClass(hash);
  if (declared !== undefined && declared.declaredAtBlock <= (upTo ?? Infinity)) {
    return written(declared.contractClass);
  }
  const unaccepted = upTo === null ? context.pending()?.declaredClass?.(hash) : undefined;
  return written(unaccepted ?? fail("CLASS_HASH_NOT_FOUND"));
}

/** A Cairo 0 class goes out as the text that it was declared with: its hash depends on that. */
function written(contractClass: ContractClass): JsonValue | JsonText {
  return contractClass.kind === "legacy"
    ? new JsonText(contractClass.json)
    : writeGatewayClass(contractClass);
}

/**
 * The answer to get_compiled_class_by_class_hash. Cairo 0 classes were never compiled from anything.
 *
 * @throws {RpcFault} CLASS_HASH_NOT_FOUND
 */
export function compiledClass(context: QueryContext, { hash, upTo }: AskedClass): JsonValue {
  const { chain } = context;
  const latest = chain.stateAt(chain.latestNumber() ?? -1);
  const state = upTo === null ? (context.pending()?.state ?? latest) : latest;
  if (upTo !== null && (chain.declaredClass(hash)?.declaredAtBlock ?? Infinity) > upTo) {
    return fail("CLASS_HASH_NOT_FOUND");
  }
  return casmClassCodec.encode(state.executableClass(hash)?.casm ?? fail("CLASS_HASH_NOT_FOUND"));
}
